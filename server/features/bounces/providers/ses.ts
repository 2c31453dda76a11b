import { confirmSubscription, findSnsKey } from '#server/adapters/sns/client.ts'
import { isSnsSigned, readTopic, type SnsMessage } from '#server/adapters/sns/message.ts'
import {
  isObject,
  type Json,
  judge,
  type Provider,
  type ProviderEvent,
  parseObject,
  toDate,
  toObjects,
  toResponse,
  toText,
} from './provider.ts'

/** SNS messages have at most 256 KB; quotation marks in them are escaped once more. */
const MAX_BYTES = 600 * 1024
/** Milliseconds: SNS sends again for up to 23 days, and events are remembered for longer. */
const MAX_AGE_MS = 30 * 86_400_000

/** Amazon SES over SNS: messages of one topic, signed with the key of a certificate that only SNS serves. The key is the topic's ARN. */
export const ses: Provider = {
  makesSecret: false,
  refuseKey: (key) => (readTopic(key) ? undefined : 'is not the ARN of an SNS topic'),
  async isSigned({ raw, now }, topicArn, services) {
    const topic = readTopic(topicArn)
    if (raw.length > MAX_BYTES) return false
    const message = parseObject(raw) as SnsMessage
    const age = Math.abs(now.getTime() - Date.parse(toText(message.Timestamp)))
    if (!topic || message.TopicArn !== topicArn || !(age <= MAX_AGE_MS)) return false
    const key = await findSnsKey(services, topic, toText(message.SigningCertURL))
    return key !== undefined && isSnsSigned(message, key)
  },
  async prepare(body, topicArn, services) {
    const topic = readTopic(topicArn)
    if (topic && isObject(body) && body.Type === 'SubscriptionConfirmation')
      await confirmSubscription(services, topic, toText(body.SubscribeURL))
  },
  read(body) {
    if (!isObject(body) || body.Type !== 'Notification') return []
    const event = readMessage(toText(body.Message))
    return event ? readEvents(event, toText(body.MessageId)) : []
  },
}

function readMessage(text: string): Json | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) ? message : undefined
  } catch {
    // "Successfully validated SNS topic …": a text for people.
    return undefined
  }
}

/** Notifications of an identity say `notificationType`, those of a configuration set `eventType`; the rest is the same. */
function readEvents(event: Json, id: string): ProviderEvent[] {
  const mail = isObject(event.mail) ? event.mail : {}
  const marks = readMarks(mail)
  const type = toText(event.eventType) || toText(event.notificationType)
  const common = { key: id, marks, class: 'soft' as const, response: '', recipient: null }
  if (type === 'Complaint' && isObject(event.complaint)) {
    if (event.complaint.complaintFeedbackType === 'not-spam') return []
    return [{ ...common, kind: 'complaint', at: toDate(event.complaint.timestamp) }]
  }
  if (type === 'Subscription' && isObject(event.subscription)) {
    const { newTopicPreferences: chosen, timestamp } = event.subscription
    return isObject(chosen) && chosen.unsubscribeAll === true
      ? [{ ...common, kind: 'opt_out', at: toDate(timestamp) }]
      : []
  }
  return type === 'Bounce' && isObject(event.bounce) ? readBounces(event.bounce, id, marks) : []
}

const MAX_RECIPIENTS = 50

function readBounces(bounce: Json, id: string, marks: string[]): ProviderEvent[] {
  const isPermanent = bounce.bounceType === 'Permanent'
  const isGone =
    isPermanent &&
    ['General', 'NoEmail', 'Suppressed', 'OnAccountSuppressionList'].includes(toText(bounce.bounceSubType))
  return toObjects(bounce.bouncedRecipients)
    .slice(0, MAX_RECIPIENTS)
    .flatMap((recipient, index) => {
      const words = [recipient.status, recipient.diagnosticCode].map(toText).filter(Boolean).join(' ')
      // A transient bounce without the words of a server may be an automatic reply.
      if (!isPermanent && (toText(recipient.action) !== 'failed' || toText(recipient.diagnosticCode) === '')) return []
      return [
        {
          key: `${id}:${index}`,
          kind: 'bounce' as const,
          marks,
          recipient: toText(recipient.emailAddress).toLowerCase() || null,
          class: judge(words, { gone: isGone, passing: !isPermanent }),
          response: toResponse(
            toText(recipient.diagnosticCode) || words || `${toText(bounce.bounceType)} ${toText(bounce.bounceSubType)}`,
          ),
          at: toDate(bounce.timestamp),
        },
      ]
    })
}

/** SES gives emails a Message-ID of its own: our mark is in a header, where SES is told to include them. */
function readMarks({ headers, commonHeaders, source }: Json): string[] {
  const own = toObjects(headers).flatMap(({ name, value }) =>
    ['x-postlark-id', 'message-id'].includes(toText(name).toLowerCase()) ? [toText(value)] : [],
  )
  return [...own, isObject(commonHeaders) ? toText(commonHeaders.messageId) : '', toText(source)]
}
