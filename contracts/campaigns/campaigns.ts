import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { formFile } from '#contracts/form-file.ts'
import { Empty, GivenMoment, Id, IdParams, Line, ListOf, PageOf, TimeZone } from '#contracts/values.ts'
import { Campaign, CampaignMessage, Channel, LinkTags, Live, MAX_LINK_TAGS, TrackingMode } from './campaign.ts'
import { Attachment, Forecast, SendingWindow } from './channels/gmail/campaign.ts'
import { WhatsAppContent } from './channels/whatsapp/campaign.ts'
import { AudienceCount, Exclusion, Problem } from './check.ts'
import { listCampaigns } from './list.ts'
import { FILTER_RULES, RecipientFilter, RecipientQuery } from './report/messages.ts'
import { CampaignStats, MessageEvent } from './stats.ts'

/** Bytes of one message with its files as Gmail takes it, at most. */
export const ATTACHMENTS_LIMIT = 25_000_000

const count = z.number().int()

const Fields = {
  name: Line(120).min(1, 'is required'),
  channel: Channel,
  senderId: Id.nullable(),
  subject: Line(300),
  /** Liquid, as in the subject. */
  preheader: Line(300).describe('The preview text: what inboxes show after the subject. Liquid, as in the subject'),
  fromName: Line(80).describe("Name beside the sender's From address; empty: the sender's own"),
  replyTo: Email.nullable().describe('Where replies go; null: to the From address'),
  templateId: Id.nullable(),
  html: z.string().max(1024 * 1024, 'is larger than 1 MB'),
  listIds: z.array(Id).max(100).describe('Lists whose confirmed members it is sent to'),
  segmentIds: z.array(Id).max(20).describe('Segments whose subscribed contacts it is sent to as well'),
  excludeListIds: z.array(Id).max(100).describe('Lists whose members it is not sent to'),
  excludeSegmentIds: z.array(Id).max(20).describe('Segments whose contacts it is not sent to'),
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  trackingMode: TrackingMode.describe(
    'individual: opens and clicks of each recipient. aggregate: totals only; pixel, links and the browser view are the same in every email',
  ),
  linkTags: z
    .array(LinkTags)
    .max(MAX_LINK_TAGS.links)
    .refine((items) => new Set(items.map(({ url }) => url)).size === items.length, 'has the same link twice')
    .describe('Tags that people get who click a link of the email. Clicks by bots add none'),
  senderIds: z.array(Id).max(50),
  window: SendingWindow.nullable(),
  spread: z.boolean(),
  /** Replaced whole. */
  whatsapp: WhatsAppContent,
}

const OF_CHANNELS =
  'Fields of another channel are omitted, null, false or empty: `replyTo`, `linkTags` and a `trackingMode` of aggregate are for email, `window` is for email and Gmail, `senderIds` and `spread` are for Gmail, `whatsapp` is for WhatsApp. The sender is of a kind that the channel sends through. The tags of `linkTags` exist, and no url is named twice.'

