import { decodePercent } from '../email/hidden.ts'

/** Names of parameters that say who came and from where, and never what is shown. */
const TRACKING =
  /^(?:utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl|_hs\w+|hsctatracking|vero_\w+|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|osclid|osCsid|zenid|replytocom|_wpnonce|cachebuster)$/i
/** Names that stand for a visit when their value is made by a machine; `sid=12` may be a page. */
const VISIT = /^(?:s|sid|sess|sessid|session|sessionid|session_id|token|nonce|csrf\w*|timestamp|ts|rand|random|cb|_)$/i
const MADE = /^(?=.*\d)[\w-]{16,}$|^\d{10,}$|^0\.\d+$/

const isOfVisit = (name: string, value: string) => TRACKING.test(name) || (VISIT.test(name) && MADE.test(value))

/** Files that hold no page. */
const FILE =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|map|json|xml|rss|atom|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|flac|avi|mov|mkv|zip|rar|7z|gz|tgz|bz2|xz|tar|exe|dmg|msi|apk|iso|bin|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|epub|pdf|ics|vcf|psd|ai|eps|dwg|swf)$/i

const MAX_LENGTH = 2_000
const MAX_PARAMETERS = 8
const DEEPEST_PATH = 16

/**
 * An address as it is compared and asked for: without fragment, session and tracking parameters, parameters in order. What
 * may select a page stays. undefined: it is none that a crawler goes to (another scheme, credentials in it, not an address).
 */
export function canonicalUrl(href: string, base?: string): string | undefined {
  const url = URL.parse(href.trim(), base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) return undefined
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  if (/;|\/\//.test(url.pathname))
    url.pathname = url.pathname.replace(/;(?:jsessionid|sid|phpsessid)=[^/]*/gi, '').replace(/\/{2,}/g, '/')
  if (url.search) {
    const kept = [...url.searchParams].filter(([name, value]) => !isOfVisit(name, value))
    kept.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    url.search = new URLSearchParams(kept).toString()
  } else url.search = ''
  return url.href
}

/** Why an address is not worth a request; undefined when it is. Traps are calendars, paths in circles, filters of shops. */
export function findTrap(address: string): string | undefined {
  if (address.length > MAX_LENGTH) return 'its address is too long'
  const url = new URL(address)
  if (FILE.test(url.pathname)) return 'it is a file, not a page'
  const segments = url.pathname.split('/').filter(Boolean)
  if (segments.length > DEEPEST_PATH) return 'its path is too deep'
  if (isCircle(segments)) return 'its path goes in circles'
  const names = [...url.searchParams.keys()]
  if (names.length > MAX_PARAMETERS) return 'it has too many parameters'
  if (names.some((name) => names.filter((other) => other === name).length > 5)) return 'a parameter is repeated'
  if (isFarDate(url)) return 'it is a page of a calendar'
  if (
    /\/(?:login|logout|signin|signout|wp-login|wp-admin|cart|checkout|warenkorb|basket|add-to-cart)(?:\/|\.php|$)/i.test(
      url.pathname,
    )
  )
    return 'it is not a page with content'
  return undefined
}

/** `/a/b/a/b/a/b` and `/x/x/x`: the same run of parts three times, or one part more than four times. */
function isCircle(segments: string[]): boolean {
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  if (Math.max(0, ...counts.values()) > 4) return true
  for (let size = 1; size * 3 <= segments.length; size++)
    for (let from = 0; from + size * 3 <= segments.length; from++) {
      const run = segments.slice(from, from + size).join('/')
      const second = segments.slice(from + size, from + size * 2).join('/')
      if (run === second && run === segments.slice(from + size * 2, from + size * 3).join('/')) return true
    }
  return false
}

/** Calendars go on for ever: only years near this one are pages somebody wrote. */
function isFarDate(url: URL): boolean {
  const year = Number(
    /(?:^|[/=_-])((?:1[89]|2[0-9])\d{2})[-/](?:0?[1-9]|1[0-2])(?:[-/]|$|&)/.exec(url.pathname + url.search)?.[1],
  )
  const now = new Date().getUTCFullYear()
  return year > now + 2 || year < 1995
}

const CONTACT =
  /contact|kontakt|impressum|imprint|about|ueber-?uns|über-?uns|legal|mentions|a-propos|contatt|chi-siamo|contacto|quienes|aviso|colofon|over-ons|om-oss|o-nas|team|staff|people|ansprechpartner|standort|locations?|support|service|press|presse|privacy|datenschutz|jobs|karriere|career/i

/** How soon a page is worth asking for: 0 contact pages, 1 near the root, 2 the rest. */
export function pagePriority(address: string, text: string): 0 | 1 | 2 {
  const { pathname } = new URL(address)
  if (CONTACT.test(decodePercent(pathname)) || CONTACT.test(text)) return 0
  return pathname.split('/').filter(Boolean).length <= 1 ? 1 : 2
}
