/** Phrases as data: one a line, in lower case, as servers write them. */

/** What a matcher looks at, in characters: enough for a reply of many lines, and a bound on the work. */
export const MAX_LENGTH = 2_000

/**
 * A matcher for a list of phrases, one a line. `…` stands for up to 40 characters, `(a|b)` for a choice, `(a)?` for what
 * may be missing, `@addr` for an email address; `[a-z]`, `{1,3}`, `\\d`, `^` and `$` are as in regular expressions. A phrase
 * begins and ends at words. The work is linear, because every gap is bounded.
 */
export function matchAny(list: string): (text: string) => boolean {
  const sources = list.split('\n').flatMap((line) => (line.trim() ? [compile(line.trim())] : []))
  const pattern = new RegExp(sources.join('|'), 'u')
  return (text) => pattern.test(text.slice(0, MAX_LENGTH))
}

function compile(phrase: string): string {
  const source = phrase
    .replace(/\\.|[.+*/]/g, (found) => (found.length > 1 ? found : `\\${found}`))
    .replace(/\\\(|\(/g, (found) => (found.length > 1 ? found : '(?:'))
    .replaceAll(' … ', '(?: .{0,40}?)? ')
    .replaceAll('…', '.{0,40}?')
  // Scripts without spaces have no words to begin or end at.
  const begins = /^[a-z0-9(]/.test(phrase) ? '(?<![a-z0-9])' : ''
  const ends = /[a-z0-9)?]$/.test(phrase) ? '(?![a-z0-9])' : ''
  return `${begins}${source}${ends}`
}

/** An address in words; its local part may be in any script. */
const ADDRESS = /<?[^\s<>()"',;:[\]@]{1,64}@[\p{L}\p{N}.-]{1,255}>?/gu

/** Words as phrases are written: lower case, one space, straight quotes, addresses as `@addr`. */
export function toPhrases(text: string): string {
  return text
    .slice(0, 2 * MAX_LENGTH)
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’´`]/g, "'")
    .replace(/[‐-―]/g, '-')
    .replace(ADDRESS, '@addr')
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
}
