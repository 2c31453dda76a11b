/** Header fields that cannot be broken out of: RFC 5322 fields, RFC 2047 words, no CR, LF or NUL from outside. */

const TEXT_LIMIT = 900
// Anything else in a display name is encoded, so that no lax parser can see a second address in it.
const PLAIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 .'&+_-]{0,58}[A-Za-z0-9.])?$/
const PRINTABLE = /^[\x20-\x7e]*$/

/** One line of text for a header: control characters and line separators become spaces, runs of spaces one. */
export function headerText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\ufeff]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return cut(line, TEXT_LIMIT)
}

/** At most `limit` UTF-16 units, never half a character. */
function cut(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : text
        .slice(0, limit)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
}

/** Encoded-words (RFC 2047, base64), none over 75 characters, no code point split, folded. `column`: where the first begins. */
export function encodeWords(text: string, column: number): string {
  const words: string[] = []
  let chunk = ''
  let bytes = 0
  // 12 characters of frame; the first line also holds the field name.
  let room = Math.floor((75 - 12 - column) / 4) * 3
  for (const char of text) {
    const size = Buffer.byteLength(char)
    if (bytes + size > room && chunk) {
      words.push(chunk)
      chunk = ''
      bytes = 0
      room = 45
    }
    chunk += char
    bytes += size
  }
  words.push(chunk)
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/** A whole `Subject: …` style field without its final CRLF. */
export function textField(name: string, text: string): string {
  const value = headerText(text)
  const column = name.length + 2
  if (PRINTABLE.test(value) && !value.includes('=?')) {
    const folded = fold(value, column)
    if (folded !== null) return `${name}: ${folded}`
  }
  return `${name}: ${encodeWords(value, column)}`
}

/** Folds at spaces to lines of at most 76; null when a word is too long for that. */
function fold(value: string, column: number): string | null {
  if (column + value.length <= 76) return value
  let out = ''
  let at = column
  for (const word of value.split(' ')) {
    if (word.length > 74) return null
    if (out && at + 1 + word.length > 76) {
      out += `\r\n ${word}`
      at = 1 + word.length
    } else {
      out += out ? ` ${word}` : word
      at += word.length + 1
    }
  }
  return out
}

/** A mailbox for From, To or Reply-To (RFC 5322 3.4). `address` must come from parseAddress. */
export function mailboxField(field: string, name: string | null | undefined, address: string): string {
  const text = name ? cut(headerText(name), 200) : ''
  if (!text) return `${field}: <${address}>`
  const column = field.length + 2
  const phrase = PLAIN_NAME.test(text) ? `"${text}"` : encodeWords(text, column)
  const lastLine = phrase.length - (phrase.lastIndexOf('\n') + 1)
  const between = column + lastLine + address.length + 3 > 76 ? '\r\n ' : ' '
  return `${field}: ${phrase}${between}<${address}>`
}

/** Letters, digits, dots and hyphens of an identifier, for List-Id and Feedback-ID. */
export function identifier(text: string): string {
  return text.replace(/[^A-Za-z0-9._:-]+/g, '-').slice(0, 120)
}

let dateSecond = Number.NaN
let dateText = ''

/** RFC 5322 date in UTC. */
export function dateField(now: Date): string {
  const second = Math.floor(now.getTime() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = now.toUTCString().replace('GMT', '+0000')
  }
  return dateText
}
