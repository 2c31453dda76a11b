import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { findEmails } from '../email/emails.ts'
import { decodePage } from '../fetch/decode.ts'
import { canonicalUrl, pagePriority } from '../frontier/urls.ts'
import { findNotice, type Notice } from '../notice/notices.ts'
import { type PageContent, readPage } from '../page/read.ts'
import { findPhones } from '../phone/phones.ts'
import { readSiteMap, type SiteMap } from '../sitemap/sitemap.ts'
import type { Finding } from '../types.ts'

/** A page as it came, for the reading thread. */
export interface ReadTask {
  url: string
  contentType: string
  bytes: Uint8Array
  country?: string | undefined
  kind?: 'email' | 'phone' | undefined
}

/** What a crawl needs to know of a page. */
export interface Digest {
  title: string
  /** What the page's own mark-up says to robots, in lower case, such as `noindex,nofollow`. */
  robots: string
  /** The address that the page names as its own, when it names another one. */
  canonical: string | undefined
  notice: Notice | undefined
  findings: Finding[]
  links: { url: string; priority: 0 | 1 | 2 }[]
  /** SHA-256 of title, text and links. */
  contentHash: Uint8Array
  /** Of the text without its digits: pages of a trap differ in them only. */
  likeness: string
}

const MAX_LINKS = 1_000
/** Frames and moved pages: links that are no `a`. */
const FRAMES = /<i?frame\b[^>]{0,500}?\bsrc\s*=\s*["']?([^"'\s>]{1,2000})/gi
const REFRESH = /<meta\b[^>]{0,200}?http-equiv\s*=\s*["']?refresh\b[^>]{0,200}?\burl\s*=\s*["']?([^"'\s>]{1,2000})/i

function collectLinks(page: PageContent, html: string, base: string): Digest['links'] {
  const found = new Map<string, 0 | 1 | 2>()
  const add = (href: string, text: string) => {
    const url = found.size < MAX_LINKS ? canonicalUrl(href, base) : undefined
    if (url === undefined) return
    const known = found.get(url)
    if (known === undefined || (known > 0 && text)) found.set(url, pagePriority(url, text))
  }
  for (const { url, nofollow, text } of page.links) if (!nofollow) add(url, text)
  const moved = REFRESH.exec(html.slice(0, 20_000))?.[1]
  if (moved) add(moved, '')
  if (/<i?frame\b/i.test(html)) for (const [, source = ''] of html.matchAll(FRAMES)) add(source, '')
  return [...found].map(([url, priority]) => ({ url, priority }))
}

/** Reads a page: what stands on it, where it leads, what it forbids. */
export function digestPage({ url, contentType, bytes, country, kind }: ReadTask): Digest {
  const html = decodePage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType)
  const page = readPage(html, url)
  const canonical = page.canonical ? canonicalUrl(page.canonical, url) : undefined
  const links = collectLinks(page, html, url)
  const hash = createHash('sha256').update(page.title).update(page.text)
  for (const link of links) hash.update(link.url)
  const findings = [
    ...(kind === 'phone' ? [] : findEmails(page)),
    ...(kind === 'email' ? [] : findPhones(page, url, country)),
  ]
  for (const { value } of findings) hash.update(value)
  return {
    title: page.title,
    robots: page.robots,
    canonical: canonical === url ? undefined : canonical,
    notice: findNotice(page.text, `${new URL(url).pathname} ${page.title}`),
    findings,
    links,
    contentHash: hash.digest(),
    likeness: createHash('sha1').update(page.text.replace(/\d+/g, '')).digest('base64'),
  }
}

/** Reads a site map, packed or not. Throws when it cannot be unpacked. */
export function digestSiteMap({ url, contentType, bytes }: ReadTask, most: number): SiteMap {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isPacked ? gunzipSync(bytes, { maxOutputLength: most }) : Buffer.from(bytes)
  return readSiteMap(decodePage(plain, contentType), url)
}
