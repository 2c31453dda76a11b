import { type KeyObject, X509Certificate } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openPublicPool } from '#server/adapters/http/public-pool.ts'
import type { Config } from '#server/platform/config.ts'
import { Semaphore } from '#server/platform/semaphore.ts'
import type { SnsTopic } from './message.ts'

type SnsServices = { config: Pick<Config, 'snsUrl' | 'allowPrivate' | 'dnsServers'> }

/** SNS could not be asked: what needs it is to be sent again. */
export class SnsUnreachable extends Error {}

const REQUEST_MS = 5_000
const MAX_BYTES = 64 * 1_024
/** Milliseconds: a certificate that is missing is soon asked for again. */
const KEY_MS = 24 * 3_600_000
const MISSING_MS = 60_000

/** Strangers name certificates too: few are asked for at once, and each once. */
const turns = new Semaphore({ total: 4, each: 4 })
const MAX_WAITING = 20

type KnownKey = { key: KeyObject; until: number } | 'none'
const keys = new LRUCache<string, KnownKey>({ max: 100 })

const readKnown = (known: KnownKey) => (known !== 'none' && known.until > Date.now() ? known.key : undefined)

/** The URL where it is exactly one of SNS for this topic, or of the emulator; undefined: it is not. */
function readUrl({ config }: SnsServices, { host }: SnsTopic, text: string, path: RegExp): URL | undefined {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash || !path.test(url.pathname)) return undefined
  const origin = config.snsUrl === undefined ? `https://${host}` : new URL(config.snsUrl).origin
  return url.origin === origin ? url : undefined
}

/** The key of a certificate that SNS serves; undefined: the URL is not one of SNS, or nothing valid is there. Throws SnsUnreachable. */
export async function findSnsKey(services: SnsServices, topic: SnsTopic, text: string): Promise<KeyObject | undefined> {
  const url = readUrl(services, topic, text, /^\/SimpleNotificationService-[0-9a-f]{8,64}\.pem$/)
  if (!url || url.search) return undefined
  const known = keys.get(url.href)
  if (known) return readKnown(known)
  if (turns.countWaiting('certificates') >= MAX_WAITING) throw new SnsUnreachable('too many certificates are asked for')
  const release = await turns.acquire('certificates')
  try {
    const meanwhile = keys.get(url.href)
    if (meanwhile) return readKnown(meanwhile)
    const { status, bytes } = await get(services, url)
    const found = status === 200 ? readCertificate(bytes) : undefined
    keys.set(url.href, found ?? 'none', { ttl: found ? KEY_MS : MISSING_MS })
    return found?.key
  } finally {
    release()
  }
}

function readCertificate(bytes: Buffer): { key: KeyObject; until: number } | undefined {
  try {
    const { publicKey, validFromDate, validToDate } = new X509Certificate(bytes)
    const now = Date.now()
    if (validFromDate.getTime() > now || validToDate.getTime() < now) return undefined
    return { key: publicKey, until: validToDate.getTime() }
  } catch {
    return undefined
  }
}

/** Confirms the subscription of a topic by the URL of a signed message. Throws SnsUnreachable. */
export async function confirmSubscription(services: SnsServices, topic: SnsTopic, text: string): Promise<void> {
  const url = readUrl(services, topic, text, /^\/$/)
  if (url?.searchParams.get('Action') !== 'ConfirmSubscription' || url.searchParams.get('TopicArn') !== topic.arn)
    return
  const { status } = await get(services, url)
  if (status >= 400) throw new SnsUnreachable(`SNS refused the confirmation (${status})`)
}

async function get({ config }: SnsServices, url: URL): Promise<{ status: number; bytes: Buffer }> {
  const own = config.snsUrl === undefined ? [] : [new URL(config.snsUrl).host]
  const rules = { allow: [...config.allowPrivate, ...own], dnsServers: config.dnsServers }
  const pool = openPublicPool(url, rules, REQUEST_MS)
  try {
    const { statusCode, body } = await pool.request({
      path: url.pathname + url.search,
      method: 'GET',
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BYTES) break
      chunks.push(chunk)
    }
    return { status: statusCode, bytes: Buffer.concat(chunks) }
  } catch (error) {
    throw new SnsUnreachable((error as Error).message)
  } finally {
    await pool.destroy()
  }
}
