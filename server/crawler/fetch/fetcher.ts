import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { Pool } from 'undici'
import { EgressError, type EgressRules, publicLookup } from '#server/platform/egress.ts'

/**
 * Why a page could not be had, in words for people. `kind` says what a crawler does about it: `blocked` is not a public
 * address, `unreachable` takes no connection, `lost` broke off, `slow` took too long, `type` is no page, `broken` could not
 * be unpacked, `stopped` was aborted by us.
 */
export class FetchProblem extends Error {
  readonly kind: 'blocked' | 'unreachable' | 'lost' | 'slow' | 'type' | 'broken' | 'stopped'
  constructor(kind: FetchProblem['kind'], message: string) {
    super(message)
    this.name = 'FetchProblem'
    this.kind = kind
  }
}

/** An answer. Redirects are not followed: each place they lead to is asked for like any other. */
export interface Fetched {
  url: string
  status: number
  /** Where a redirect leads, as a whole address. */
  location: string | undefined
  contentType: string
  /** Unpacked; decodePage makes text of it. Empty unless the status is 2xx. */
  bytes: Buffer
  /** The page was longer than the limit: this is its beginning. */
  cut: boolean
  /** Milliseconds the server asks to wait (Retry-After). */
  retryAfter: number | undefined
  /** Each X-Robots-Tag, in lower case. */
  robots: string[]
  /** tdm-reservation: the site reserves its rights in text and data mining. */
  reserved: boolean
}

/** What is asked for; a page when nothing else is said. */
export interface Wanted {
  accept?: string
  /** Content types that are read. */
  types?: RegExp
  mostBytes?: number
  signal?: AbortSignal
}

export interface FetchLimits {
  userAgent: string
  /** Milliseconds for one page in all. */
  timeout: number
  /** Bytes of one page after unpacking. */
  mostBytes: number
  connectionsPerHost: number
}

/** Connections stay open to this many hosts at once. */
const MAX_HOSTS = 200

const PAGES = 'text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5'
const READABLE = /html|text\/plain|xml/

const UNPACK: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** Codings of one body, and the bytes that may come out of each beside the last, whose bytes are the page. */
const MAX_CODINGS = 3
const MAX_BETWEEN = 64 * 2 ** 20

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : (value ?? ''))

function parseRetryAfter(value: string): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** Fetches pages from public addresses only, with one pool of connections a site. */
export function createFetcher(rules: EgressRules, limits: FetchLimits) {
  const pools = new LRUCache<string, Pool>({
    max: MAX_HOSTS,
    dispose: (pool, _, reason) => {
      if (reason === 'evict') void pool.close()
    },
  })
  const named = {
    'user-agent': limits.userAgent,
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': 'en,*;q=0.5',
  }

  function poolFor(url: URL): Pool {
    const known = pools.get(url.origin)
    if (known) return known
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const pool = new Pool(url.origin, {
      connections: limits.connectionsPerHost,
      allowH2: true,
      keepAliveTimeout: 10_000,
      connect: { lookup: publicLookup(url.hostname, port, rules), timeout: limits.timeout } as never,
    })
    pools.set(url.origin, pool)
    return pool
  }

  /** Throws FetchProblem. */
  async function get(address: string, wanted: Wanted = {}): Promise<Fetched> {
    const url = URL.parse(address)
    if (!url) throw new FetchProblem('blocked', 'It is not an address.')
    const clock = new AbortController()
    const timer = setTimeout(() => clock.abort(), limits.timeout)
    const stop = () => clock.abort()
    wanted.signal?.addEventListener('abort', stop)
    try {
      wanted.signal?.throwIfAborted()
      const {
        statusCode: status,
        headers,
        body,
      } = await poolFor(url).request({
        path: url.pathname + url.search,
        method: 'GET',
        headers: { ...named, accept: wanted.accept ?? PAGES },
        signal: clock.signal,
        headersTimeout: limits.timeout,
        bodyTimeout: limits.timeout,
      })
      const contentType = one(headers['content-type']).toLowerCase()
      const isRead = status >= 200 && status < 300 && (!contentType || (wanted.types ?? READABLE).test(contentType))
      if (!isRead && status >= 200 && status < 300) {
        body.on('error', () => undefined).destroy()
        throw new FetchProblem('type', `It is not a page but ${contentType.split(';')[0]}.`)
      }
      const read = isRead
        ? await readBody(body, one(headers['content-encoding']), wanted.mostBytes ?? limits.mostBytes)
        : await body.dump({ limit: 16_384 }).then(() => ({ bytes: Buffer.alloc(0), cut: false }))
      const location = one(headers.location)
      return {
        url: url.href,
        status,
        location: location ? URL.parse(location, url.href)?.href : undefined,
        contentType,
        ...read,
        retryAfter: parseRetryAfter(one(headers['retry-after'])),
        robots: [headers['x-robots-tag'] ?? []].flat().map((value) => value.toLowerCase()),
        reserved: one(headers['tdm-reservation']).trim() === '1',
      }
    } catch (error) {
      if (wanted.signal?.aborted) throw new FetchProblem('stopped', 'The crawl was stopped.')
      throw toFetchProblem(error as Error, clock.signal, new URL(url).hostname)
    } finally {
      clearTimeout(timer)
      wanted.signal?.removeEventListener('abort', stop)
    }
  }

  return {
    get,
    async close(): Promise<void> {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
    },
  }
}

