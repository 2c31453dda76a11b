import { joinAddress } from './address.ts'
import { domainAt, type Hit } from './scan.ts'

/** The sign in words, as people write it so that robots do not see it. */
const AT_WORDS =
  'at|@t|at-sign|a t|ät|aet|@|arroba|arobase|arobas|chiocciola|małpa|malpa|zavináč|zavinac|kukac|snabel-?a|snabela|alfakrøll|krøllalfa|apenstaartje|apestaart|a commercial|собака|собачка|at sign|at-zeichen|klammeraffe|kuyruklu a|güzel a|et işareti|arond|coada de maimuta|arrova|a bildua|afna|ätt|eta|manki|majmun|маймунско а|кльомба|равлик|эт|παπάκι|שטרודל|アット(?:マーク)?|あっと(?:まーく)?|골뱅이|艾特|a còng|ätmerkki|miukumauku|et|bei|a|ad|ad mark'
const DOT_WORDS =
  'dot|d o t|d0t|punkt|pkt|point|punto|ponto|kropka|tečka|tecka|bodka|piste|pont|nokta|точка|prick|punt|punktum|punct|točka|tačka|tocka|pika|punkts|taškas|puntu|chấm|titik|крапка|τελεία|נקודה|ドット|どっと|닷|점|点|點|period|\\.|·|•'
const OPEN = '[\\[({<«「『【《〔"“„\'‘|*_~=+/\\\\-]{1,2}'
const CLOSE = '[\\])}>»」』】》〕"”“\'’|*_~=+/\\\\-]{1,2}'

/** Words for the dot that need no brackets, between the parts of an address. */
const BARE_DOT =
  'dot|punkt|punktum|punct|točka|tačka|pika|taškas|titik|kropka|punto|ponto|point|pont|punt|prikk|prick|точка|крапка|nokta|tečka|tecka|bodka|piste|τελεία'
const LOCAL = "[\\p{Script=Latin}\\d][\\p{Script=Latin}\\d._%+'-]{0,60}"
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,60}[\\p{L}\\p{N}])?'
/** In brackets, with or without spaces: `info [at] firma`, `info(at)firma`, `info <at> firma`. */
const AT_BRACKET = `\\s{0,3}${OPEN}\\s{0,2}(?:${AT_WORDS})\\s{0,2}${CLOSE}\\s{0,3}`
/** A dot that may be a word in brackets, a sign with spaces around it, or itself. */
const DOT_ANY = `(?:\\s{0,3}${OPEN}\\s{0,2}(?:${DOT_WORDS})\\s{0,2}${CLOSE}\\s{0,3}|\\s{1,2}(?:${BARE_DOT})\\s{1,2}|\\s?\\.\\s?(?=[\\p{L}\\p{N}])|\\.)`
const DOT_WORD = `(?:\\s{0,3}${OPEN}\\s{0,2}(?:${DOT_WORDS})\\s{0,2}${CLOSE}\\s{0,3}|\\s{1,2}(?:${BARE_DOT})\\s{1,2})`
const AT_BARE =
  '(?:\\s{1,2}(?:at|AT|At|ät|Ät|ÄT|arroba|ARROBA|arobase|AROBASE|chiocciola|małpa|malpa|zavináč|zavinac|kukac|собака|собачка|snabel-a|snabela|krøllalfa|alfakrøll|apenstaartje|apestaartje|arond|arrova|afna|παπάκι)\\s{1,2}|\\s?@\\s|\\s@)'

/** A dot as a word in brackets: who writes it so writes addresses. */
const DOT_BRACKET = new RegExp(`${OPEN}\\s{0,2}(?:${DOT_WORDS.replace('|\\.|·|•', '')})\\s{0,2}${CLOSE}`, 'iu')

const LOCAL_PARTS = `(${LOCAL}(?:${DOT_WORD}${LOCAL}){0,3})`
const DOMAIN_ANY = `(${LABEL}(?:${DOT_ANY}${LABEL}){1,4})`
const DOMAIN_WORD = `(${LABEL}${DOT_WORD}${LABEL}(?:(?:${DOT_WORD}|\\.)${LABEL}){0,3})`

