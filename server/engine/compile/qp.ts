/**
 * Quoted-printable (RFC 2045) in pieces: static text encoded once, values in between at any column.
 * Every static piece is encoded as if it began a line, and every value is followed by a soft line break, so both always hold.
 * No line ever begins with a dot, so the result never needs SMTP dot-stuffing.
 */

/** The longest line without its `=`; with it 76, as RFC 2045 allows. */
export const LINE = 75
export const SOFT = '=\r\n'

const PLAIN_VALUE = /^(?:[ -\-/-<>-~][ -<>-~]*)?$/
const SAFE_RUN = /^[!-<>-~]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a mail body
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+/g

const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)

/** Units that may not be broken up: single safe characters or the escapes of one code point. */
function units(line: string): string[] {
  const out: string[] = []
  for (const char of line) {
    const code = char.codePointAt(0) as number
    if (code < 0x80)
      out.push((code >= 0x20 && code !== 0x3d && code < 0x7f) || code === 9 ? char : (HEX[code] as string))
    else {
      let escaped = ''
      for (const byte of Buffer.from(char, 'utf8')) escaped += HEX[byte]
      out.push(escaped)
    }
  }
  return out
}

function encodeLine(line: string, hardBreakFollows: boolean): string {
  if (line.length <= LINE && SAFE_RUN.test(line) && line[0] !== '.') return line
  const parts = units(line)
  const last = parts.length - 1
  if (hardBreakFollows && last >= 0) {
    if (parts[last] === ' ') parts[last] = '=20'
    else if (parts[last] === '\t') parts[last] = '=09'
  }
  let out = ''
  let column = 0
  for (const unit of parts) {
    if (column + unit.length > LINE) {
      out += SOFT
      column = 0
    }
    // A dot that begins a line is the one thing SMTP would double.
    const written = column === 0 && unit === '.' ? '=2E' : unit
    out += written
    column += written.length
  }
  return out
}

/**
 * Encodes text as if it stood at the beginning of a line. CR, LF and CRLF become hard line breaks; control characters go.
 * `ends`: nothing but a line break follows, so a space at the end needs protection.
 */
export function encodeQp(text: string, ends = false): string {
  const lines = text
    .toWellFormed()
    .replace(CONTROLS, '')
    .split(/\r\n|\r|\n/)
  const last = lines.length - 1
  return lines.map((line, i) => encodeLine(line, ends || i < last)).join('\r\n')
}

/** Column after this encoded text, which began a line. */
export function endColumn(encoded: string): number {
  return encoded.length - (encoded.lastIndexOf('\n') + 1)
}

/** Encodes a value that stands at `column`; what follows it begins a line. */
export function encodeValue(value: string, column: number): string {
  if (value === '' && column === 0) return ''
  if (value.length <= LINE && PLAIN_VALUE.test(value)) {
    return column + value.length <= LINE ? value + SOFT : SOFT + value + SOFT
  }
  return SOFT + encodeQp(value) + SOFT
}
