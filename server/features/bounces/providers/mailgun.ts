import { createHmac } from 'node:crypto'
import { isSame } from '#server/platform/crypto.ts'
import {
  isObject,
  type Json,
  judge,
  type Provider,
  type ProviderEvent,
  parseObject,
  toDate,
  toResponse,
  toText,
} from './provider.ts'

/** Seconds: Mailgun repeats a webhook for eight hours, with the signature it had. */
const MAX_AGE = 12 * 3_600

/** Its webhooks have a few KB; the signature is in what must be parsed first, so a stranger has no more parsed than that. */
const MAX_BYTES = 256 * 1024

/** Mailgun: HMAC-SHA256 over timestamp and token, both in the body. The signature does not cover the event, so each token counts once. */
export const mailgun: Provider = {
  makesSecret: false,
  isSigned({ raw, now }, key) {
    if (raw.length > MAX_BYTES) return false
    const { signature } = parseObject(raw)
    if (!isObject(signature)) return false
    const [timestamp, token, claimed] = [
      toText(signature.timestamp),
      toText(signature.token),
      toText(signature.signature),
    ]
    if (!/^\d{9,11}$/.test(timestamp) || token === '') return false
    if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_AGE) return false
    return isSame(createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex'), claimed)
  },
  read(body) {
    const { signature, 'event-data': event } = isObject(body) ? body : {}
    if (!isObject(event) || !isObject(signature)) return []
    const kind = readKind(event)
    if (kind === undefined) return []
    const status = isObject(event['delivery-status']) ? event['delivery-status'] : {}
    const words = [status.code, status.description, status.message].map(toText).filter(Boolean).join(' ')
    return [
      {
        key: toText(signature.token),
        kind,
        marks: readMarks(event),
        recipient: toText(event.recipient).toLowerCase() || null,
        class: judge(words, { gone: event.reason === 'suppress-bounce' }),
        response: toResponse(words),
        at: toDate(event.timestamp),
      },
    ]
  },
}

function readKind({ event, severity }: Json): ProviderEvent['kind'] | undefined {
  if (event === 'complained') return 'complaint'
  if (event === 'unsubscribed') return 'opt_out'
  return event === 'failed' && severity === 'permanent' ? 'bounce' : undefined
}

function readMarks({ message, envelope }: Json): string[] {
  const headers = isObject(message) && isObject(message.headers) ? message.headers : {}
  return [toText(headers['message-id']), isObject(envelope) ? toText(envelope.sender) : '']
}
