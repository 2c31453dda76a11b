import { z } from 'zod'
import { LeftOut, Problem } from './campaign-check.ts'
import { Attachment, Forecast, MergedRows, SendingWindow, WhatsAppContent } from './campaign-parts.ts'
import { CampaignStats, MessageEvent } from './campaign-stats.ts'
import { endpoint } from './endpoint.ts'
import { Empty, Id, IdParams, Line, Moment, PageOf, PageQuery } from './values.ts'

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
  /** Bounced after a mail server accepted them. 0 also where nobody can know: over SMTP, and where `reads` is `none`. */
  bounced: count,
  suppressed: count,
  unconfirmed: count,
})
export type Counts = z.infer<typeof Counts>

export const Campaign = z.object({
  id: Id,
  name: z.string(),
  channel: z.enum(['email', 'gmail', 'whatsapp']),
  state: CampaignState,
  /** Why it rests when nobody asked for it: a mail server that refuses, a breaker, a limit. */
  stateText: z.string(),
  /** The sender; of a Gmail campaign the first of `senderIds`. */
  senderId: Id.nullable(),
  /** The Gmail accounts it goes through in turn; empty for other channels. */
  senderIds: z.array(Id),
  subject: z.string(),
  templateId: Id.nullable(),
  html: z.string(),
  listIds: z.array(Id),
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  /** Gmail only: when it may send, and whether a day's messages are spread over that time. */
  window: SendingWindow.nullable(),
  spread: z.boolean(),
  attachments: z.array(Attachment),
  /** WhatsApp only: what it says, null for other channels, and the template as it is now, null when none or gone. */
  whatsapp: WhatsAppContent.nullable(),
  whatsappTemplate: z
    .object({ id: Id, name: z.string(), language: z.string(), category: z.string(), status: z.string() })
    .nullable(),
  /** WhatsApp only: what Meta told of the messages that were sent; `replied` within 72 hours. */
  delivery: z.object({ delivered: count, read: count, replied: count }).nullable(),
  /** Gmail only: the spreadsheet it goes to, instead of lists chosen by hand. */
  merge: MergedRows.nullable(),
  /** Of a follow-up: the campaign it belongs to. `step` is 1 for every other campaign. */
  parentId: Id.nullable(),
  step: count,
  /** How many follow-ups it has. */
  followUps: count,
  /** Its own messages, without those of follow-ups. */
  counts: Counts,
  /** Unique human openers and clickers, for lists of campaigns. */
  opened: count,
  clicked: count,
  /** Gmail only: through how many of its accounts replies and bounces can be seen. Not through all: some stay unknown. */
  reads: z.enum(['all', 'some', 'none']).nullable(),
  /** People who answered, its follow-ups included; null: unknown, because no account of it may be read. */
  replied: count.nullable(),
  /** Gmail only, while it sends, of one campaign and not in a list of campaigns: when it goes on. */
  forecast: Forecast.nullable(),
  scheduledAt: Moment.nullable(),
  timeZone: z.string().nullable(),
  startedAt: Moment.nullable(),
  finishedAt: Moment.nullable(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type Campaign = z.infer<typeof Campaign>

const Fields = {
  name: Line(120).min(1, 'is required'),
  channel: z.enum(['email', 'gmail', 'whatsapp']),
  senderId: Id.nullable(),
  senderIds: z.array(Id).max(50),
  window: SendingWindow.nullable(),
  subject: Line(300),
  templateId: Id.nullable(),
  html: z.string().max(1024 * 1024, 'is larger than 1 MB'),
  listIds: z.array(Id).max(100),
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  /** Replaced whole. */
  whatsapp: WhatsAppContent,
}

export const CampaignMessage = z.object({
  id: Id,
  contactId: Id.nullable(),
  /** The Gmail account it left through. */
  senderId: Id.nullable(),
  address: z.string(),
  name: z.string(),
  state: MessageState,
  reason: z.string(),
  attempts: count,
  response: z.string(),
  queuedAt: Moment,
  sentAt: Moment.nullable(),
  nextTryAt: Moment.nullable(),
  openedAt: Moment.nullable(),
  clickedAt: Moment.nullable(),
  /** WhatsApp only; Meta tells nothing of reading where the person switched it off. */
  deliveredAt: Moment.nullable(),
  readAt: Moment.nullable(),
  /** WhatsApp only: Meta's code of what went wrong. */
  errorCode: z.number().int().nullable(),
  /** The first answer of a person, not of a machine; null also where answers cannot be seen. */
  repliedAt: Moment.nullable(),
})
export type CampaignMessage = z.infer<typeof CampaignMessage>

const MessageQuery = PageQuery.extend({ state: MessageState.optional(), q: z.string().max(200).optional() })
const Live = z.object({
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

export const campaigns = {
  list: endpoint('GET /api/campaigns', 'user', {
    summary: 'Campaigns, newest first',
    query: PageQuery.extend({
      state: CampaignState.optional(),
      channel: z.enum(['email', 'gmail', 'whatsapp']).optional(),
    }),
    answer: PageOf(Campaign.omit({ html: true })),
  }),
  create: endpoint('POST /api/campaigns', 'user', {
    summary: 'Make a draft',
    status: 201,
    paidIf: { channel: ['gmail'] },
    body: z.strictObject({
      name: Fields.name,
      channel: Fields.channel.default('email'),
      senderId: Fields.senderId.optional(),
      subject: Fields.subject.default(''),
      templateId: Fields.templateId.optional(),
      html: Fields.html.default(''),
      listIds: Fields.listIds.default([]),
      trackOpens: Fields.trackOpens.default(true),
      trackClicks: Fields.trackClicks.default(true),
      senderIds: Fields.senderIds.optional(),
      window: Fields.window.optional(),
      spread: z.boolean().optional(),
      whatsapp: Fields.whatsapp.optional(),
    }),
    answer: Campaign,
  }),
  get: endpoint('GET /api/campaigns/:id', 'user', {
    summary: 'One campaign with its counts',
    params: IdParams,
    answer: Campaign,
  }),
  update: endpoint('PATCH /api/campaigns/:id', 'user', {
    summary: 'Change a draft',
    params: IdParams,
    paidIf: { channel: ['gmail'] },
    body: z.strictObject({
      name: Fields.name.optional(),
      channel: Fields.channel.optional(),
      senderId: Fields.senderId.optional(),
      subject: Fields.subject.optional(),
      templateId: Fields.templateId.optional(),
      html: Fields.html.optional(),
      listIds: Fields.listIds.optional(),
      trackOpens: Fields.trackOpens.optional(),
      trackClicks: Fields.trackClicks.optional(),
      senderIds: Fields.senderIds.optional(),
      window: Fields.window.optional(),
      spread: z.boolean().optional(),
      whatsapp: Fields.whatsapp.optional(),
    }),
    answer: Campaign,
  }),
  attach: endpoint('POST /api/campaigns/:id/attachments', 'paid', {
    summary:
      'Attach a file to a Gmail draft; all of them together are at most 25 MB as they are sent (about 18 MB on disk)',
    status: 201,
    params: IdParams,
    multipart: '`file`: the file',
    answer: Attachment,
  }),
  detach: endpoint('DELETE /api/campaigns/:id/attachments/:attachmentId', 'paid', {
    summary: 'Take a file off a Gmail draft',
    params: z.object({ id: Id, attachmentId: Id }),
    answer: Empty,
  }),
  remove: endpoint('DELETE /api/campaigns/:id', 'user', {
    summary: 'Remove a campaign that is not running',
    params: IdParams,
    answer: Empty,
  }),
  check: endpoint('POST /api/campaigns/:id/check', 'user', {
    summary: 'What would stop or hurt it',
    params: IdParams,
    answer: z.object({
      ok: z.boolean(),
      problems: z.array(Problem),
      recipients: count,
      leftOut: z.array(LeftOut),
      /** Of a Gmail draft: how it would go, were it sent now. */
      forecast: Forecast.nullable(),
    }),
  }),
  test: endpoint('POST /api/campaigns/:id/test', 'user', {
    summary:
      'Send one real message: to an e-mail address, marked as a test; over WhatsApp to the phone number of a contact with a recorded opt-in, or to one of your own. It counts in the month and not in the campaign',
    params: IdParams,
    body: z.strictObject({
      to: Line(320).min(1, 'is required'),
      /** 2 to 11: that follow-up. */
      step: z.number().int().min(1).max(11).default(1),
      /** One of the accounts it goes through; left out: the first. */
      senderId: Id.optional(),
      /** WhatsApp: `to` is the caller's own number, and he says so; needs no contact. At most 5 numbers in 24 hours. */
      own: z.boolean().default(false),
    }),
    answer: z.object({ ok: z.boolean(), message: z.string(), response: z.string() }),
  }),
  send: endpoint('POST /api/campaigns/:id/send', 'user', {
    summary: 'Send now, or at a time',
    status: 202,
    params: IdParams,
    body: z.strictObject({ at: Moment.optional(), timeZone: z.string().max(64).optional() }).default({}),
    answer: Campaign,
  }),
  pause: endpoint('POST /api/campaigns/:id/pause', 'user', {
    summary: 'Stop handing over messages; nothing is lost',
    params: IdParams,
    answer: Campaign,
  }),
  resume: endpoint('POST /api/campaigns/:id/resume', 'user', {
    summary: 'Go on where it stopped',
    params: IdParams,
    answer: Campaign,
  }),
  cancel: endpoint('POST /api/campaigns/:id/cancel', 'user', {
    summary: 'Stop for good; what was sent stays sent',
    params: IdParams,
    answer: Campaign,
  }),
  retry: endpoint('POST /api/campaigns/:id/retry', 'user', {
    summary: 'Queue failed or unconfirmed recipients again, once',
    status: 202,
    params: IdParams,
    body: z.strictObject({ states: z.array(z.enum(['failed', 'unconfirmed'])).min(1) }),
    answer: z.object({ queued: count }),
  }),
  stats: endpoint('GET /api/campaigns/:id/stats', 'user', {
    summary: 'Opens, clicks and what they came from',
    params: IdParams,
    answer: CampaignStats,
  }),
  messages: endpoint('GET /api/campaigns/:id/messages', 'user', {
    summary: 'The campaign recipient by recipient',
    params: IdParams,
    query: MessageQuery,
    answer: PageOf(CampaignMessage),
  }),
  messageEvents: endpoint('GET /api/campaigns/:id/messages/:messageId/events', 'user', {
    summary: 'What happened to one recipient, in order',
    params: z.object({ id: Id, messageId: Id }),
    answer: z.object({ items: z.array(MessageEvent), nextCursor: z.null() }),
  }),
  exportMessages: endpoint('GET /api/campaigns/:id/messages/export', 'user', {
    summary: 'The recipients as CSV',
    transport: 'file',
    params: IdParams,
    query: z.object({ state: MessageState.optional() }),
  }),
  live: endpoint('GET /api/campaigns/:id/live', 'user', {
    summary: 'Counts while it sends, as server-sent events named `counts`',
    transport: 'events',
    params: IdParams,
    answer: Live,
  }),
}
