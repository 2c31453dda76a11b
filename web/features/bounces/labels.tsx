import type { BounceSource, BounceSourceKind } from '#contracts/bounces/bounces.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'

const looks: Record<BounceSource['state'], React.ComponentProps<typeof Badge>> = {
  waiting: { shape: 'clock', children: 'Waiting' },
  receiving: { tone: 'good', shape: 'check', children: 'Receiving' },
  failing: { tone: 'harm', shape: 'cross', children: 'Failing' },
}

/** Whether events have come, in a word. */
export const SourceState = ({ state }: Pick<BounceSource, 'state'>) => <Badge {...looks[state]} />

interface KindWords {
  label: string
  /** Where its key is found; null: a secret is made here. */
  key: string | null
  /** What to do with the webhook URL or the address. */
  steps: string
}

/** Services in the words of their own screens. */
export const kinds: Record<BounceSourceKind, KindWords> = {
  ses: {
    label: 'Amazon SES',
    key: 'The ARN of the topic, as Amazon SNS shows it.',
    steps:
      'In Amazon SNS open your topic → Create subscription, choose HTTPS and enter this URL. Postlark confirms the subscription automatically. In Amazon SES open your identity → Notifications, choose the topic for bounces and complaints, and include the original headers: the email is recognized by them. A configuration set with an event destination on the topic works too.',
  },
  sendgrid: {
    label: 'SendGrid',
    key: 'The verification key under Settings → Mail Settings → Event Webhook → Signature Verification.',
    steps:
      'In SendGrid open Settings → Mail Settings → Event Webhook, add this URL, and choose bounced, dropped, spam reports and unsubscribes. Turn on the signed event webhook.',
  },
  mailgun: {
    label: 'Mailgun',
    key: 'The HTTP webhook signing key under Settings → API Security.',
    steps: 'In Mailgun open Send → Webhooks and add this URL for permanent failures, complaints and unsubscribes.',
  },
  postmark: {
    label: 'Postmark',
    key: null,
    steps:
      'In Postmark open your message stream → Webhooks and add this URL, with postlark as the user name and the secret as the password, for bounces and spam complaints. Turn on “Include bounce content”: the email is recognized by it.',
  },
  listener: {
    label: 'Return path',
    key: null,
    steps:
      'Publish the return path record of your sending domain (Email Sender → Domains): bounces of its emails are then returned to Postlark. Give the feedback address to mailbox providers that report spam complaints, such as Yahoo.',
  },
  imap: {
    label: 'Mailbox (IMAP)',
    key: null,
    steps:
      'Bounces in this folder are read every minute and deleted once they are applied. Other emails in it stay. Use a mailbox for bounces alone.',
  },
  generic: {
    label: 'Other service',
    key: null,
    steps:
      'POST JSON to this URL: {"events": [{"id", "type", "messageId", "response", "recipient", "at"}]}, with the type bounce, complaint or unsubscribe and the Message-ID of the email. Sign each request with the secret: X-Postlark-Signature is sha256= and the HMAC-SHA256, in hexadecimal, of X-Postlark-Timestamp (Unix seconds), a dot and the body. The timestamp must be within 300 seconds of the current time.',
  },
}
