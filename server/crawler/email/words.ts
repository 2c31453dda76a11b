import { addressOf } from './address.ts'
import { domainAt, type Hit } from './scan.ts'

/** The sign in words, as people write it so that robots do not see it. */
const AT_WORDS =
  'at|ät|aet|@|arroba|arobase|arobas|chiocciola|małpa|malpa|zavináč|zavinac|kukac|snabel-?a|snabela|alfakrøll|krøllalfa|apenstaartje|apestaart|a commercial|собака|собачка|at sign|at-zeichen|klammeraffe|kuyruklu a|et|bei|a|ad|et işareti'
const DOT_WORDS =
  'dot|d0t|punkt|pkt|point|punto|ponto|kropka|tečka|tecka|bodka|piste|pont|nokta|точка|prick|punt|punktum|period|\\.|·|•'
const OPEN = '[\\[({<«|*_~/\\\\-]{1,2}'
const CLOSE = '[\\])}>»|*_~/\\\\-]{1,2}'

const LOCAL = "[\\p{Script=Latin}\\d][\\p{Script=Latin}\\d._%+'-]{0,60}"
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,60}[\\p{L}\\p{N}])?'
/** In brackets, with or without spaces: `info [at] firma`, `info(at)firma`, `info <at> firma`. */
const AT_BRACKET = `\\s{0,3}${OPEN}\\s{0,2}(?:${AT_WORDS})\\s{0,2}${CLOSE}\\s{0,3}`
/** A dot that may be a word in brackets, a sign with spaces around it, or itself. */
const DOT_ANY = `(?:\\s{0,3}${OPEN}\\s{0,2}(?:${DOT_WORDS})\\s{0,2}${CLOSE}\\s{0,3}|\\s{1,2}(?:dot|punkt|punktum|kropka|punto|ponto|point|точка|nokta|tečka|tecka|bodka|piste)\\s{1,2}|\\s?\\.\\s?(?=[\\p{L}\\p{N}])|\\.)`
const DOT_WORD = `(?:\\s{0,3}${OPEN}\\s{0,2}(?:${DOT_WORDS})\\s{0,2}${CLOSE}\\s{0,3}|\\s{1,2}(?:dot|punkt|punktum|kropka|punto|ponto|point|точка|nokta|tečka|tecka|bodka|piste)\\s{1,2})`
const AT_BARE =
  '(?:\\s{1,2}(?:at|AT|At|arroba|arobase|chiocciola|małpa|malpa|zavináč|zavinac|kukac|собака|snabel-a|apenstaartje)\\s{1,2}|\\s?@\\s|\\s@)'

const LOCAL_PARTS = `(${LOCAL}(?:${DOT_WORD}${LOCAL}){0,3})`
const DOMAIN_ANY = `(${LABEL}(?:${DOT_ANY}${LABEL}){1,4})`
const DOMAIN_WORD = `(${LABEL}(?:${DOT_WORD}${LABEL}){1,3})`

const BRACKETED = new RegExp(`${LOCAL_PARTS}${AT_BRACKET}${DOMAIN_ANY}`, 'giu')
const BARE_BOTH = new RegExp(`${LOCAL_PARTS}${AT_BARE}${DOMAIN_WORD}`, 'giu')
const BARE_AT = new RegExp(`(${LOCAL})${AT_BARE}(${LABEL}(?:\\s?\\.\\s?${LABEL}){1,4})`, 'gu')
/** `info@firma [dot] de`: the sign itself, and the dots in words. */
const SIGN_AND_WORDS = new RegExp(`(${LOCAL}(?:${DOT_WORD}${LOCAL}){0,3})\\s{0,2}@\\s{0,2}${DOMAIN_WORD}`, 'giu')

/** Ordinary words before "at": prose, not an address. */
const PROSE = new Set(
  'a an all and any are be been buy call came come contact email find follow go good great had has have he her him his hosted i in is it join live located look looking mail me meet more my new not now of on online only open order our out page people present read reach register see shop sign site stay store taken team than that the their them there they this those today us use visit was we website were what when where which who will with work working write you your available born based best check confused arrive arrived stop starts ends aimed price priced sold speak talk talks event party conference noon night end beginning'.split(
    ' ',
  ),
)

const DOT_WORDS_RE = new RegExp(DOT_WORD, 'giu')
const DOT_ANY_RE = new RegExp(DOT_ANY, 'giu')

/** Common first parts of addresses of firms: enough to believe a bare "at". */
const ROLE =
  /^(?:info|kontakt|contact|contacto|contatto|contato|office|mail|email|post|hello|hallo|hi|hola|sales|support|service|admin|team|press|presse|jobs|job|karriere|career|careers|booking|bookings|reservations?|reservierung|rezeption|reception|buero|biuro|sekretariat|secretary|secretariat|verwaltung|marketing|billing|webmaster|praxis|kanzlei|shop|bestellung|orders?|anfrage|enquiries|inquiries|editor|redaktion|vertrieb|verkauf|hr|datenschutz|privacy|abuse|postmaster|help|feedback|studio|hotel|restaurant)$/i

