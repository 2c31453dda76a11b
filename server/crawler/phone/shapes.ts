/** A run of digits and signs that may be a number, with an extension where one is stated. */
export interface Candidate {
  text: string
  extension: string
  start: number
  end: number
}

const DIGITS = '\\d'
/** A full stop with a space behind it ends a sentence. */
const GAP = '(?:[ \\u00a0\\-–—‑/()]|\\.(?!\\s))'
/** Starts with +, 00, ( or a digit; single signs or a few between digits. */
const RUN = new RegExp(`(?:\\+ (?=[1-9])|\\+|\\()?\\(?\\+?${DIGITS}(?:${GAP}{0,4}${DIGITS}){5,34}`, 'gu')
const EXTENSION =
  /^\s{0,2}\(?(?:,?\s{0,2}(?:ext(?:ensi[oó]n|ension|\.|n)?|extn?|x|poste|int(?:erno|\.)?|durchwahl|dw\.?|app(?:arat|\.)|wewn?\.?|anexo|ramal|klapka|кл\.?|доб\.?|toestel|dahili|intern|ankn(?:ytning|\.)?|linka|linje|mellék|nebenstelle|nst\.?|anschluss|opc(?:ión)?\.?|вн(?:утр)?\.?|внутренний|εσωτ\.?|ต่อ|内線|内线|內線|분기|내선|alanumero|שלוחה|تحويلة)\s{0,2}[.:]?\s{0,2}[-–]?|\s?#\s?)(\d{1,6})(?!\d)/i

/** Dates, times, ranges, prices, coordinates, addresses of machines: written like numbers, but none to call. */
const NOT_PHONE = [
  /^(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)?\d{2}(?:\s?[-–]\s?(?:0?[1-9]|[12]\d|3[01])\1(?:0?[1-9]|1[0-2])\1(?:19|20)?\d{2})?(?:\s\d{1,2})?$/,
  /^(?:0?[1-9]|1[0-2])([./-])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d{2}(?:\s\d{1,2})?$/,
  /^(?:19|20)\d{2}([./-])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?:[\sT]\d{1,2})?$/,
  /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4,6})?$/,
  /^(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}$/,
  /^\d{1,3}(?:\.\d{1,3}){3}$/,
  /^[1-9]\d{0,2}(?:\.\d{3})+$/,
  /^[1-9]\d{0,2}(?:\s\d{3}){1,2}$(?<!^\d{3}\s\d{3}\s\d{3})/,
  /^(?:0|[1-9]\d{0,2})\.\d{4,}$/,
  /^\d{1,2}[.:]\d{2}\s?[-–]\s?\d{1,2}[.:]\d{2}$/,
  /^(?:\d{4}[\s-]){3}\d{4}$/,
  /^97[89][- ]?\d/,
  /^(\d)\1{6,}$/,
  /^\d{1,2}-\d{1,2}(?:[ ,]\d{1,2}-\d{1,2})+$/,
  // Versions of programs: four parts, one of them of a single digit.
  /^(?=.*\.\d(?:\.|$))\d+(?:\.\d+){3,}$/,
]

/** Card numbers pass Luhn's check and have 13 to 19 digits. */
function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !/^[3-6]/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** Whether a run is by its form alone something else than a telephone number. */
export function isOtherShape(text: string): boolean {
  const trimmed = text.trim()
  if (/^\+/.test(trimmed)) return false
  return NOT_PHONE.some((shape) => shape.test(trimmed)) || isCounted(trimmed) || isCard(trimmed.replace(/\D/g, ''))
}

/** Pages to leaf through, sizes to choose from: groups that grow by the same step. */
function isCounted(text: string): boolean {
  const groups = text.split(/[\s/–-]+/).map(Number)
  const step = (groups[1] ?? 0) - (groups[0] ?? 0)
  return groups.length > 3 && step > 0 && groups.every((value, i) => i === 0 || value - (groups[i - 1] ?? 0) === step)
}

