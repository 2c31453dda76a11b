import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Pool } from 'undici'
import { EgressError, type EgressRules, publicLookup } from '#server/platform/egress.ts'
import { decodePage } from './decode.ts'

/** Why a page could not be had, in words for people. `kind` says what a crawler does about it. */
export class FetchProblem extends Error {
  readonly kind: 'blocked' | 'unreachable' | 'slow' | 'large' | 'type' | 'broken'
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
  text: string
  /** The page was longer than the limit: this is its beginning. */
  cut: boolean
  /** Milliseconds the server asks to wait (Retry-After). */
  retryAfter: number | undefined
  /** X-Robots-Tag, in lower case. */
  robots: string
}

export interface FetchLimits {
  userAgent: string
  /** Milliseconds for one page in all. */
  timeout: number
  /** Bytes of one page after unpacking. */
  mostBytes: number
  connectionsPerHost: number
}

/** As many hosts' connections are kept open at once. */
const MOST_HOSTS = 200

const UNPACK: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : (value ?? ''))

function retryAfterOf(value: string): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** Fetches pages from public addresses only, with one pool of connections a site. */
export function createFetcher(rules: EgressRules, limits: FetchLimits) {
  const pools = new Map<string, Pool>()

  function poolFor(url: URL): Pool {
    const known = pools.get(url.origin)
    if (known) {
      // The least recently used one is the first.
      pools.delete(url.origin)
      pools.set(url.origin, known)
      return known
    }
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const pool = new Pool(url.origin, {
      connections: limits.connectionsPerHost,
      allowH2: true,
      keepAliveTimeout: 10_000,
      connect: { lookup: publicLookup(url.hostname, port, rules), timeout: limits.timeout } as never,
    })
    pools.set(url.origin, pool)
    const oldest = pools.size > MOST_HOSTS ? pools.entries().next().value : undefined
    if (oldest) {
      pools.delete(oldest[0])
      void oldest[1].close()
    }
    return pool
  }

  async function get(
    address: string,
    accept = 'text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5',
  ): Promise<Fetched> {
    const url = URL.parse(address)
    if (!url) throw new FetchProblem('blocked', 'It is not an address.')
    const signal = AbortSignal.timeout(limits.timeout)
    try {
      const answer = await poolFor(url).request({
        path: url.pathname + url.search,
        method: 'GET',
        headers: {
          'user-agent': limits.userAgent,
          accept,
          'accept-encoding': 'gzip, deflate, br, zstd',
          'accept-language': 'en,*;q=0.5',
        },
        signal,
        headersTimeout: limits.timeout,
        bodyTimeout: limits.timeout,
      })
      const contentType = one(answer.headers['content-type']).toLowerCase()
      const location = one(answer.headers.location)
      const readable = answer.statusCode < 300 && (!contentType || /html|text\/plain|xml/.test(contentType))
      const body = readable
        ? await read(answer.body, one(answer.headers['content-encoding']), limits.mostBytes)
        : await answer.body.dump({ limit: 16_384 }).then(() => ({ bytes: Buffer.alloc(0), cut: false }))
      if (!readable && answer.statusCode < 300)
        throw new FetchProblem('type', `It is no page but ${contentType.split(';')[0]}.`)
      return {
        url: url.href,
        status: answer.statusCode,
        location: location ? URL.parse(location, url.href)?.href : undefined,
        contentType,
        text: decodePage(body.bytes, contentType),
        cut: body.cut,
        retryAfter: retryAfterOf(one(answer.headers['retry-after'])),
        robots: one(answer.headers['x-robots-tag']).toLowerCase(),
      }
    } catch (error) {
      throw problemOf(error as Error, signal)
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

/** Unpacks a body up to a limit; what is behind it is not asked for any more. */
async function read(
  body: NodeJS.ReadableStream & { destroy(): unknown },
  encoding: string,
  most: number,
): Promise<{ bytes: Buffer; cut: boolean }> {
  let stream: NodeJS.ReadableStream = body
  let failure: Error | undefined
  for (const name of encoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .reverse()) {
    const unpack = UNPACK[name]
    if (!unpack) continue
    const next = unpack()
    stream.on('error', (error: Error) => {
      failure ??= error
      next.end()
    })
    stream = stream.pipe(next)
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > most) break
    }
  } catch (error) {
    // A page that ends too early is read as far as it came.
    if (size === 0) throw error
  } finally {
    body.destroy()
  }
  if (failure && size === 0) throw failure
  return { bytes: Buffer.concat(chunks).subarray(0, most), cut: size > most }
}

function problemOf(error: Error, signal: AbortSignal): FetchProblem {
  if (error instanceof FetchProblem) return error
  const cause = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException
  const egress = [error, cause].find((one) => one instanceof EgressError) as EgressError | undefined
  if (egress) return new FetchProblem(egress.kind === 'dns' ? 'unreachable' : 'blocked', `${egress.message}.`)
  if (signal.aborted || /timeout/i.test(cause.code ?? cause.name))
    return new FetchProblem('slow', 'It did not answer in time.')
  if (/^Z_|ERR_BROTLI|ZSTD/i.test(cause.code ?? ''))
    return new FetchProblem('broken', 'What it sent could not be unpacked.')
  if (cause.code === 'ECONNREFUSED') return new FetchProblem('unreachable', 'The server does not take connections.')
  if (/CERT|TLS|SSL/i.test(cause.code ?? '')) return new FetchProblem('unreachable', 'Its certificate is not valid.')
  return new FetchProblem('unreachable', 'The connection broke.')
}