export const campaigns = {
  list: listCampaigns,
  create: endpoint('POST /api/campaigns', 'user', {
    summary: 'Create a draft',
    rules: OF_CHANNELS,
    status: 201,
    paidIf: { channel: ['gmail'] },
    body: z.strictObject({
      name: Fields.name,
      channel: Fields.channel.default('email'),
      senderId: Fields.senderId.optional(),
      subject: Fields.subject.default(''),
      preheader: Fields.preheader.default(''),
      fromName: Fields.fromName.default(''),
      replyTo: Fields.replyTo.optional(),
      templateId: Fields.templateId.optional(),
      html: Fields.html.default(''),
      listIds: Fields.listIds.default([]),
      segmentIds: Fields.segmentIds.default([]),
      excludeListIds: Fields.excludeListIds.default([]),
      excludeSegmentIds: Fields.excludeSegmentIds.default([]),
      trackOpens: Fields.trackOpens.default(true),
      trackClicks: Fields.trackClicks.default(true),
      trackingMode: Fields.trackingMode.default('individual'),
      linkTags: Fields.linkTags.default([]),
      senderIds: Fields.senderIds.optional(),
      window: Fields.window.optional(),
      spread: Fields.spread.optional(),
      whatsapp: Fields.whatsapp.optional(),
    }),
    response: Campaign,
  }),
  get: endpoint('GET /api/campaigns/:id', 'user', {
    summary: 'Get a campaign with its counts',
    params: IdParams,
    response: Campaign,
  }),
  update: endpoint('PATCH /api/campaigns/:id', 'user', {
    refusals: [409],
    summary: 'Update a draft, or rename any campaign',
    rules: OF_CHANNELS,
    params: IdParams,
    paidIf: { channel: ['gmail'] },
    body: z.strictObject(Fields).partial(),
    response: Campaign,
  }),
  attach: endpoint('POST /api/campaigns/:id/attachments', 'paid', {
    refusals: [409],
    summary: 'Attach a file to a Gmail draft; all files together are at most 25 MB as sent (about 18 MB on disk)',
    status: 201,
    params: IdParams,
    form: z.strictObject({
      file: formFile('The file', {
        max: ATTACHMENTS_LIMIT,
        isLengthChecked: true,
        missing: 'is missing',
        tooLarge: () =>
          'The file is too large. Gmail accepts messages of up to 25 MB, and encoding makes files a third larger, so all files together can have about 18 MB. Nothing was attached. Link to larger files in the text instead.',
      }),
    }),
    response: Attachment,
  }),
  detach: endpoint('DELETE /api/campaigns/:id/attachments/:attachmentId', 'paid', {
    refusals: [409],
    summary: 'Remove a file from a Gmail draft',
    params: z.object({ id: Id, attachmentId: Id }),
    response: Empty,
  }),
  remove: endpoint('DELETE /api/campaigns/:id', 'user', {
    refusals: [409],
    summary: 'Delete a campaign that is not running',
    params: IdParams,
    response: Empty,
  }),
  check: endpoint('POST /api/campaigns/:id/check', 'user', {
    refusals: [429],
    summary: 'Check a campaign for problems',
    params: IdParams,
    response: z.object({
      ok: z.boolean(),
      problems: z.array(Problem),
      recipients: count,
      excluded: z.array(Exclusion),
      /** The links of an email as it has them, each once; empty while it cannot be compiled. */
      links: z.array(z.string()),
      /** Of an email or Gmail draft: how it would go, were it sent now. */
      forecast: Forecast.nullable(),
    }),
  }),
  audience: endpoint('GET /api/campaigns/:id/audience', 'user', {
    refusals: [429],
    summary: 'Count who a campaign would go to, and who is skipped, by reason',
    params: IdParams,
    response: AudienceCount,
  }),
  test: endpoint('POST /api/campaigns/:id/test', 'user', {
    refusals: [402, 409, 429],
    summary:
      'Send one real message: to an email address, marked as a test; over WhatsApp to the phone number of a contact with a recorded consent, or to one of your own. It counts in the month and not in the campaign',
    rules:
      '`to` is what the channel sends to: an email address or a phone number. `step` exists. `senderId` is one of the campaign.',
    params: IdParams,
    body: z.strictObject({
      to: Line(320).min(1, 'is required'),
      /** 2 to 11: that follow-up. */
      step: z.number().int().min(1).max(11).default(1),
      /** One of the accounts it goes through; omitted: the first. */
      senderId: Id.optional(),
      /** WhatsApp: `to` is the caller's own number, as they state; needs no contact. At most 5 numbers in 24 hours. */
      own: z.boolean().default(false),
    }),
    response: z.object({ ok: z.boolean(), message: z.string(), response: z.string() }),
  }),
  send: endpoint('POST /api/campaigns/:id/send', 'user', {
    refusals: [402, 403, 409, 429],
    summary: 'Send a campaign now or at a given time',
    status: 202,
    params: IdParams,
    body: z.strictObject({ at: GivenMoment.optional(), timeZone: TimeZone.optional() }).default({}),
    response: Campaign,
  }),
  pause: endpoint('POST /api/campaigns/:id/pause', 'user', {
    refusals: [409],
    summary: 'Pause a campaign; nothing is lost',
    params: IdParams,
    response: Campaign,
  }),
  resume: endpoint('POST /api/campaigns/:id/resume', 'user', {
    refusals: [402, 409],
    summary: 'Resume a paused campaign',
    params: IdParams,
    response: Campaign,
  }),
  cancel: endpoint('POST /api/campaigns/:id/cancel', 'user', {
    refusals: [409],
    summary: 'Cancel a campaign; sent messages stay sent',
    params: IdParams,
    response: Campaign,
  }),
  retry: endpoint('POST /api/campaigns/:id/retry', 'user', {
    refusals: [402, 409],
    summary: 'Queue failed or unconfirmed recipients again, once',
    status: 202,
    params: IdParams,
    body: z.strictObject({ states: z.array(z.enum(['failed', 'unconfirmed'])).min(1) }),
    response: z.object({ queued: count }),
  }),
  stats: endpoint('GET /api/campaigns/:id/stats', 'user', {
    summary: 'Get opens, clicks and their sources',
    params: IdParams,
    response: CampaignStats,
  }),
  messages: endpoint('GET /api/campaigns/:id/messages', 'user', {
    summary: 'List the messages of a campaign, one per recipient',
    rules: FILTER_RULES,
    params: IdParams,
    query: RecipientQuery,
    response: PageOf(CampaignMessage),
  }),
  messageEvents: endpoint('GET /api/campaigns/:id/messages/:messageId/events', 'user', {
    summary: 'List the events of one recipient, in order',
    params: z.object({ id: Id, messageId: Id }),
    response: ListOf(MessageEvent),
  }),
  exportMessages: endpoint('GET /api/campaigns/:id/messages/export', 'user', {
    types: ['text/csv'],
    summary: 'Export the messages as CSV',
    rules: FILTER_RULES,
    transport: 'file',
    params: IdParams,
    query: RecipientFilter,
  }),
  live: endpoint('GET /api/campaigns/:id/live', 'user', {
    summary: 'Stream counts while it sends, as server-sent events named `counts`',
    transport: 'events',
    params: IdParams,
    response: Live,
  }),
}
