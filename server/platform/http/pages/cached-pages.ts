import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Pages that are the same for everybody, and what tells that they are no longer right. */
export interface CacheablePages {
  /** Whether the page at a path, which has no query, may be cached. */
  isCacheable(path: string): boolean
  /** A word that is another one as soon as anything on such a page is. Asked at every request. */
  version(): Promise<string>
}

/** A page on its way, and the nonce its own scripts bear. */
export interface MadePage {
  nonce: string
  page: Promise<Response>
}

interface CachedPage {
  policy: string
  tag: string
  plain: Buffer
  packed: Map<string, Promise<Buffer>>
}

const MAX_PAGES = 500
const packers = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
}

/**
 * A page without the nonce, and the scripts that bore it as hashes for its policy (CSP 3): a cached page can hold no nonce,
 * which would be known after its first reader. A script that did not bear it, somebody else's, is not allowed by this.
 */
export function withoutNonce(html: string, nonce: string): { html: string; sources: string[] } {
  const attribute = ` nonce="${nonce}"`
  const sources = new Set<string>()
  for (const [, tag = '', text = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g))
    if (tag.includes(attribute) && text) sources.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return { html: html.replaceAll(attribute, ''), sources: [...sources] }
}

async function toCached(
  page: Response,
  nonce: string,
  buildPolicy: (sources: string[]) => string,
): Promise<CachedPage> {
  const { html, sources } = withoutNonce(await page.text(), nonce)
  const plain = Buffer.from(html)
  return {
    policy: buildPolicy(sources),
    tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    packed: new Map(),
  }
}

/** A cached page in the encoding its client accepts. */
interface CachedMatch {
  page: CachedPage
  bytes: Buffer
  encoding: string | undefined
}

/** Sends a cached page, or 304 to a client that still has it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, bytes, encoding }: CachedMatch,
): FastifyReply {
  reply
    .header('content-security-policy', page.policy)
    .header('cache-control', 'no-cache')
    .header('etag', page.tag)
    .header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === page.tag) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(bytes)
}

/**
 * Keeps pages for as long as their version stays the same: made once, packed once, then only sent. `make` makes the page
 * where there is none. Returns undefined, and leaves what was made unread, where there is nothing to keep.
 */
export function cachePages(cacheable: CacheablePages, buildPolicy: (sources: string[]) => string) {
  let current = ''
  const cached = new LRUCache<string, Promise<CachedPage | undefined>>({ max: MAX_PAGES })

  async function pageAt(path: string, make: () => MadePage): Promise<CachedPage | undefined> {
    // Asked before the page is made: what is newer than its version is made once more, what is older never stays.
    const version = await cacheable.version()
    if (version !== current) {
      cached.clear()
      current = version
    }
    const known = cached.get(path)
    if (known) return known
    const { nonce, page } = make()
    const made = page.then((page) => (page.status === 200 ? toCached(page, nonce, buildPolicy) : undefined))
    cached.set(path, made)
    const forget = () => cached.peek(path) === made && cached.delete(path)
    made.then((page) => page ?? forget(), forget)
    return made
  }

  return async (request: FastifyRequest, make: () => MadePage): Promise<CachedMatch | undefined> => {
    if (request.method !== 'GET' || !cacheable.isCacheable(request.url)) return undefined
    const page = await pageAt(request.url, make)
    if (!page) return undefined
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''))
    if (!encoding) return { page, bytes: page.plain, encoding }
    const packed = page.packed.get(encoding) ?? packers[encoding](page.plain)
    page.packed.set(encoding, packed)
    return { page, bytes: await packed, encoding }
  }
}

/** The better of what a browser takes; undefined for plain bytes. */
function encodingFor(accepted: string): 'br' | 'gzip' | undefined {
  if (/\bbr\b(?!;\s*q=0(?![.\d]))/.test(accepted)) return 'br'
  return /\bgzip\b(?!;\s*q=0(?![.\d]))/.test(accepted) ? 'gzip' : undefined
}
