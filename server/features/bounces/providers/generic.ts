import { createHmac } from 'node:crypto'
import { isSame } from '#server/platform/crypto.ts'
import {
  isObject,
  type Json,
  judge,
  type Provider,
  type ProviderEvent,
  toDate,
  toObjects,
  toResponse,
  toText,
} from './provider.ts'

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
  read: (body) => (isObject(body) ? toObjects(body.events).flatMap(readEvent) : []),
}

function readEvent(event: Json): ProviderEvent[] {
  const kind = kinds.get(toText(event.type))
  const key = toText(event.id)
  if (kind === undefined || key === '') return []
  const words = toText(event.response)
  return [
    {
      key,
      kind,
      marks: [toText(event.messageId), toText(event.returnPath)],
      recipient: toText(event.recipient).toLowerCase() || null,
      class: judge(words),
      response: toResponse(words),
      at: toDate(event.at),
    },
  ]
}
