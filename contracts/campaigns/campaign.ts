import { z } from 'zod'
import { Id, Moment } from '#contracts/values.ts'
import { OfEmail } from './channels/email/campaign.ts'
import { Forecast, NotGmail, OfGmail } from './channels/gmail/campaign.ts'
import { MessageOfWhatsApp, NotWhatsApp, OfWhatsApp } from './channels/whatsapp/campaign.ts'

export const CampaignState = z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed'])
export type CampaignState = z.infer<typeof CampaignState>
export const MessageState = z.enum(['queued', 'sent', 'deferred', 'failed', 'bounced', 'suppressed', 'unconfirmed'])
export type MessageState = z.infer<typeof MessageState>

const count = z.number().int()

export const Counts = z.object({
  recipients: count,
  queued: count,
  sent: count,
  deferred: count,
  failed: count,
  /** Bounced after a mail server accepted them. 0 also where nobody can know (`delivered` of the stats is null). */
  bounced: count,
  suppressed: count,
  unconfirmed: count,
})
export type Counts = z.infer<typeof Counts>

/** Why an email bounced after a mail server had accepted it, and what reported it. */
export const LaterBounce = z.object({
  /** Whose fault it is: `hard` and `soft` are about the recipient, `block` about the sender, `content` about the email. */
  class: z.enum(['hard', 'soft', 'block', 'content', 'unsupported']),
  /** The status code (RFC 3463), else the reply code (RFC 5321); null: the report has neither. */
  code: z.string().nullable(),
  response: z.string(),
  at: Moment,
  /** The kind of the bounce source; `gmail`: the mailbox of the account. */
  source: z.string(),
})
export type LaterBounce = z.infer<typeof LaterBounce>

/** Links of an email at most that add tags, and tags of one link. */
export const MAX_LINK_TAGS = { links: 100, tags: 10 }

/** Tags that people get who click a link. */
export const LinkTags = z.strictObject({
  /** As the email has it, Liquid included. */
  url: z.string().trim().min(1, 'is required').max(2_000),
  tags: z.array(Id).min(1, 'needs at least one tag').max(MAX_LINK_TAGS.tags),
})
export type LinkTags = z.infer<typeof LinkTags>

/** Whose opens and clicks are tracked: those of each recipient, or (aggregate) those of all together, with emails that tell nobody apart. */
export const TrackingMode = z.enum(['individual', 'aggregate'])
export type TrackingMode = z.infer<typeof TrackingMode>

/** What every campaign has, whatever its channel. */
const Common = z.object({
  id: Id,
  name: z.string(),
  state: CampaignState,
  /** Why it rests when nobody asked for it: a mail server that refuses, a breaker, a limit. */
  stateText: z.string(),
  /** The sender; of a Gmail campaign the first of `senderIds`. */
  senderId: Id.nullable(),
  subject: z.string(),
  /** What inboxes show after the subject; empty: the beginning of the email. */
  preheader: z.string(),
  /** Beside the sender's From address; empty: the sender's own name. */
  fromName: z.string(),
  /** Where replies go; null: to the From address. Of email campaigns. */
  replyTo: z.string().nullable(),
  templateId: Id.nullable(),
  html: z.string(),
  /** Who it is sent to: confirmed members of these lists, and subscribed contacts of these segments. */
  listIds: z.array(Id),
  segmentIds: z.array(Id),
  /** Who it is not sent to, whatever brings them. */
  excludeListIds: z.array(Id),
  excludeSegmentIds: z.array(Id),
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  /** Aggregate: opens and clicks are counted in total, and who opened or clicked is unknown. Of email campaigns. */
  trackingMode: TrackingMode,
  /** Tags that people get who click a link, about two minutes later. Of email campaigns. */
  linkTags: z.array(z.object({ url: z.string(), tags: z.array(Id) })),
  /** Of a follow-up: the campaign it belongs to. `step` is 1 for every other campaign. */
  parentId: Id.nullable(),
  step: count,
  /** How many follow-ups it has. */
  followUps: count,
  /** Sample data (POST /api/sample-data): counted nowhere and never sent. */
  isSample: z.boolean(),
  /** Its own messages, without those of follow-ups. */
  counts: Counts,
  /** Unique human openers and clickers, for lists of campaigns; null where `trackingMode` is aggregate, so that nobody knows. */
  opened: count.nullable(),
  clicked: count.nullable(),
  scheduledAt: Moment.nullable(),
  timeZone: z.string().nullable(),
  startedAt: Moment.nullable(),
  finishedAt: Moment.nullable(),
  createdAt: Moment,
  updatedAt: Moment,
})

const EmailCampaign = Common.extend({ channel: z.literal('email'), ...OfEmail, ...NotWhatsApp })
const GmailCampaign = Common.extend({ channel: z.literal('gmail'), ...OfGmail, ...NotWhatsApp })
const WhatsAppCampaign = Common.extend({ channel: z.literal('whatsapp'), ...NotGmail, ...OfWhatsApp })

/** One campaign. Its channel says which fields it has; those of other channels are null, false or empty. */
export const Campaign = z.discriminatedUnion('channel', [EmailCampaign, GmailCampaign, WhatsAppCampaign])
export type Campaign = z.infer<typeof Campaign>

/** A campaign as lists show it. */
export const CampaignSummary = z.discriminatedUnion('channel', [
  EmailCampaign.omit({ html: true }),
  GmailCampaign.omit({ html: true }),
  WhatsAppCampaign.omit({ html: true }),
])
export type CampaignSummary = z.infer<typeof CampaignSummary>

export const Channel = z.enum(['email', 'gmail', 'whatsapp'])

/** The fields that messages of some channels have, null for those of others: first those of WhatsApp alone. */
export const MessageOfChannels = {
  ...MessageOfWhatsApp,
  /** Gmail and WhatsApp: when a person, not a machine, first replied; over WhatsApp within 72 hours. null also where replies cannot be read. */
  repliedAt: Moment.nullable(),
}

export const CampaignMessage = z.object({
  id: Id,
  contactId: Id.nullable(),
  /** The account it left through, of a campaign that goes through several. */
  senderId: Id.nullable(),
  address: z.string(),
  name: z.string(),
  state: MessageState,
  reason: z.string(),
  attempts: count,
  response: z.string(),
  /** null: it has not bounced, as far as is known. */
  bounce: LaterBounce.nullable(),
  queuedAt: Moment,
  sentAt: Moment.nullable(),
  nextTryAt: Moment.nullable(),
  /** When a person first opened the email, first clicked a link, and unsubscribed; over WhatsApp opted out. */
  openedAt: Moment.nullable(),
  clickedAt: Moment.nullable(),
  unsubscribedAt: Moment.nullable(),
  /** The last thing the recipient did; before that, when the message was sent. */
  activityAt: Moment.nullable(),
  ...MessageOfChannels,
})
export type CampaignMessage = z.infer<typeof CampaignMessage>

/** What the live stream of a campaign sends. */
export const Live = z.object({
  state: CampaignState,
  stateText: z.string(),
  counts: Counts,
  perSecond: z.number(),
  secondsLeft: z.number().nullable(),
  /** Counts of the follow-ups in order; empty without any. */
  steps: z.array(z.object({ id: Id, step: count, counts: Counts })),
  /** As in the campaign; looked at anew every ten seconds. */
  forecast: Forecast.nullable(),
})
export type Live = z.infer<typeof Live>
