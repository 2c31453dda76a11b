import { createHmac } from 'node:crypto'
import { isSame } from '#server/platform/crypto.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { isObject, judge, type Provider, type ProviderEvent, toDate, toResponse, toText } from './provider.ts'

/** Seconds between the moment of signing and now. */
const TOLERANCE = 300

const kinds = new Map<string, ProviderEvent['kind']>([
  ['bounce', 'bounce'],
  ['complaint', 'complaint'],
  ['unsubscribe', 'opt_out'],
])

/** Any other service: HMAC-SHA256 over a timestamp, a dot and the raw body. */
export const generic: Provider = {
  makesSecret: true,
  isSigned({ headers, raw, now }, key) {
    const timestamp = headers['x-postlark-timestamp']
    const claimed = headers['x-postlark-signature']
    if (typeof timestamp !== 'string' || typeof claimed !== 'string' || !/^\d{9,11}$/.test(timestamp)) return false
    if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE) return false
    return isSame(`sha256=${createHmac('sha256', key).update(`${timestamp}.`).update(raw).digest('hex')}`, claimed)
  },
  read(body) {
    if (!isObject(body) || !Array.isArray(body.events)) throw invalid('events', 'must be a list')
    return body.events.map(readEvent)
  },
}

/** Its author can correct what is wrong: the services' own events are not refused. Throws Refusal 400. */
function readEvent(event: unknown, index: number): ProviderEvent {
  const at = `events.${index}`
  if (!isObject(event)) throw invalid(at, 'must be an object')
  const kind = kinds.get(toText(event.type))
  const key = toText(event.id)
  if (key === '') throw invalid(`${at}.id`, 'is required')
  if (kind === undefined) throw invalid(`${at}.type`, `must be one of ${[...kinds.keys()].join(', ')}`)
  if (toText(event.messageId) === '') throw invalid(`${at}.messageId`, 'is required')
  const words = toText(event.response)
  return {
    key,
    kind,
    marks: [toText(event.messageId)],
    recipient: toText(event.recipient).toLowerCase() || null,
    get class() {
      return judge(words)
    },
    response: toResponse(words),
    at: toDate(event.at),
  }
}
