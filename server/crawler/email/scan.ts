import { joinAddress, mailDomain } from './address.ts'

/** An address in a text, and where it stands there. */
export interface Hit {
  value: string
  start: number
  end: number
}

const LOCAL_CHAR = /[\p{Script=Latin}\d._%+'&~-]/u
const DOMAIN_CHAR = /[\p{L}\p{N}\p{M}.-]/u
/** Addresses of one text: what lists more is a hostile page, or no page. */
const MAX_HITS = 20_000
const MAX_LOCAL_LENGTH = 80
const MAX_DOMAIN_LENGTH = 120

/** A decimal digit of any script as one of ours: they stand in tens that begin at a 0. */
function digit(char: string): string {
  const code = char.codePointAt(0) as number
  for (let zero = code; zero > code - 10; zero--)
    if (!/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) return String(code - zero)
  return String((code - 0x1d7ce) % 10)
}

/** Fullwidth and small signs as the plain ones, without what is invisible, spaces all alike. Keeps no positions. */
export function plainText(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  return text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/g, '')
    .replace(/[\uff20\ufe6b]/g, '@')
    .replace(/[\uff0e\u3002\uff61]/g, (dot, at: number, whole: string) =>
      /[\w-]/.test(whole[at + 1] ?? '') ? '.' : dot,
    )
    .replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[^\P{Nd}\d]/gu, digit)
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
}

/** The domain that begins a text, shortened until its ending is a real one: `firma.de.Wir`, `firma.deTel`, `firma.jpまで`. */
export function domainAt(text: string): { domain: string; length: number } | undefined {
  let taken = text.replace(/[.-]+$/, '')
  // A line of prose goes on after a full stop: "info@firma.de.Besuchen Sie".
  for (let i = 0; i < 6 && taken.includes('.'); i++) {
    const ascii = mailDomain(taken)
    const last = taken.slice(taken.lastIndexOf('.') + 1)
    if (ascii && !/^[A-Z][a-z]/.test(last)) return { domain: ascii, length: taken.length }
    const shorter = shortened(taken, last)
    if (shorter) return shorter
    if (ascii && i === 0 && !/\.[a-z]{2,}\./i.test(taken)) return { domain: ascii, length: taken.length }
    taken = taken.slice(0, taken.lastIndexOf('.')).replace(/[.-]+$/, '')
  }
  return undefined
}

/** Where the last label runs into the next word: cut where case, script or kind of character changes. */
function shortened(taken: string, last: string): { domain: string; length: number } | undefined {
  const cuts = [
    /^[a-z]{2,}(?=[A-Z])/,
    /^[a-z]{2,}(?=\d{2})/i,
    /^[a-z]{2,}(?=[^\x20-\x7e])/i,
    /^[A-Z]{2,}(?=[a-z]{2})/,
    /^[a-z]{2,4}(?=www$)/i,
  ]
  for (const cut of cuts) {
    const found = cut.exec(last)?.[0]
    if (!found) continue
    const text = taken.slice(0, taken.length - last.length) + found
    const domain = mailDomain(text)
    if (domain) return { domain, length: text.length }
  }
  return undefined
}

/** Words in a local part that tell robots where to go wrong; people take them out. */
const DECOY =
  /[._-]?(?:NOSPAM|NO-SPAM|NO_SPAM|REMOVETHIS|REMOVE-THIS|REMOVE_THIS|DELETETHIS|ANTISPAM|KEINSPAM|SPAMFREI)[._-]?/g

function localBefore(text: string, at: number): { local: string; start: number } | undefined {
  let start = at
  while (start > 0 && at - start < MAX_LOCAL_LENGTH && LOCAL_CHAR.test(text[start - 1] as string)) start--
  let local = text.slice(start, at)
  // What stands before an address is no part of it: quotes, dots, dashes, %20 of an address bar, `u003e` of a script.
  const before = /^(?:%[0-9a-f]{2}|u00[0-9a-f]{2}|[._'&~+%-]|x[0-9a-f]{2}(?=%))+/i.exec(local)?.[0] ?? ''
  local = local.slice(before.length)
  return local ? { local, start: start + before.length } : undefined
}

/** Several people at one host, as institutes write them: `{kim,lee}@cs.edu`. */
function scanGroup(text: string, at: number, domain: string, end: number): Hit[] {
  const [whole, names = ''] =
    /[{[(]([\p{Script=Latin}\d._+,;|/ -]{3,200})[}\])]\s?$/u.exec(text.slice(Math.max(0, at - 210), at)) ?? []
  const locals = names.split(/\s*[,;|/]\s*/)
  if (!whole || locals.length < 2) return []
  return locals.flatMap((local) => {
    const value = /\s/.test(local) ? undefined : joinAddress(local, domain)
    return value ? { value, start: at - whole.length, end } : []
  })
}

/** Whether a text ends within a URL. Looked at from its end: an expression would try each character as the beginning of a scheme. */
function endsInUrl(text: string): boolean {
  let from = text.length
  while (from > 0 && !/[\s"'<>()]/.test(text[from - 1] as string)) from--
  for (let at = text.indexOf('://', from); at >= 0; at = text.indexOf('://', at + 1))
    for (let i = at - 1; i >= from && /[a-z0-9+.-]/i.test(text[i] as string); i--)
      if (/[a-z]/i.test(text[i] as string)) return true
  return false
}

/** Whether the sign belongs to something else: credentials in an address, a repository, an id of a mail, a path. */
function isOther(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 120), start)
  const after = text.slice(end, end + 2)
  if (endsInUrl(before) && !/[?&=,;][^/]*$/.test(before)) return true
  if (/^:[a-z~/]/i.test(after) && !/^:\/\//.test(text.slice(end, end + 3)) && !/\s/.test(after)) return true
  if (/\b(?:arn|urn):\S*$/i.test(before)) return true
  if (/\b(?:cid|urn|sip|sips|xmpp|skype|im|uid):$|@$/i.test(before)) return true
  if (/\b(?:message-id|in-reply-to|references|content-id)\b[^\n]{0,100}$/i.test(before)) return true
  return /[\w/]\/$/.test(before) && /^\//.test(after)
}

/** Addresses written with @ in a text that plainText() has been through. */
export function scan(text: string): Hit[] {
  const hits: Hit[] = []
  let least = 0
  for (let at = text.indexOf('@'); at >= 0 && hits.length < MAX_HITS; at = text.indexOf('@', at + 1)) {
    const isGroup = /[}\])]/.test(text[at - 1] ?? '')
    const before = isGroup ? { local: '', start: at } : localBefore(text, at)
    if (!before || before.start < least) continue
    let end = at + 1
    while (end < text.length && end - at <= MAX_DOMAIN_LENGTH && DOMAIN_CHAR.test(text[end] as string)) end++
    const raw = text.slice(at + 1, end)
    const found = domainAt(raw) ?? domainAt(raw.replace(DECOY, ''))
    if (!found) continue
    const stop = at + 1 + found.length
    if (isGroup) {
      hits.push(...scanGroup(text, at, found.domain, stop))
      continue
    }
    if (isOther(text, before.start, stop)) continue
    const value = joinAddress(before.local.replace(DECOY, ''), found.domain)
    if (!value) continue
    hits.push({ value, start: before.start, end: stop })
    least = stop
  }
  return hits
}
