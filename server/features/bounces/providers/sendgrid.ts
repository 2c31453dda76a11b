import { createPublicKey, verify } from 'node:crypto'
import {
  type Json,
  judge,
  type Provider,
  type ProviderEvent,
  toDate,
  toObjects,
  toResponse,
  toText,
} from './provider.ts'

const toKey = (key: string) => createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })

const kinds = new Map<string, ProviderEvent['kind']>([
  ['bounce', 'bounce'],
  ['spamreport', 'complaint'],
  ['unsubscribe', 'opt_out'],
  ['group_unsubscribe', 'opt_out'],
])

/** SendGrid: ECDSA with SHA-256 over a timestamp and the raw body (signed event webhook). */
export const sendgrid: Provider = {
  makesSecret: false,
  refuseKey(key) {
    try {
      return toKey(key).asymmetricKeyType === 'ec' ? undefined : 'is not the verification key of a SendGrid webhook'
    } catch {
      return 'is not the verification key of a SendGrid webhook'
    }
  },
  isSigned({ headers, raw }, key) {
    const signature = headers['x-twilio-email-event-webhook-signature']
    const timestamp = headers['x-twilio-email-event-webhook-timestamp']
    if (typeof signature !== 'string' || typeof timestamp !== 'string') return false
    return verify('sha256', Buffer.concat([Buffer.from(timestamp), raw]), toKey(key), Buffer.from(signature, 'base64'))
  },
  read: (body) => toObjects(body).flatMap(readEvent),
}

function readEvent(event: Json): ProviderEvent[] {
  const kind = kinds.get(toText(event.event))
  const key = toText(event.sg_event_id)
  if (kind === undefined || key === '') return []
  const words = [event.status, event.reason].map(toText).filter(Boolean).join(' ')
  const isGone = event.bounce_classification === 'Invalid Address'
  return [
    {
      key,
      kind,
      marks: [toText(event['smtp-id'])],
      recipient: toText(event.email).toLowerCase() || null,
      get class() {
        // What SendGrid calls blocked is about the sender, or passes.
        return judge(words, { gone: isGone, passing: event.type === 'blocked' })
      },
      response: toResponse(toText(event.reason) || words),
      at: toDate(event.timestamp),
    },
  ]
}
