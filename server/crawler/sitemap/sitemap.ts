import { decodeXML } from 'entities'
import { canonicalUrl } from '../frontier/urls.ts'

/** What a site map names: pages, or further site maps when it is an index (sitemaps.org, 0.9). */
export interface SiteMap {
  pages: string[]
  maps: string[]
}

const MAX_ADDRESSES = 50_000

/** Reads a site map in XML or one address a line. Whatever it holds, an answer comes: what is no address is skipped. */
export function readSiteMap(text: string, base: string): SiteMap {
  const isXml = /<(?:\w+:)?(?:urlset|sitemapindex|url|sitemap)\b/i.test(text.slice(0, 20_000))
  const isIndex = /<(?:\w+:)?sitemapindex\b/i.test(text.slice(0, 20_000))
  const found = new Set<string>()
  const add = (given: string) => {
    const address = canonicalUrl(given, base)
    if (address) found.add(address)
    return found.size < MAX_ADDRESSES
  }
  if (isXml) {
    for (const [, given = ''] of text.matchAll(/<loc\b[^>]{0,100}>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,2100})/gi))
      if (!add(decodeXML(given.trim()))) break
  } else if (!/^\s*</.test(text)) {
    for (const line of text.split(/\r\n|\r|\n/)) if (/^\s*https?:\/\//i.test(line) && !add(line.trim())) break
  }
  return isIndex ? { pages: [], maps: [...found] } : { pages: [...found], maps: [] }
}