const BRACKETED = new RegExp(`${LOCAL_PARTS}${AT_BRACKET}${DOMAIN_ANY}`, 'giu')
const BARE_BOTH = new RegExp(`${LOCAL_PARTS}${AT_BARE}${DOMAIN_WORD}`, 'giu')
const BARE_AT = new RegExp(`(${LOCAL})${AT_BARE}(${LABEL}(?:\\s?\\.\\s?${LABEL}){1,4})`, 'gu')
/** Any sign, with the beginning of a domain behind it. */
const SIGN = new RegExp(`(?:${AT_BRACKET}|${AT_BARE}|@)\\s{0,2}(?=${LABEL}${DOT_ANY}[\\p{L}\\p{N}])`, 'giu')
/** `info@firma [dot] de`: the sign itself, and the dots in words. */
const SIGN_AND_WORDS = new RegExp(`(${LOCAL}(?:${DOT_WORD}${LOCAL}){0,3})\\s{0,2}@\\s{0,2}${DOMAIN_WORD}`, 'giu')

/** Ordinary words before "at": prose, not an address. */
const PROSE = new Set(
  'a an all and any are be been buy call came come contact email find follow go good great had has have he her him his hosted i in is it join live located look looking mail me meet more my new not now of on online only open order our out page people present read reach register see shop sign site stay store taken team than that the their them there they this those today us use visit was we website were what when where which who will with work working write you your available born based best check confused arrive arrived stop starts ends aimed price priced sold speak talk talks event party conference noon night end beginning'.split(
    ' ',
  ),
)

/** "Wir treffen uns (at) Bahnhof. Dot, dot": a full stop. */
const ENDS_SENTENCE = /^[\p{L}\p{N}-]+\.\s\p{Lu}/u

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

function* matches(pattern: RegExp, text: string) {
  for (const match of text.matchAll(pattern)) {
    const [whole, local = '', domain = ''] = match
    yield { start: match.index, end: match.index + whole.length, whole, local, domain }
  }
}

/** The last words of what was taken for a local part: "write to john dot doe" begins at john. */
const joined = (local: string) => local.replace(DOT_WORDS_RE, '.').replace(/\s+/g, '')

function hit(local: string, domain: string, start: number, end: number): Hit | undefined {
  const found = domainAt(domain.replace(DOT_ANY_RE, '.').replace(/\s+/g, ''))
  const value = found && joinAddress(joined(local), found.domain)
  return value ? { value, start, end } : undefined
}

