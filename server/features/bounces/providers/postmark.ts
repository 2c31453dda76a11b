import { POSTMARK_USER } from '#contracts/bounces/bounces.ts'
import { isSame } from '#server/platform/crypto.ts'
import { isObject, judge, type Provider, type ProviderEvent, toDate, toResponse, toText } from './provider.ts'

/** Postmark signs nothing: the webhook URL carries a user and a password (RFC 7617). */
export const postmark: Provider = {
  makesSecret: true,
  isSigned({ headers }, key) {
    const wanted = `Basic ${Buffer.from(`${POSTMARK_USER}:${key}`).toString('base64')}`
    return isSame(headers.authorization ?? '', wanted)
  },
  read(body) {
    if (!isObject(body)) return []
    const kind = readKind(toText(body.RecordType), toText(body.Type))
    const id = toText(body.ID)
    if (kind === undefined || id === '') return []
    const words = [body.Details, body.Description].map(toText).filter(Boolean).join(' ')
    const metadata = isObject(body.Metadata) ? Object.values(body.Metadata).map(toText) : []
    return [
      {
        key: id,
        kind,
        marks: [toText(body.MessageID), toText(body.Content), ...metadata],
        recipient: toText(body.Email).toLowerCase() || null,
        class: judge(words, { gone: body.Type === 'HardBounce' || body.Type === 'BadEmailAddress' }),
        response: toResponse(toText(body.Details) || words),
        at: toDate(body.BouncedAt),
      },
    ]
  },
}

/** Postmark tells of delays and automatic replies as bounces too. */
const FINAL = new Set([
  'HardBounce',
  'SoftBounce',
  'BadEmailAddress',
  'Blocked',
  'DnsError',
  'DMARCPolicy',
  'SMTPApiError',
])

function readKind(record: string, type: string): ProviderEvent['kind'] | undefined {
  if (record === 'SpamComplaint' || type === 'SpamComplaint') return 'complaint'
  if (record !== 'Bounce') return undefined
  return FINAL.has(type) ? 'bounce' : undefined
}
