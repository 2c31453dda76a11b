/** Names of customers' domains at which this installation serves the links of their emails. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openPublicPool } from '#server/adapters/http/public-pool.ts'
import { parseAddress } from '#server/engine/index.ts'
import type { Config } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { CERTIFICATE_CHECK_PATH, HOST_CHECK_PATH } from '#server/platform/http/tracking-hosts.ts'
import type { Services } from '#server/services.ts'
import { trackingName } from './domain-name.ts'
import { findUsedHost, noteUsedHost } from './link-hosts.ts'
import { Lookups } from './lookups.ts'
import { findTrackingDomain, isVerifiedDomain } from './store.ts'

/** Names under it lead to the machine itself (RFC 6761). */
const LOCAL = '.localhost'
/** Milliseconds of a check, and how much of its response is read. */
const LIMIT_MS = 5_000
const MAX_BYTES = 256
/** Milliseconds in which DNS has to say that an alias is still there. */
const ALIAS_MS = 2_000
/** Questions a minute about one name. Not of one address, which is the proxy's: with made-up names a stranger would use up those of all. */
const MAX_QUESTIONS = 300
/** Characters of the longest name in DNS. */
const MAX_NAME = 254

/** What only this installation can say of a host. */
const prove = (secretKey: string, host: string): Buffer =>
  createHmac('sha256', deriveKey(secretKey, 'tracking host')).update(host.toLowerCase()).digest()

/**
 * The base of links at a customer's name: with the scheme of PUBLIC_URL, and its port where there is one. In the sandbox only the
 * emulator knows the customer's DNS, so the name ends with .localhost there, which browsers know without it.
 */
function toBase({ publicUrl, trackingHost = '' }: Pick<Config, 'publicUrl' | 'trackingHost'>, name: string): string {
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${name}${trackingHost.endsWith(LOCAL) ? LOCAL : ''}${port && `:${port}`}`
}

/** Serves the proof that requests for a host arrive here. */
export function mountHostCheck(app: FastifyInstance, { config }: { config: Pick<Config, 'secretKey'> }): void {
  app.get(HOST_CHECK_PATH, { exposeHeadRoute: false }, async (request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(prove(config.secretKey, request.hostname).toString('hex')),
  )
}

/**
 * Mounts what a TLS proxy asks before it gets a certificate for a name: 200 for the hosts of PUBLIC_URL and TRACKING_HOST, for the
 * `links.` name of a verified sending domain of a workspace that is not suspended, and for one that sent emails have links at while
 * DNS leads it here; 404 for others, 400 without `domain`, 429 where a name is asked for too often: anybody can have the proxy ask by
 * opening connections.
 */
export function mountCertificateCheck(app: FastifyInstance, services: Pick<Services, 'config' | 'db' | 'nameServers'>) {
  app.get(
    CERTIFICATE_CHECK_PATH,
    {
      exposeHeadRoute: false,
      config: { rateLimit: { max: MAX_QUESTIONS, timeWindow: '1 minute', keyGenerator: readName } },
    },
    async (request, reply) => {
      const { domain } = request.query as { domain?: unknown }
      if (typeof domain !== 'string' || domain === '' || domain.length > MAX_NAME)
        throw invalid('domain', 'is required: the name that a certificate is for')
      const isOurs = await servesName(services, readName(request))
      return reply
        .code(isOurs ? 200 : 404)
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .send(isOurs ? 'served here' : 'not served here')
    },
  )
}

/** The name that is asked for, in lower case and without a dot at its end, as far as a name may be long. */
function readName({ query }: FastifyRequest): string {
  const { domain } = query as { domain?: unknown }
  return String(domain).slice(0, MAX_NAME).toLowerCase().replace(/\.$/, '')
}

async function servesName(
  { config, db, nameServers }: Pick<Services, 'config' | 'db' | 'nameServers'>,
  name: string,
): Promise<boolean> {
  const { trackingHost } = config
  if (name === new URL(config.publicUrl).hostname || name === trackingHost) return true
  const [, domain] = /^links\.(.+)$/.exec(name) ?? []
  if (trackingHost === undefined || domain === undefined) return false
  if (await isVerifiedDomain(db, domain)) return true
  // The sender of the emails may be suspended, and its domain removed: recipients still unsubscribe there.
  if (!(await findUsedHost(db, domain))) return false
  const lookups = new Lookups(nameServers.servers, { deadlineMs: ALIAS_MS })
  const found = await Promise.race([lookups.cname(name), delay(ALIAS_MS, undefined, { ref: false })])
  return found?.kind === 'found' && found.values.some((target) => sameName(target, trackingHost))
}

const sameName = (one: string, other: string) => one.toLowerCase().replace(/\.$/, '') === other

type HostConfig = Pick<Config, 'secretKey' | 'publicUrl' | 'trackingHost' | 'allowPrivate' | 'dnsServers'>

/**
 * Why requests for a name that is an alias of TRACKING_HOST do not arrive here; null: they do. The connection is made to
 * TRACKING_HOST, whose address is the operator's and not the customer's; certificate and response are those of the name.
 */
export async function findHostFault(
  config: HostConfig,
  servers: readonly string[],
  name: string,
): Promise<string | null> {
  const { trackingHost } = config
  if (trackingHost === undefined) return 'TRACKING_HOST is not set'
  const url = new URL(HOST_CHECK_PATH, toBase(config, name))
  const rules = { allow: [...config.allowPrivate, trackingHost], dnsServers: servers }
  const pool = openPublicPool(url, rules, LIMIT_MS, trackingHost)
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const { statusCode, body } = await pool.request({ path: url.pathname, method: 'GET', signal })
    let text = ''
    for await (const chunk of body) {
      text += String(chunk)
      if (text.length > MAX_BYTES) break
    }
    const found = Buffer.from(text.trim(), 'hex')
    const wanted = prove(config.secretKey, url.hostname)
    if (statusCode === 200 && found.length === wanted.length && timingSafeEqual(found, wanted)) return null
    return 'another server responds there'
  } catch (error) {
    return explain(error as Error)
  } finally {
    await pool.destroy()
  }
}

function explain(error: Error): string {
  const { code = '' } =
    [error, error.cause].find((one): one is NodeJS.ErrnoException => one instanceof Error && 'code' in one) ?? {}
  if (/CERT|ERR_TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'there is no valid certificate for this name'
  if (/ENOTFOUND/.test(code)) return 'its address could not be looked up'
  return /TIMEOUT|ABORT/i.test(`${code} ${error.name}`) ? 'it did not respond within 5 seconds' : 'it cannot be reached'
}

/**
 * Where the links of emails from an address lead: to the tracking host of the workspace's nearest verified domain at or above
 * it that was served here when it was last checked; undefined: to PUBLIC_URL. Notes that the name is used, before any email has it.
 */
export async function findLinkBase(
  { config, db }: { config: Pick<Config, 'trackingHost' | 'publicUrl'>; db: Db },
  workspaceId: string,
  fromAddress: string,
): Promise<string | undefined> {
  if (config.trackingHost === undefined) return undefined
  const from = parseAddress(fromAddress)
  const domain = from && (await findTrackingDomain(db, workspaceId, from.domain))
  if (!domain) return undefined
  await noteUsedHost(db, workspaceId, domain)
  return toBase(config, trackingName(domain))
}