export type Fetcher = ReturnType<typeof createFetcher>

/** The names of a Content-Encoding, in the order they were applied (RFC 9110, 8.4). Throws FetchProblem for a chain of them. */
function parseCodings(encoding: string): string[] {
  // Real pages have one. Each takes memory beside the heap, for as long as the page takes.
  const names = encoding.toLowerCase().split(',', MAX_CODINGS + 1)
  if (names.length > MAX_CODINGS) throw new FetchProblem('broken', `It is compressed more than ${MAX_CODINGS} times.`)
  return names.map((name) => name.trim())
}

/** The last of the streams that unpack a body; `failed` hears the first error of those before it. */
function unpacked(body: NodeJS.ReadableStream, codings: string[], failed: (error: Error) => void) {
  const streams: NodeJS.ReadableStream[] = [body]
  let last = body
  for (const name of codings.toReversed()) {
    const next = UNPACK[name]?.()
    if (!next) continue
    let size = 0
    last.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BETWEEN)
        (next as Transform).destroy(new FetchProblem('broken', 'It is too large when decompressed.'))
    })
    last.on('error', (error: Error) => {
      failed(error)
      next.end()
    })
    last = last.pipe(next)
    streams.push(last)
  }
  return {
    last,
    close: () => streams.forEach((stream) => void (stream as Transform).on('error', () => undefined).destroy()),
  }
}

/** Unpacks a body up to a limit; what is behind it is not asked for any more. */
async function readBody(
  body: NodeJS.ReadableStream & { destroy(): unknown },
  encoding: string,
  most: number,
): Promise<{ bytes: Buffer; cut: boolean }> {
  let failure: Error | undefined
  const chunks: Buffer[] = []
  let size = 0
  let close: () => void = () => body.on('error', () => undefined).destroy()
  try {
    const stream = unpacked(body, parseCodings(encoding), (error) => {
      failure ??= error
    })
    close = stream.close
    for await (const chunk of stream.last) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > most) break
    }
  } catch (error) {
    // A page that ends too early is read as far as it came.
    if (size === 0) throw error
  } finally {
    close()
  }
  if (failure && size === 0) throw failure
  return { bytes: Buffer.concat(chunks).subarray(0, most), cut: size > most }
}

function toFetchProblem(error: Error, signal: AbortSignal, host: string): FetchProblem {
  if (error instanceof FetchProblem) return error
  const cause = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException
  const egress = [error, cause].find((one) => one instanceof EgressError) as EgressError | undefined
  if (egress?.isUnknownName)
    return new FetchProblem('unreachable', `We couldn’t find ${host}. Check the spelling and try again.`)
  if (egress?.kind === 'private') return new FetchProblem('blocked', 'This address isn’t public, so we can’t scan it.')
  if (egress) return new FetchProblem(egress.kind === 'dns' ? 'unreachable' : 'blocked', `${egress.message}.`)
  if (/^Z_|ERR_BROTLI|ZSTD/i.test(cause.code ?? ''))
    return new FetchProblem('broken', 'The content of the page could not be decompressed.')
  if (cause.code === 'ECONNREFUSED') return new FetchProblem('unreachable', 'The site refuses connections.')
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT' || /^E(?:HOST|NET)UNREACH$|^ETIMEDOUT$/.test(cause.code ?? ''))
    return new FetchProblem('unreachable', 'The site can’t be reached.')
  if (signal.aborted || /timeout/i.test(`${cause.code} ${cause.name}`))
    return new FetchProblem('slow', 'The site did not respond in time.')
  if (/CERT|TLS|SSL/i.test(cause.code ?? ''))
    return new FetchProblem('unreachable', 'The site’s certificate is not valid.')
  return new FetchProblem('lost', 'The connection broke.')
}
