import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { renderCheapLink, type TokenPurpose, type Tokens } from '#server/engine/index.ts'
import { renderLinkBounded } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { lost } from '#server/platform/http/pages/small-pages.ts'
import { discreet, type PlainResponse } from '#server/platform/http/responses.ts'
import type { Log } from '#server/platform/log.ts'
import { toNetwork } from '#server/platform/network.ts'
import { classifyAlone, type Hints } from './classify.ts'
import type { NewEvent } from './events-store.ts'
import { findDestination, findReader } from './readers-store.ts'
import type { NewTotal } from './totals/totals.ts'
import type { EventWriter } from './writer.ts'

export interface Tracking {
  db: Db
  log: Pick<Log, 'error'>
  tokens: Tokens
  /** What the tokens are signed with. */
  key: Buffer
  writer: EventWriter
}

/** What is looked at of a request. */
export interface Visit {
  token: string
  /** HEAD is answered like GET and is no event. */
  method: string
  headers: IncomingHttpHeaders
  /** The client's address; only its network is stored. */
  ip: string
}

const AGENT_LENGTH = 512

export const readUserAgent = (headers: IncomingHttpHeaders) => (headers['user-agent'] ?? '').slice(0, AGENT_LENGTH)

function readHints(headers: IncomingHttpHeaders): Hints {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose === undefined ? {} : { purpose: String(purpose).slice(0, 100) }
}

/** The event a visit is. */
export function toEvent(
  { headers, ip }: Visit,
  kind: NewEvent['kind'],
  messageId: string,
  link: number | null,
): NewEvent {
  const userAgent = readUserAgent(headers)
  const hints = readHints(headers)
  return {
    messageId,
    kind,
    link,
    at: Date.now(),
    network: toNetwork(ip),
    userAgent,
    hints,
    verdict: classifyAlone({ userAgent, hints }),
  }
}

/** What a token says if it was made for this purpose. */
export function readToken(tokens: Tokens, token: string, purpose: TokenPurpose) {
  const content = tokens.verify(token)
  return content?.purpose === purpose ? content : undefined
}

const pixel: PlainResponse = {
  status: 200,
  headers: {
    ...discreet,
    'content-type': 'image/gif',
    pragma: 'no-cache',
    expires: '0',
    'cross-origin-resource-policy': 'cross-origin',
  },
  body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64').toString('latin1'),
  encoding: 'latin1',
}

/** The pixel: an image for everybody, an event for our own tokens only. It responds after the commit. */
export async function respondToOpen({ log, tokens, writer }: Tracking, visit: Visit): Promise<PlainResponse> {
  const token = visit.method === 'GET' ? tokens.verify(visit.token) : undefined
  const counted =
    token?.purpose === 'open'
      ? writer.open(toEvent(visit, 'open', token.recipientId, null))
      : token?.purpose === 'campaign_open'
        ? writer.totals.add(toTotal(visit, 'open', token.recipientId, 0))
        : undefined
  await counted?.catch((error) => log.error({ err: error }, 'an open was lost'))
  return pixel
}

/** The request as it is counted where emails carry their campaign alone. */
function toTotal({ headers }: Visit, kind: NewTotal['kind'], campaignId: string, link: number): NewTotal {
  const verdict = classifyAlone({ userAgent: readUserAgent(headers), hints: readHints(headers) })
  return { campaignId, kind, link, at: Date.now(), class: verdict.class }
}

/** A click where emails carry their campaign alone: the stored destination, which is the same for everybody. */
async function followShared(
  { writer: { totals } }: Tracking,
  visit: Visit,
  campaignId: string,
  link: number,
): Promise<string | undefined> {
  const counted = visit.method === 'GET' ? await totals.add(toTotal(visit, 'click', campaignId, link)) : 'refused'
  const stored = counted === 'refused' ? await totals.findDestination(campaignId, link) : counted
  return stored && checkDestination(stored)
}

/** A destination that may be redirected to: http(s), and without a user name, which hides the host. Otherwise undefined. */
function destination(url: string): string | undefined {
  const target = URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) return undefined
  // As its author wrote it; only what a header cannot hold is written the long way.
  return /^[\x21-\x7e]+$/.test(url) ? url : target.href
}

const MAX_CACHED_LENGTH = 2_000
/** Destinations by stored link; false for one that nobody is redirected to. */
const checked = new LRUCache<string, string | false>({ max: 2_000 })

/** Where a stored link leads this reader. */
async function leadTo(db: Db, messageId: string, stored: string): Promise<string | undefined> {
  if (/\{[{%]/.test(stored)) {
    const reader = await findReader(db, messageId)
    if (!reader) return undefined
    const { workspaceId, ...recipient } = reader
    const cheap = renderCheapLink(stored, recipient)
    const url = cheap === undefined ? await renderLinkBounded(workspaceId, stored, recipient) : cheap
    return url === null ? undefined : destination(url)
  }
  return checkDestination(stored)
}

/** Where a stored link without merge fields leads everybody; each is parsed once while it is asked for. */
function checkDestination(stored: string): string | undefined {
  if (stored.length > MAX_CACHED_LENGTH) return destination(stored)
  let target = checked.get(stored)
  if (target === undefined) {
    target = destination(stored) ?? false
    checked.set(stored, target)
  }
  return target || undefined
}

/** A click of a recipient: where it leads them. */
async function follow(
  { db, writer }: Tracking,
  visit: Visit,
  messageId: string,
  link: number,
): Promise<string | undefined> {
  const clicked = visit.method === 'GET' ? await writer.click(toEvent(visit, 'click', messageId, link)) : 'refused'
  const stored = clicked === 'refused' ? await findDestination(db, messageId, link) : clicked?.url
  return stored ? leadTo(db, messageId, stored) : undefined
}

/** A click: the stored destination, after the event is committed. */
export async function respondToClick(tracking: Tracking, visit: Visit): Promise<PlainResponse> {
  const token = tracking.tokens.verify(visit.token)
  const location =
    token?.purpose === 'click'
      ? await follow(tracking, visit, token.recipientId, token.link)
      : token?.purpose === 'campaign_click'
        ? await followShared(tracking, visit, token.recipientId, token.link)
        : undefined
  return location ? { status: 302, headers: { ...discreet, location }, body: '', encoding: 'latin1' } : lost
}