const STANDS_FOR =
  /([^\s\p{L}\p{N}@.,;:"'「」“”„<>&=()[\]{}]{1,3}|[[({<][^\s@\])}>]{1,12}[\])}>])["'」”)]{0,2}\s{0,2}(?:=|→|->|⇒|を|は|为|換成|换成|改为|改成|with|by|durch|mit|par|por|con|door|na|na znak|für|for|med|ile|на)\s{0,2}(?:an?\s|ein\s|半角の?)?["'「„“(]{0,2}@/giu

/** Addresses with a sign that the page says to put @ for: `info★firma.jp (★を@に…)`, "replace # with @". */
function scanReplaced(text: string): Hit[] {
  if (!text.includes('@')) return []
  const signs = new Set([...text.matchAll(STANDS_FOR)].slice(0, 5).map(([, sign = '']) => sign))
  return [...signs].flatMap((sign) => {
    const escaped = RegExp.escape(sign)
    const pattern = new RegExp(`(${LOCAL})\\s?${escaped}\\s?(${LABEL}(?:\\.${LABEL}){1,4})`, 'giu')
    return [...matches(pattern, text)].flatMap(({ local, domain, start, end }) => hit(local, domain, start, end) ?? [])
  })
}

/** What comes before a sign, and behind it, is looked at as far as an address can reach. */
const BEFORE = 200
const BEHIND = 320
/** Signs of one text that are looked at: a page of more is no list of people. */
const MAX_SIGNS = 3_000

interface Words {
  whole: string
  local: string
  domain: string
  /** What follows. */
  rest: string
}

/** The ways to write an address in words, and what else must hold for it to be one. */
const WAYS: { pattern: RegExp; isMeant(words: Words): boolean }[] = [
  {
    pattern: BRACKETED,
    isMeant: ({ whole, local, domain }) => isBracketed(whole, local) && !ENDS_SENTENCE.test(domain),
  },
  // "works at Amazon dot com": a name of a firm, and a word that is nobody's.
  {
    pattern: BARE_BOTH,
    isMeant: ({ local, domain, rest }) =>
      !PROSE.has(local.toLowerCase()) && !isPath(rest) && (isHandle(local) || !/^\p{Lu}\p{Ll}/u.test(domain)),
  },
  // "Contact me @ twitter dot com slash joe"
  { pattern: SIGN_AND_WORDS, isMeant: ({ local, rest }) => !PROSE.has(local.toLowerCase()) && !isPath(rest) },
  { pattern: BARE_AT, isMeant: isBareMeant },
]

const isPath = (rest: string) => /^\s?(?:slash\b|\/)/i.test(rest)

function isBareMeant({ whole, local, domain }: Words): boolean {
  // A space before a dot of prose is the end of a sentence, unless the sign has spaces too.
  const isSpaced = /\s@\s|@\s/.test(whole)
  if (/\s/.test(domain) && !isSpaced) return false
  const isProse = PROSE.has(local.toLowerCase())
  const isName = ROLE.test(local) && !DOES.test(local)
  const isLoud = /\sAT\s/.test(whole) && local !== local.toUpperCase() && (ROLE.test(local) || !isProse)
  const isSigned = isSpaced && (ROLE.test(local) || !isProse)
  return isName || /[.\d_]/.test(local) || isLoud || isSigned
}

/** Addresses whose signs are words, in a text that plainText() has been through. */
export function scanWords(text: string): Hit[] {
  const hits = scanReplaced(text)
  let least = 0
  let signs = 0
  // Outwards from each sign that a domain follows: other words are only passed over.
  for (const { index } of text.matchAll(SIGN)) {
    if (index < least) continue
    if (++signs > MAX_SIGNS) break
    const from = Math.max(0, index - BEFORE)
    const around = text.slice(from, index + BEHIND)
    const found = findFirst(around, index - from)
    if (!found) continue
    hits.push({ value: found.value, start: found.start + from, end: found.end + from })
    least = found.end + from
  }
  return hits
}

/** The address around a sign, the first way to read it that holds. */
function findFirst(text: string, sign: number): Hit | undefined {
  for (const { pattern, isMeant } of WAYS)
    for (const { start, end, ...words } of matches(pattern, text)) {
      if (start > sign) break
      if (end <= sign || !isMeant({ ...words, rest: text.slice(end, end + 8) })) continue
      const found = hit(words.local, words.domain, start, end)
      if (found) return found
    }
  return undefined
}

/** Letters alone in brackets may be a remark: `(a)`, `[et]` count only close by, `-at-` only with letters around. */
function isBracketed(whole: string, local: string): boolean {
  const sign = new RegExp(`${OPEN}\\s{0,2}(${AT_WORDS})\\s{0,2}${CLOSE}`, 'iu').exec(whole)
  const word = sign?.[1]?.toLowerCase() ?? ''
  const [open, close] = [sign?.[0][0] ?? '', sign?.[0].at(-1) ?? '']
  const real = '[({<«「『【《〔"“„\'‘'.includes(open)
  if (real !== '])}>»」』】》〕"”“\'’'.includes(close)) return false
  if (['a', 'et', 'bei', 'ad'].includes(word))
    return real && (!/\s[[(]|[\])]\s/.test(whole) || DOT_BRACKET.test(whole) || isHandle(local))
  return real || word !== 'a'
}