/** First parts of addresses that are words of prose too: "Shop at …". */
const DOES =
  /^(?:mail|email|contact|shop|orders?|post|help|team|service|support|studio|hotel|restaurant|press|jobs?|booking|feedback|reception|hi|hello|hallo)$/i

/** Whether a word before a bare "at" looks like the first part of an address and not like prose. */
const isHandle = (local: string) => ROLE.test(local) || /[.\d_]/.test(local)

/** What stands in the middle of each pattern: looked for first, because looking for first parts takes time at every word. */
const MIDDLE = new Map([
  [BRACKETED, new RegExp(AT_BRACKET.replace('\\s{0,3}', ''), 'giu')],
  [BARE_BOTH, new RegExp(AT_BARE, 'giu')],
  [BARE_AT, new RegExp(AT_BARE, 'gu')],
  [SIGN_AND_WORDS, /@/g],
])
/** Characters before and behind the middle that an address may take. */
const BEFORE = 300
const BEHIND = 400

/** The parts of a text in which a pattern may match; whole when its middle is not known. */
function* places(pattern: RegExp, text: string): Generator<{ from: number; to: number }> {
  const middle = MIDDLE.get(pattern)
  if (!middle) return yield { from: 0, to: text.length }
  let place: { from: number; to: number } | undefined
  for (const { index } of text.matchAll(middle)) {
    if (place && index - BEFORE <= place.to) place.to = index + BEHIND
    else {
      if (place) yield place
      place = { from: Math.max(0, index - BEFORE), to: index + BEHIND }
    }
  }
  if (place) yield place
}

function* matches(pattern: RegExp, text: string) {
  for (const { from, to } of places(pattern, text))
    for (const match of text.slice(from, to).matchAll(pattern)) {
      const [whole, local = '', domain = ''] = match
      yield { start: from + match.index, end: from + match.index + whole.length, whole, local, domain }
    }
}

/** The last words of what was taken for a local part: "write to john dot doe" begins at john. */
const joined = (local: string) => local.replace(DOT_WORDS_RE, '.').replace(/\s+/g, '')

function hit(local: string, domain: string, start: number, end: number): Hit | undefined {
  const found = domainAt(domain.replace(DOT_ANY_RE, '.').replace(/\s+/g, ''))
  const value = found && addressOf(joined(local), found.domain)
  return value ? { value, start, end } : undefined
}

/** Addresses whose signs are words, in a text that plainText() has been through. */
export function scanWords(text: string): Hit[] {
  const hits: Hit[] = []
  const take = (found: Hit | undefined) => {
    if (found && !hits.some((known) => found.start < known.end && known.start < found.end)) hits.push(found)
  }
  if (/[[({<«|*_~/\\-]\s{0,2}\S{1,14}\s{0,2}[\])}>»|*_~/\\-]/u.test(text))
    for (const { local, domain, start, end, whole } of matches(BRACKETED, text))
      if (isBracketed(whole)) take(hit(local, domain, start, end))
  // "works at Amazon dot com": a name of a firm, and a word that is nobody's.
  for (const { local, domain, start, end } of matches(BARE_BOTH, text))
    if (!PROSE.has(local.toLowerCase()) && (isHandle(local) || !/^\p{Lu}\p{Ll}/u.test(domain)))
      take(hit(local, domain, start, end))
  if (text.includes('@'))
    for (const { local, domain, start, end } of matches(SIGN_AND_WORDS, text)) take(hit(local, domain, start, end))
  for (const { local, domain, start, end, whole } of matches(BARE_AT, text)) {
    // A space before a dot of prose is the end of a sentence, unless the sign has spaces too.
    const isSpaced = /\s@\s|@\s/.test(whole)
    if (/\s/.test(domain) && !isSpaced) continue
    const isName = ROLE.test(local) && !DOES.test(local)
    const isLoud = /\sAT\s/.test(whole) && local !== local.toUpperCase() && !PROSE.has(local.toLowerCase())
    const isSigned = isSpaced && (ROLE.test(local) || !PROSE.has(local.toLowerCase()))
    if (isName || /[.\d_]/.test(local) || isLoud || isSigned) take(hit(local, domain, start, end))
  }
  return hits
}

/** Letters alone in brackets may be a remark: `(a)`, `[et]` count only close by, `-at-` only with letters around. */
function isBracketed(whole: string): boolean {
  const sign = new RegExp(`${OPEN}\\s{0,2}(${AT_WORDS})\\s{0,2}${CLOSE}`, 'iu').exec(whole)
  const word = sign?.[1]?.toLowerCase() ?? ''
  const [open, close] = [sign?.[0][0] ?? '', sign?.[0].at(-1) ?? '']
  const real = '[({<«'.includes(open)
  if (real !== '])}>»'.includes(close)) return false
  if (['a', 'et', 'bei', 'ad'].includes(word)) return real && !/\s[[(]|[\])]\s/.test(whole.slice(0, whole.length))
  return real || word !== 'a'
}
