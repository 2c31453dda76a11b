/** Feedback reports of receivers (RFC 5965, RFC 6591): what somebody said of an email they got. */
import { addressIn } from './addresses.ts'
import { listFields } from './mail.ts'

export type FeedbackKind = 'complaint' | 'opt_out' | 'auth_report' | 'not_spam' | 'virus_report'

/** Words of Feedback-Type. Fraud and what has no type of its own are complaints too: somebody does not want such email. */
const KINDS: [RegExp, FeedbackKind][] = [
  [/^opt-?out/i, 'opt_out'],
  [/^(?:auth-failure|dmarc|dkim|spf)/i, 'auth_report'],
  [/^not-?spam/i, 'not_spam'],
  [/^virus/i, 'virus_report'],
]

/** Microsoft's reports have no part of their own: the returned email says to whom it was. */
export function readBareFeedback(returned: string): { kind: FeedbackKind; recipients: string[] } {
  const named = listFields(returned).flatMap(([name, value]) =>
    name === 'x-hmxmroriginalrecipient' ? (addressIn(value) ?? []) : [],
  )
  return { kind: 'complaint', recipients: [...new Set(named)] }
}

/** The kind of a feedback report and whom it names, who are often redacted: then nobody. */
export function readFeedback(report: string): { kind: FeedbackKind; recipients: string[] } {
  const fields = listFields(report)
  const type = fields.find(([name]) => name === 'feedback-type')?.[1] ?? ''
  const named = fields.flatMap(([name, value]) =>
    /^(?:original-rcpt-to|removal-recipient|redacted-address)$/.test(name) ? (addressIn(value) ?? []) : [],
  )
  return { kind: KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'complaint', recipients: [...new Set(named)] }
}
