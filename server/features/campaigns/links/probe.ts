/** Asks one web address whether it is there, as a reader's browser would, without reading what it says. */
import type { Dispatcher } from 'undici'
import { openPublicPool } from '#server/adapters/http/public-pool.ts'
import { EgressError, type EgressRules } from '#server/platform/egress.ts'

/**
 * What became of a link. `broken`: readers would see an error. `unchecked`: nothing is known, because the site does not talk to
 * programs, or is not public. `unreached`: it could not be had, which may be the network here.
 */
export type LinkFinding = { kind: 'fine' } | { kind: 'broken' | 'unchecked' | 'unreached'; why: string }

/** Milliseconds of one request, and the redirects that are followed. */
const REQUEST_MS = 5_000
const MAX_REDIRECTS = 3

/** Statuses by which sites turn away programs; 999 is LinkedIn's. */
const WALLS = new Set([401, 402, 403, 405, 406, 407, 408, 429, 451, 999])

const FINE: LinkFinding = { kind: 'fine' }
const unchecked = (why: string): LinkFinding => ({ kind: 'unchecked', why })
const broken = (why: string): LinkFinding => ({ kind: 'broken', why })

interface Reply {
  status: number
  location: string | undefined
}

/** How a link is asked for; `signal` ends it. */
export interface ProbeOptions {
  rules: EgressRules
  userAgent: string
  signal: AbortSignal
  /** Milliseconds of one request. */
  requestMs?: number
}

/** Asks with HEAD, and with GET where that was not well received. Never throws. */
export async function probeLink(address: string, options: ProbeOptions): Promise<LinkFinding> {
  const { signal, requestMs = REQUEST_MS } = options
  let url = URL.parse(address)
  try {
    for (let step = 0; step <= MAX_REDIRECTS; step++) {
      if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
        return broken('it leads to something that is no web address')
      const reply = await ask(url, { ...options, requestMs })
      if (reply.location === undefined) return judge(reply.status)
      url = URL.parse(reply.location, url.href)
    }
    return unchecked(`it redirects more than ${MAX_REDIRECTS} times`)
  } catch (error) {
    return explain(error as Error, { signal, requestMs }, url?.hostname ?? '')
  }
}

async function ask(url: URL, given: Required<ProbeOptions>): Promise<Reply> {
  const pool = openPublicPool(url, given.rules, given.requestMs)
  try {
    const request = async (method: Dispatcher.HttpMethod): Promise<Reply> => {
      const { statusCode, headers, body } = await pool.request({
        path: url.pathname + url.search,
        method,
        headers: { 'user-agent': given.userAgent, accept: '*/*' },
        signal: AbortSignal.any([given.signal, AbortSignal.timeout(given.requestMs)]),
      })
      // Nothing of it is read: where it is long, the connection ends here.
      body.on('error', () => undefined).destroy()
      const isRedirect = [301, 302, 303, 307, 308].includes(statusCode)
      return { status: statusCode, location: isRedirect ? String(headers.location ?? '') || undefined : undefined }
    }
    const head = await request('HEAD').catch((error: Error) => {
      // Some servers break off, or say nothing, where HEAD is asked.
      if (given.signal.aborted || findEgress(error) || isRefused(error)) throw error
      return undefined
    })
    return head && head.status < 400 ? head : await request('GET')
  } finally {
    await pool.destroy()
  }
}

function judge(status: number): LinkFinding {
  if (status < 400) return FINE
  if (WALLS.has(status)) return unchecked(`the site does not let programs look at it (${status})`)
  if (status === 404 || status === 410) return broken(`the page does not exist (${status})`)
  return broken(`the site responds with an error (${status})`)
}

const causes = (error: Error): NodeJS.ErrnoException[] => [
  error,
  ...(error.cause instanceof Error ? [error.cause] : []),
  ...(error instanceof AggregateError ? (error.errors as Error[]) : []),
]
const findEgress = (error: Error) => causes(error).find((one): one is EgressError => one instanceof EgressError)
const isRefused = (error: Error) => causes(error).some(({ code }) => code === 'ECONNREFUSED')

function explain(
  error: Error,
  { signal, requestMs }: Pick<Required<ProbeOptions>, 'signal' | 'requestMs'>,
  host: string,
): LinkFinding {
  const egress = findEgress(error)
  if (egress?.kind === 'private') return unchecked(`${host} is not on the public internet`)
  if (egress?.kind === 'host') return broken('its site is not a valid name')
  if (egress) return { kind: egress.isUnknownName ? 'broken' : 'unchecked', why: describeName(egress, host) }
  if (signal.aborted) return unchecked('there was no time left for it')
  const codes = causes(error).map(({ code, name }) => `${code} ${name}`)
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code))
  if (isRefused(error)) return broken(`${host} refuses connections`)
  if (has(/CERT|ERR_TLS|SSL|SELF_SIGNED|UNABLE_TO_/)) return broken(`the certificate of ${host} is not valid`)
  if (has(/timeout|ETIMEDOUT/i))
    return { kind: 'unreached', why: `${host} did not respond within ${requestMs / 1_000} seconds` }
  if (has(/E(?:HOST|NET)UNREACH/)) return { kind: 'unreached', why: `${host} cannot be reached` }
  return broken(`${host} breaks the connection`)
}

const describeName = (egress: EgressError, host: string) =>
  egress.isUnknownName ? `no site with the name ${host} exists` : `${host} could not be looked up`
