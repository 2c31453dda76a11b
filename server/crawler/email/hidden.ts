import { decodeHTMLAttribute } from 'entities'
import type { PageContent } from '../page/read.ts'
import { type Hit, plainText, scan } from './scan.ts'
import { scanWords } from './words.ts'

/** What Cloudflare makes of an address and the fields behind it: hexadecimal, the first byte is the key (XOR), the rest is UTF-8. */
export function decodeCloudflare(hex: string): string | undefined {
  if (!/^(?:[0-9a-f]{2}){4,200}$/i.test(hex)) return undefined
  const bytes = Buffer.from(hex, 'hex')
  const key = bytes[0] ?? 0
  return Buffer.from(bytes.subarray(1).map((byte) => byte ^ key)).toString('utf8')
}

const CLOUDFLARE = /(?:data-cfemail=\\*["']?|email-protection#)((?:[0-9a-f]{2}){4,200})/gi

/** What Cloudflare hid in a text that holds mark-up: a script, a template, a comment. */
export function cloudflareIn(source: string): string[] {
  if (!/cfemail|email-protection/.test(source)) return []
  return [...source.matchAll(CLOUDFLARE)].flatMap(([, hex = '']) => decodeCloudflare(hex) ?? [])
}

export const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base)
  })

/** TYPO3 turns letters within their ranges by an offset that a page may keep to itself: the text begins with mailto:. */
export function decodeTypo3(text: string): string | undefined {
  const turn = (char: string, offset: number) => {
    const code = char.charCodeAt(0)
    for (const [low, high] of [
      [0x2b, 0x3a],
      [0x40, 0x5a],
      [0x61, 0x7a],
    ] as const)
      if (code >= low && code <= high) {
        const size = high - low + 1
        return String.fromCharCode(low + ((((code - low + offset) % size) + size) % size))
      }
    return char
  }
  for (let offset = -26; offset <= 26; offset++) {
    // Seven characters tell whether it is the right one.
    if ([...text.slice(0, 7)].map((char) => turn(char, offset)).join('') !== 'mailto:') continue
    return [...text].map((char) => turn(char, offset)).join('')
  }
  return undefined
}

/** A text in Base64, when it is one and holds readable characters only. */
export function decodeBase64(text: string): string | undefined {
  const bare = text.trim()
  if (bare.length < 8 || bare.length > 4_000 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare) || bare.length % 4 === 1)
    return undefined
  const decoded = Buffer.from(bare, 'base64').toString('utf8')
  return /^[\t\n\r\x20-\x7e\u00a0-\u024f]+$/.test(decoded) ? decoded : undefined
}

/** Percent-encoding undone as far as it is right; anything else stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return Buffer.from(run.replace(/%/g, ''), 'hex').toString('latin1')
    }
  })
}

const both = (text: string): Hit[] => {
  const plain = plainText(decodeHTMLAttribute(decodePercent(text)))
  return [...scan(plain), ...scanWords(plain)]
}

/** Addresses in one attribute: as they are, in words, turned by 13, in Base64, by Cloudflare or TYPO3. */
export function scanAttribute(name: string, value: string): { hits: Hit[]; encoded: boolean } {
  if (name === 'data-cfemail') {
    const decoded = decodeCloudflare(value)?.replace(/\?.*$/s, '')
    return { hits: decoded ? scan(decoded) : [], encoded: true }
  }
  if (name === 'data-mailto-token') {
    const decoded = decodeTypo3(value)
    return { hits: decoded ? scan(decoded.slice(7)) : [], encoded: true }
  }
  const turnedBack = /rot|cipher|crypt/.test(name) ? both(rot13(value)) : []
  if (turnedBack.length > 0) return { hits: turnedBack, encoded: true }
  const direct = both(unescapeCode(value))
  if (direct.length > 0 || !name.startsWith('data-')) return { hits: direct, encoded: false }
  // Turned are the letters of the address; the sign in brackets is put in afterwards.
  const sign = value.replace(/[[(]\s*at\s*[\])]/gi, '@')
  const turned = sign.includes('@') && value.length < 200 ? both(rot13(sign)) : []
  if (turned.length > 0) return { hits: turned, encoded: true }
  const decoded = decodeBase64(value)
  const backwards = value.includes('@') && value.length < 200 ? both([...value].reverse().join('')) : []
  return { hits: decoded ? both(decoded) : backwards, encoded: true }
}

/** `\u0040`, `\x40` and `\/` of scripts and JSON, also written twice. */
export function unescapeCode(text: string): string {
  if (!text.includes('\\')) return text
  return text
    .replace(/\\+u\{?00([0-9a-f]{2})\}?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+u\{0{0,4}([0-9a-f]{2})\}/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+([nrt])/g, ' ')
    .replace(/\\+(["'/])/g, '$1')
}

const USER =
  /^data-(?:.*-)?(?:user|name|u|local|localpart|account|login|mailbox|id|part1|first|before|email-user|email|e|mail|n|address|to)$/
const HOST = /^data-(?:.*-)?(?:domain|host|d|site|server|dom|part2|second|after|provider|h)$/
const ENDING = /^data-(?:.*-)?(?:tld|ext|suffix|t|zone|part3|third)$/

/** Addresses spread over several data attributes of one element: `data-user="info" data-domain="firma.de"`. */
export function scanSpread(spread: PageContent['spread']): Hit[] {
  return spread.flatMap((attributes) => {
    const entries = Object.entries(attributes).filter(([name]) => name.startsWith('data-'))
    const find = (pattern: RegExp) => entries.find(([name]) => pattern.test(name))?.[1]
    const [user, host, ending] = [find(USER), find(HOST), find(ENDING)]
    if (!user || !host || /[@\s]/.test(user)) return []
    const domain = ending && !host.endsWith(ending) ? `${host}.${ending.replace(/^\./, '')}` : host
    const [straight] = both(`${user}@${domain.replace(/^@/, '')}`)
    if (straight) return [straight]
    const reverse = (text: string) => [...text].reverse().join('')
    return both(`${reverse(user)}@${reverse(domain)}`).slice(0, 1)
  })
}
