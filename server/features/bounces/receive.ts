import type { IncomingHttpHeaders } from 'node:http'
import type { WebhookKind } from '#contracts/bounces/bounces.ts'
import { SnsUnreachable } from '#server/adapters/sns/client.ts'
import { createTokens, type Tokens } from '#server/engine/index.ts'
import { noteBounce, noteFeedback } from '#server/features/campaigns/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid, Refusal } from '#server/platform/http/refusal.ts'
import { Semaphore } from '#server/platform/semaphore.ts'
import type { Services } from '#server/services.ts'
import { openSecret } from './bounces.ts'
import { providers } from './providers/index.ts'
import type { Provider, ProviderEvent, ProviderServices, WebhookRequest } from './providers/provider.ts'
import { findMarks } from './reports.ts'
import { MAX_HEAD } from './sizes.ts'
import { noteEvents, noteReceived, type SourceRow, sourceByKind } from './store.ts'

type ReceiveContext = Pick<Services, 'db' | 'config'>

/** Events of one request. SendGrid, which sends most at once, stays below 2,000 (768 KB). */
const MAX_EVENTS = 5_000
/** Requests whose events are applied at once: each has a connection of the pool that serves everybody. */
const turns = new Semaphore({ total: 4, each: 1 })
/** Requests of a workspace that wait for their turn; the service sends more again. */
const MAX_WAITING = 100
/** Bytes of the requests that wait or are applied: each is in memory until then. */
const held = new Semaphore({ total: 64 * 2 ** 20, each: 16 * 2 ** 20 })
const RETRY_SECONDS = 30

/**
 * Takes in one webhook: checks its signature with the key of the source it names, and applies its events in one
 * transaction, so that what is answered with 200 is committed. An event that came before changes nothing. Returns false
 * when it is not signed by the source's key; a stranger learns no more than that. Throws TooEarly, and Refusal 400 where
 * signed events cannot be read.
 */
export async function receiveEvents(
  { db, config }: ReceiveContext,
  kind: WebhookKind,
  sourceId: string,
  given: { headers: IncomingHttpHeaders; raw: Buffer },
): Promise<boolean> {
  const source = await sourceByKind(db, kind, sourceId)
  const key = source && openSecret(config, source)
  const provider = providers[kind]
  const request = { ...given, now: new Date() }
  if (!source || key === undefined || !(await isSigned(provider, request, key, { config }))) return false
  await inTurn(source.workspaceId, given.raw.length, async () => {
    const body = readBody(given.raw)
    await provider.prepare?.(body, key, { config }).catch(refuseUnreachable)
    await applyEvents({ db, config }, source, readEvents(provider, body))
  })
  return true
}

/**
 * Works a request off in the turn of its workspace. It is read in its turn too: thousands of events take a tenth of a second,
 * in which nobody else is served. Throws Refusal 503 where too many wait.
 */
async function inTurn(workspaceId: string, bytes: number, work: () => Promise<void>): Promise<void> {
  const isFull = turns.countWaiting(workspaceId) >= MAX_WAITING
  const forget = isFull ? undefined : held.tryAcquire(workspaceId, bytes)
  if (!forget)
    throw new Refusal(503, 'busy', 'Earlier events are still being applied. Send these again.', {
      retryAfter: RETRY_SECONDS,
    })
  try {
    const release = await turns.acquire(workspaceId)
    try {
      await work()
    } finally {
      release()
    }
  } finally {
    forget()
  }
}

async function applyEvents({ db, config }: ReceiveContext, source: SourceRow, events: ProviderEvent[]): Promise<void> {
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  await db.transaction().execute(async (db) => {
    const fresh = await noteEvents(
      db,
      source,
      events.map((event) => event.key),
    )
    const found = events.flatMap((event) => {
      const messageId = fresh.delete(event.key) ? findMessageId(tokens, event) : undefined
      return messageId === undefined ? [] : [{ messageId, event }]
    })
    // In the order of messages: two requests about the same ones never wait for each other in a circle.
    for (const { messageId, event } of found.sort((a, b) => Number(BigInt(a.messageId) - BigInt(b.messageId))))
      await applyEvent(db, source, messageId, event)
    await noteReceived(db, source)
  })
}

async function isSigned(
  provider: Provider,
  request: WebhookRequest,
  key: string,
  services: ProviderServices,
): Promise<boolean> {
  try {
    return await provider.isSigned(request, key, services)
  } catch (error) {
    if (error instanceof SnsUnreachable) refuseUnreachable(error)
    // A body that cannot be parsed, or a signature that is none.
    return false
  }
}

/** What could not be checked now is sent again. */
function refuseUnreachable(error: unknown): never {
  if (!(error instanceof SnsUnreachable)) throw error
  throw new Refusal(503, 'sns_unreachable', 'Amazon SNS could not be asked. Send these again.', {
    retryAfter: RETRY_SECONDS,
  })
}

function readBody(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    throw invalid('body', 'is not valid JSON')
  }
}

function readEvents(provider: Provider, body: unknown): ProviderEvent[] {
  const events = provider.read(body)
  if (events.length > MAX_EVENTS) throw invalid('events', `must be at most ${MAX_EVENTS.toLocaleString('en')}`)
  return events
}

/** The message whose mark, signed by us, stands in what the service says: in its Message-ID or X-Postlark-Id. */
function findMessageId(tokens: Tokens, { marks }: ProviderEvent): string | undefined {
  // Services send back up to a whole message.
  for (const mark of marks) {
    const [found] = findMarks(tokens, mark.slice(0, MAX_HEAD))
    if (found !== undefined) return found
  }
  return undefined
}

/** Only a message of the source's own workspace is found: a valid signature says nothing about those of others. */
async function applyEvent(
  db: Db,
  { workspaceId, kind }: SourceRow,
  messageId: string,
  event: ProviderEvent,
): Promise<void> {
  if (event.kind !== 'bounce') return noteFeedback(db, workspaceId, messageId, event.kind)
  const { class: blamed, response, recipient, at } = event
  const bounces = [{ class: blamed, response, recipient, original: null }]
  await noteBounce(db, workspaceId, messageId, { bounces, at, source: kind })
}
