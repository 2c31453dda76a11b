import { decodeHTMLAttribute } from 'entities'
import { findOwners, type Owner } from '../owners.ts'
import type { PageContent } from '../page/read.ts'
import { statedIn } from '../structured.ts'
import type { Finding, Method } from '../types.ts'
import {
  cloudflareIn,
  decodeBase64,
  decodeCloudflare,
  decodePercent,
  decodeTypo3,
  scanAttribute,
  scanSpread,
  unescapeCode,
} from './hidden.ts'
import { type Hit, plainText, scan } from './scan.ts'
import { extractScriptTexts } from './script.ts'
import { scanWords } from './words.ts'

const SURE: Record<Method, number> = {
  link: 0.99,
  structured: 0.98,
  text: 0.96,
  encoded: 0.95,
  attribute: 0.85,
  words: 0.85,
  script: 0.75,
  comment: 0.5,
}

const AROUND = 80
/** The words around a place of a text, on one line. */
export function around(text: string, start: number, end: number): string {
  return text
    .slice(Math.max(0, start - AROUND), end + AROUND)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Gathers findings; of the same address the surest way of finding counts, and names are taken from any. */
class Basket {
  readonly found = new Map<string, Finding>()
  add(value: string, method: Method, context: string, who: { name: string; organization: string } = NOBODY): void {
    const key = value.toLowerCase()
    const known = this.found.get(key)
    if (!known) {
      this.found.set(key, { kind: 'email', value, method, confidence: SURE[method], context, ...who })
      return
    }
    known.name ||= who.name
    known.organization ||= who.organization
    if (SURE[method] <= known.confidence) return
    known.method = method
    known.confidence = SURE[method]
    if (context) known.context = context
  }

  /** Names those that have no name yet. */
  belongs(values: string[], { name, organization }: { name: string; organization: string }): void {
    for (const value of values) {
      const known = this.found.get(value.toLowerCase())
      if (!known) continue
      known.name ||= name
      known.organization ||= organization
    }
  }
}

const NOBODY = { name: '', organization: '' }

/** The recipients of a mailto link (RFC 6068): its path and the fields to, cc and bcc. */
export function mailtoAddresses(href: string): string[] {
  const bare = decodeHTMLAttribute(href).replace(/^mailto:\s*(?:\/\/)?/i, '')
  const [path = '', query = ''] = bare.split(/\?(.*)/s)
  const fields = query
    .split(/&(?:amp;)?/)
    .filter((field) => /^(to|cc|bcc)=/i.test(field))
    .map((field) => field.slice(field.indexOf('=') + 1))
  return [path, ...fields].flatMap((list) => {
    const text = plainText(decodePercent(list.replaceAll('+', '%2B')))
    return [...scan(text), ...scanWords(text)].map((hit) => hit.value)
  })
}

function fromActions(page: PageContent, basket: Basket): void {
  const seen = new Set<string>()
  for (const { href, text } of page.actions) {
    if (seen.has(href)) continue
    seen.add(href)
    if (/^mailto:/i.test(href)) for (const value of mailtoAddresses(href)) basket.add(value, 'link', text)
    else if (/^javascript:/i.test(href)) {
      const code = decodePercent(href.slice(11))
      const cloaked = /UnCryptMailto\(\s*['"]([^'"]+)['"]/i.exec(code)?.[1]
      const mailto = cloaked && decodeTypo3(unescapeCode(cloaked))
      if (mailto) for (const value of mailtoAddresses(mailto)) basket.add(value, 'encoded', text)
      else
        for (const made of extractScriptTexts(code))
          for (const hit of scan(plainText(made))) basket.add(hit.value, 'script', text)
    } else if (/^(?:skype|sip|xmpp|im|msteams):/i.test(href)) continue
    else
      for (const hit of scan(plainText(decodePercent(href.replace(/^[a-z]+:\/\/\S*/i, '')))))
        basket.add(hit.value, 'attribute', text)
  }
  // Whom a page writes to; what it was opened with (`?email=`) is somebody else's.
  for (const query of page.queries)
    for (const [, value = ''] of query.matchAll(/[?&;](?:to|cc|bcc|src|recipients?|mailto)=([^&;]+)/gi))
      for (const hit of scan(plainText(decodePercent(value)))) basket.add(hit.value, 'attribute', '')
  for (const { url, text } of page.links) {
    const hex = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i.exec(url)?.[1]
    const decoded = hex && decodeCloudflare(hex)
    if (decoded) for (const value of mailtoAddresses(decoded)) basket.add(value, 'encoded', text)
  }
}

/** What stands before the sign of an address from behind, of the endings met most. */
const TURNED_DOMAIN =
  /(?<![\w.@-])(?:moc|gro|ten|ofni|zib|ved|ppa|vog|ude|ue|ed|ta|hc|rf|ti|se|ln|eb|ku|lp|zc|kd|on|if|tp|ei|ua|zn|ac|rb|xm|oi|oc|as)\.[\w-]{2,40}(?:\.[\w-]{2,40}){0,2}$/
const MAX_TURNED = 1_000

/** Addresses from behind that a style sheet elsewhere turns round: `ed.amrif@ofni`. */
function turnedIn(text: string): string[] {
  const found: string[] = []
  let at = text.indexOf('@')
  for (let i = 0; at >= 0 && i < MAX_TURNED; i++) {
    const domain = TURNED_DOMAIN.exec(text.slice(Math.max(0, at - 130), at))?.[0]
    const local = domain && /^[\w.+-]{2,40}(?![\w@.-])/.exec(text.slice(at + 1, at + 44))?.[0]
    if (local && !/\.[a-z]{2,}$/i.test(local)) found.push(`${domain}@${local}`)
    at = text.indexOf('@', at + 1)
  }
  return found
}

const PERCENT = /(^|[\s"'>:(])([\w.+-]{1,64})%40(?=[\w-]+\.)/g

/** What a page of data shows as it is written: `info\\u0040firma.de`, `info%40firma.de`. */
function unescaped(text: string): string {
  const plain = /\\[ux]/.test(text) ? unescapeCode(text) : text
  return plain.includes('%40') ? plain.replace(PERCENT, '$1$2@') : plain
}

function fromText(page: PageContent, basket: Basket): void {
  // Escaped twice, a reference is there to be read.
  const text = unescaped(plainText(decodeHTMLAttribute(page.text)))
  const note = (hits: Hit[], method: Method) => {
    for (const hit of hits) basket.add(hit.value, method, around(text, hit.start, hit.end))
  }
  const plain = scan(text)
  note(plain, 'text')
  note(
    scanWords(text).filter((hit) => !plain.some((known) => known.start < hit.end && hit.start < known.end)),
    'words',
  )
  for (const turned of turnedIn(text)) {
    const [hit] = scan([...turned].reverse().join(''))
    if (hit) basket.add(hit.value, 'encoded', turned)
  }
  for (const turned of page.reversed) {
    const forward = plainText(turned)
    const backward = [...forward].reverse().join('')
    const read = [...scan(backward), ...scanWords(backward)]
    note(read.length > 0 ? read : scan(forward), 'encoded')
  }
}

/** What an attribute holds at least when an address stands in it. */
const MAY_HOLD =
  /@|%40|&#|\[|\(|\bat\b|ät|arroba|arobase|chiocciola|ma[łl]pa|kukac|собака|snabel|krøll|ape(?:n)?staart|zavin/i

function fromCode(page: PageContent, broken: string[], prose: string[], basket: Basket): void {
  for (const { name, value } of page.attributes) {
    if (!MAY_HOLD.test(value) && !name.startsWith('data-')) continue
    const { hits, encoded } = scanAttribute(name, value)
    for (const hit of hits) basket.add(hit.value, encoded ? 'encoded' : 'attribute', '')
    if (name.startsWith('on')) fromScript(value, basket)
  }
  for (const hit of scanSpread(page.spread)) basket.add(hit.value, 'encoded', '')
  for (const script of [...page.scripts, ...broken]) fromScript(script, basket)
  for (const [texts, method] of [
    [page.comments, 'comment'],
    [page.templates, 'script'],
    [prose, 'structured'],
  ] as const)
    for (const one of texts) {
      const text = plainText(decodeHTMLAttribute(one))
      for (const hidden of cloudflareIn(one))
        for (const value of mailtoAddresses(hidden)) basket.add(value, 'encoded', '')
      for (const hit of scan(text)) basket.add(hit.value, method, around(text, hit.start, hit.end))
    }
}

function fromScript(source: string, basket: Basket): void {
  const cloaked = /UnCryptMailto\(\s*['"]([^'"]+)['"]/i.exec(source)?.[1]
  const mailto = cloaked && decodeTypo3(unescapeCode(cloaked))
  if (mailto) for (const value of mailtoAddresses(mailto)) basket.add(value, 'encoded', '')
  for (const hidden of cloudflareIn(source))
    for (const value of mailtoAddresses(hidden)) basket.add(value, 'encoded', '')
  for (const made of extractScriptTexts(source)) {
    const decoded = /^[\w+/=-]{12,400}$/.test(made) ? decodeBase64(made) : undefined
    // Tags inside a text a script writes are no part of an address.
    const text = plainText((decoded ?? made).replace(/<[^>]{0,2000}>/g, (tag) => (/href/i.test(tag) ? ` ${tag} ` : '')))
    for (const hit of scan(text)) basket.add(hit.value, 'script', '')
  }
}

/** Without those that are another one with the end of a word in front of it: `<b>Adler</b><a>praxis@dr-adler.info</a>`. */
function unglued(findings: Finding[]): Finding[] {
  const linked = findings.filter(({ method }) => method === 'link' || method === 'structured' || method === 'encoded')
  return findings.filter(({ method, value }) => {
    const longer = value.toLowerCase()
    return (
      method !== 'text' ||
      !linked.some((one) => longer !== one.value.toLowerCase() && longer.endsWith(one.value.toLowerCase()))
    )
  })
}

/** The addresses in what belongs to somebody. */
function emailsIn({ text, links }: Owner): string[] {
  const plain = plainText(decodeHTMLAttribute(text))
  return [
    ...scan(plain).map(({ value }) => value),
    ...scanWords(plain).map(({ value }) => value),
    ...links.filter((href) => /^mailto:/i.test(href)).flatMap(mailtoAddresses),
  ]
}

/** The e-mail addresses of a page, each once, with the surest way it was found. */
export function findEmails(page: PageContent): Finding[] {
  const basket = new Basket()
  const { stated, broken, prose } = statedIn(page)
  for (const { property, value, name, organization } of stated)
    if (property === 'email')
      for (const address of mailtoAddresses(value)) basket.add(address, 'structured', name, { name, organization })
  fromActions(page, basket)
  fromText(page, basket)
  fromCode(page, broken, prose, basket)
  for (const owner of findOwners(page)) basket.belongs(emailsIn(owner), owner)
  const organization = page.siteName
  return unglued([...basket.found.values()]).map((finding) => ({
    ...finding,
    organization: finding.organization || organization,
  }))
}
