import { COLLECTOR_LIMITS } from '#contracts/collector/collector.ts'

/** What a text of addresses holds. */
export interface Addresses {
  /** As they were written, each once, up to the limit. */
  urls: string[]
  /** How many sites they are on. */
  sites: number
  /** What is no address, as it was written. */
  wrong: string[]
  /** Written more than once. */
  repeated: number
  /** Beyond what one crawl job takes. */
  over: number
}

/** Quotes and brackets around an address, and the sign that ends the sentence it stood in. */
const AROUND = /^["'<([{]+|["'>)\]}.,;:!?]+$/g

/**
 * Reads pages and sites out of what somebody pasted or a file holds: one a line, or with commas, semicolons or blanks
 * between; the scheme may be skipped. What only looks like words stays together, so that it can be named.
 */
export function readAddresses(text: string): Addresses {
  const found = new Map<string, string>()
  const sites = new Set<string>()
  const wrong: string[] = []
  let repeated = 0
  let over = 0
  for (const part of text.split(/[\r\n,;\t|]+/)) {
    const words = part.trim().split(/\s+/).filter(Boolean)
    const bad: string[] = []
    for (const word of words) {
      const bare = word.replace(AROUND, '')
      const url = parseAddress(bare)
      if (!url) bad.push(word)
      else if (found.has(url.key)) repeated++
      else if (found.size >= COLLECTOR_LIMITS.urls) over++
      else {
        found.set(url.key, bare)
        sites.add(url.site)
      }
    }
    if (bad.length > 0) wrong.push(bad.join(' ').slice(0, 200))
  }
  return { urls: [...found.values()], sites: sites.size, wrong, repeated, over }
}

function parseAddress(word: string): { key: string; site: string } | undefined {
  // mailto:, ftp: and the like; "host:8080" is no scheme.
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(word) && !/^https?:\/\//i.test(word)) return undefined
  const url = URL.parse(/^https?:/i.test(word) ? word : `https://${word.replace(/^\/\//, '')}`)
  if (url?.username !== '' || word.length > 2_000) return undefined
  const host = url.hostname.replace(/\.$/, '')
  const isName = /\.(?:[a-z]{2,}|xn--[a-z\d-]+)$/i.test(host)
  const isNumber = /^(?:\d+\.){3}\d+$/.test(host) || host.startsWith('[')
  // "3.5" is a number of the web's own spelling and a price to everybody else.
  if (!isName && !(isNumber && word.includes(url.hostname)) && host !== 'localhost') return undefined
  url.hash = ''
  return { key: url.href, site: url.host.replace(/^www\./, '') }
}