/** Whether what stands around shows that the digits are a part of something larger. */
function isPart(text: string, start: number, end: number): boolean {
  const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 3)]
  if (/[\p{L}\d_@=#%$€£¥<]$/u.test(before) && !/[\p{L}]$/u.test(before)) return true
  if (
    /[\p{L}_]$/u.test(before) &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u.test(before)
  )
    return /[\p{L}\d_]{2}$/u.test(before)
      ? !/(?:l|x|e|n|r|s|b|y|a|k|m)$/iu.test(before) || /[A-Z]{2}$|\d/u.test(before)
      : true
  // An element of its own, and nothing between them: "…56" and "Bergen".
  if (/^\p{Lu}\p{Ll}{2}/u.test(after)) return false
  if (/^[\p{L}_]/u.test(after) && !/^(?:x|ext|e|u|o|a|p|m|t|f)/iu.test(after))
    return /^[\p{Script=Latin}_]/u.test(after)
  if (/^[^\S\n]?(?:€|\$|£|%|°|km|kg|cm|mm|ml|m²|mb|gb|px|eur|usd|zł|kč|kr)(?![\p{L}])/iu.test(text.slice(end, end + 6)))
    return true
  if (/^[-–]\p{Lu}(?!\p{L})/u.test(after)) return true
  if (/^[.,]\d/.test(after) || /\d[.,]$/.test(before) || /^:\d\d/.test(after) || /\d:$/.test(before)) return true
  return /^(?:-|\/)?[0-9a-f]{0,2}-[0-9a-f]{4}/i.test(after)
}

/** Runs that look like numbers to call, in the order of the text. Lists (`a / b`, `a, b`) are taken apart. */
export function* candidates(text: string): Generator<Candidate> {
  for (const match of text.matchAll(RUN)) {
    for (const piece of apart(closed(match[0]), match.index)) {
      const end = piece.start + piece.text.length
      const digits = piece.text.replace(/\D/g, '').length
      if (digits < 6 || digits > 18 || isPart(text, piece.start, end)) continue
      const extension = EXTENSION.exec(text.slice(end, end + 30))
      yield { ...piece, extension: extension?.[1] ?? '', end: end + (extension?.[0].length ?? 0) }
    }
  }
}

/** Without a bracket at its end that closes only behind other words: `18 201 23 46 (24h)`. */
function closed(text: string): string {
  const open = text.lastIndexOf('(')
  return open > 4 && text.indexOf(')', open) < 0 ? text.slice(0, open) : text
}

/** Digits a number has at least when it stands beside another one: `030 / 1234567` is one, `98123 45681 / 98123 45682` are two. */
const WHOLE = 7

/** Two numbers in one run: a second + or 00, or a slash or dash between two that are whole. */
function apart(text: string, start: number): { text: string; start: number }[] {
  const cut =
    /(?<=\d)\s{0,2}[/–—-]?\s{0,2}(?=\(?\+\d|\(\+)|(?<=\d)\s?\/\s?(?=\(\d|-?\d{1,4}$)|\s{1,3}[/–—-]\s{1,3}|(?<=\d{4})\/(?=0\d{2,})|(?<=\d{2})\s{3,}(?=[+(0])/g
  const pieces: { text: string; start: number }[] = []
  let from = 0
  const count = (piece: string) => piece.replace(/\D/g, '').length
  for (const match of text.matchAll(cut)) {
    const next = match.index + match[0].length
    const isDesk =
      match[0].includes('/') && /^-?\d{1,4}$/.test(text.slice(next)) && count(text.slice(from, match.index)) > WHOLE
    if (match.index <= from || count(text.slice(from, match.index)) < WHOLE) continue
    if (!isDesk && count(text.slice(next)) < WHOLE) continue
    pieces.push({ text: text.slice(from, match.index), start: start + from })
    from = next
  }
  pieces.push({ text: text.slice(from), start: start + from })
  // "12345-0 / -10": the same line, another desk.
  for (const [i, piece] of pieces.entries()) {
    const [, dash, desk = ''] = /^\s*(-?)(\d{1,4})$/.exec(piece.text) ?? []
    const before = pieces[i - 1]?.text.trim()
    if (!desk || !before) continue
    if (!dash && /^\d+$/.test(before.slice(-desk.length))) piece.text = before.slice(0, -desk.length) + desk
    else piece.text = before.replace(/\s?-\s?\d{1,4}$/, `-${desk}`)
  }
  return pieces.map((piece) => {
    const left = piece.text.match(/^[\s/.–—-]*/)?.[0].length ?? 0
    return { text: piece.text.slice(left).replace(/[\s(/.–—-]+$/, ''), start: piece.start + left }
  })
}
