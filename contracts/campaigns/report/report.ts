import { z } from 'zod'
import { Campaign, Channel, Counts, TrackingMode } from '#contracts/campaigns/campaign.ts'
import { Delivery } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { CampaignStats } from '#contracts/campaigns/stats.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Line, ListOf, Moment } from '#contracts/values.ts'
import { FILTER_RULES, NewRecipientList } from './messages.ts'

const count = z.number().int()
const Rate = z.number().nullable()

/** Average rates of earlier campaigns; null where none of them can be known. */
export const CampaignAverages = z.object({
  /** Of how many campaigns: the last 20 that were sent over the same channel before this one. */
  campaigns: count,
  rates: z.object({
    /** Of all recipients that were tried: accepted by a mail server; over WhatsApp: reached a phone. */
    delivered: Rate,
    open: Rate,
    click: Rate,
    clickToOpen: Rate,
    unsubscribe: Rate,
    bounce: Rate,
    read: Rate,
    reply: Rate,
    failure: Rate,
  }),
})
export type CampaignAverages = z.infer<typeof CampaignAverages>

/** The email of a campaign as it was sent, with sample data in its merge fields. */
export const CampaignEmail = z.object({
  subject: z.string(),
  from: z.string(),
  html: z.string(),
  /** The same with the number of people who clicked beside each link; null where clicks are not tracked. */
  clickMap: z.string().nullable(),
  /** What each link says, by its number: its text, or the alternative text of its image. */
  links: z.array(z.object({ link: count, label: z.string() })),
})
export type CampaignEmail = z.infer<typeof CampaignEmail>

/** A read-only link to a report. The link itself is shown once, when it is created. */
export const CampaignShare = z.object({
  id: Id,
  createdAt: Moment,
  expiresAt: Moment.nullable(),
  lastViewedAt: Moment.nullable(),
})
export type CampaignShare = z.infer<typeof CampaignShare>

/** What a shared report shows: figures, and nobody's address. */
export const SharedReport = z.object({
  name: z.string(),
  channel: Channel,
  sender: z.string(),
  startedAt: Moment.nullable(),
  counts: Counts,
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  trackingMode: TrackingMode,
  stats: CampaignStats,
  /** Over WhatsApp: what Meta reported; null for emails. */
  delivery: Delivery.nullable(),
  email: CampaignEmail.nullable(),
})
export type SharedReport = z.infer<typeof SharedReport>

const ShareParams = z.object({ id: Id, shareId: Id })

export const campaignReports = {
  averages: endpoint('GET /api/campaigns/:id/averages', 'user', {
    summary: 'Get the average rates of earlier campaigns over the same channel',
    params: IdParams,
    response: CampaignAverages,
  }),
  email: endpoint('GET /api/campaigns/:id/email', 'user', {
    refusals: [409],
    summary: 'Get the email as it was sent, and with the clicks of people beside its links',
    params: IdParams,
    response: CampaignEmail,
  }),
  toList: endpoint('POST /api/campaigns/:id/to-list', 'user', {
    refusals: [409],
    summary: 'Create a list of the recipients that a filter finds',
    rules: `${FILTER_RULES} People who unsubscribed stay unsubscribed on the new list.`,
    status: 201,
    params: IdParams,
    body: NewRecipientList,
    gives: { under: ['/api/lists'], pointer: '/listId' },
    response: z.object({
      listId: Id,
      name: z.string(),
      /** People on it, those who unsubscribed included. */
      people: count,
    }),
  }),
  duplicate: endpoint('POST /api/campaigns/:id/duplicate', 'user', {
    refusals: [403],
    summary: 'Create a draft with the content, recipients and settings of a campaign',
    status: 201,
    params: IdParams,
    gives: { under: ['/api/campaigns'], pointer: '/id' },
    response: Campaign,
  }),
  resend: endpoint('POST /api/campaigns/:id/resend', 'user', {
    refusals: [403, 409],
    summary: 'Create a draft of an email campaign to the people who did not respond',
    rules:
      'They go into a new list: everyone whose email was accepted and who has not opened, clicked, replied or unsubscribed so far.',
    status: 201,
    params: IdParams,
    body: z.strictObject({ subject: Line(300).min(1, 'is required'), to: z.enum(['no_response']) }),
    gives: { under: ['/api/campaigns'], pointer: '/id' },
    response: Campaign,
  }),
  shares: endpoint('GET /api/campaigns/:id/shares', 'user', {
    summary: 'List the share links of a report that work',
    params: IdParams,
    response: ListOf(CampaignShare),
  }),
  share: endpoint('POST /api/campaigns/:id/shares', 'user', {
    refusals: [409],
    summary: 'Create a read-only link to the report, at most 20 of a campaign',
    status: 201,
    params: IdParams,
    body: z.strictObject({ expiresInDays: z.number().int().min(1).max(365).nullable().default(null) }).default({
      expiresInDays: null,
    }),
    /** `token` is the last part of the URL: what the shared report is asked for with. */
    gives: { under: ['/api/shared-reports'], pointer: '/token' },
    response: CampaignShare.extend({ url: z.string(), token: z.string() }),
  }),
  unshare: endpoint('DELETE /api/campaigns/:id/shares/:shareId', 'user', {
    summary: 'Revoke a share link; it stops working at once',
    params: ShareParams,
    response: Empty,
  }),
  shared: endpoint('GET /api/shared-reports/:token', 'public', {
    refusals: [404, 429],
    summary: 'Get a shared report; 404 once its link has been revoked or has expired',
    params: z.object({ token: z.string().max(100) }),
    response: SharedReport,
  }),
}
