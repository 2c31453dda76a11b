import type { BounceSourceKind, WebhookKind } from '#contracts/bounces/bounces.ts'
import { generic } from './generic.ts'
import { mailgun } from './mailgun.ts'
import { postmark } from './postmark.ts'
import type { Provider } from './provider.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'

/** Every service that reports bounces by webhook, by kind. */
export const providers: Readonly<Record<WebhookKind, Provider>> = { ses, sendgrid, postmark, mailgun, generic }

export const isWebhook = (kind: BounceSourceKind): kind is WebhookKind => kind in providers
