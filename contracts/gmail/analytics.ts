import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { GivenMoment, Id, Moment, PageOf, PageQuery, QueryNumber, TimeZone } from '#contracts/values.ts'

const count = z.number().int()

/**
 * Emails are messages Gmail took and that did not come back. `counted` of them could be watched; of `unknown` counting
 * was off, so that nobody can know. `engaged`: counted emails that people opened (or clicked), each once. `human` and
 * `machine` are all their opens (or clicks). `rate` is engaged / counted; null where nothing was counted.
 */
const Figures = z.object({
  counted: count,
  unknown: count,
  engaged: count,
  human: count,
  machine: count,
  rate: z.number().nullable(),
})
export type GmailFigures = z.infer<typeof Figures>

export const GmailAnalytics = z.object({
  since: Moment,
  until: Moment,
  totals: Figures,
  /** Follow-ups count with the campaign they follow. */
  campaigns: z.array(Figures.extend({ id: Id, name: z.string(), startedAt: Moment.nullable() })),
  /** `address` is null of an account that was disconnected since. */
  accounts: z.array(Figures.extend({ senderId: Id.nullable(), address: z.string().nullable() })),
  /** 1 is the first email, from 2 on its follow-ups. */
  steps: z.array(Figures.extend({ step: count })),
  /** Every day of the range in the asked time zone: emails sent on it, and what people and machines did on it. */
  days: z.array(z.object({ day: z.iso.date(), emails: count, human: count, machine: count })),
  /** Hours of the day, 0 to 23: `human` and `machine` happened in it; the rest is of emails that were sent in it. */
  hours: z.array(Figures.extend({ hour: count })),
  /** What people did, by the day of the week (1 is Monday) and the hour in the asked time zone; without hours in which they did nothing. */
  week: z.array(z.object({ weekday: count, hour: count, human: count })),
  /** Of clicks only, the most clicked first; at most 100. */
  links: z.array(z.object({ url: z.string(), emails: count, human: count, machine: count })),
  /** What the filters can ask for. */
  choices: z.object({
    campaigns: z.array(z.object({ id: Id, name: z.string() })),
    accounts: z.array(z.object({ senderId: Id, address: z.string() })),
    steps: z.array(count),
  }),
})
export type GmailAnalytics = z.infer<typeof GmailAnalytics>

/**
 * Campaigns side by side, each counted from the hour its first email was sent in the asked scope, so that one of May and
 * one of June lie over each other.
 */
export const GmailCurves = z.object({
  unit: z.enum(['hour', 'day']),
  campaigns: z.array(
    Figures.extend({
      id: Id,
      name: z.string(),
      firstAt: Moment,
      /** What people had done within so many units of the first email: emails opened at least once, and openings. It ends at the present. */
      curve: z.array(z.object({ after: count, engaged: count, times: count })),
    }),
  ),
})
export type GmailCurves = z.infer<typeof GmailCurves>

export const GmailRecipient = z.object({
  messageId: Id,
  address: z.string(),
  name: z.string(),
  campaignId: Id,
  campaign: z.string(),
  step: count,
  /** null of an account that was disconnected since. */
  account: z.string().nullable(),
  sentAt: Moment,
  firstAt: Moment,
  lastAt: Moment,
  /** Opens or clicks by people, and by machines beside them. */
  times: count,
  machine: count,
  /** Of clicks: what was clicked. */
  links: z.array(z.string()),
})
export type GmailRecipient = z.infer<typeof GmailRecipient>

const Campaigns = z
  .string()
  .max(2_000)
  .regex(/^[1-9]\d{0,17}(,[1-9]\d{0,17})*$/, 'is a list of ids with commas between')
  .meta({ pattern: '^[1-9]\\d{0,17}(,[1-9]\\d{0,17}){0,49}$' })

/** Emails sent from `since` (30 days ago) until `until` (now). `campaigns`: ids with commas between. */
const Filter = z.object({
  kind: z.enum(['open', 'click']).default('open'),
  campaigns: Campaigns.optional(),
  senderId: Id.optional(),
  step: QueryNumber(z.number().int().min(1).max(100)).optional(),
  since: GivenMoment.optional(),
  until: GivenMoment.optional(),
})

const PERIOD = '`since` is before `until` (now, if it is not given), at most 400 days.'

export const gmailAnalytics = {
  show: endpoint('GET /api/gmail/analytics', 'user', {
    summary: 'Get open rate or click rate of Gmail emails by campaign, account, step, day and hour',
    rules: PERIOD,
    query: Filter.extend({ timeZone: TimeZone.default('UTC') }),
    response: GmailAnalytics,
  }),
  curves: endpoint('GET /api/gmail/analytics/curves', 'user', {
    summary: 'Compare campaigns: cumulative opens or clicks by people since the first email, over 72 hours or 60 days',
    rules: PERIOD,
    query: Filter.extend({ campaigns: Campaigns, unit: z.enum(['hour', 'day']).default('hour') }),
    response: GmailCurves,
  }),
  recipients: endpoint('GET /api/gmail/analytics/recipients', 'user', {
    summary: 'List who opened or clicked, with times, most recently sent emails first',
    rules: PERIOD,
    query: Filter.extend(PageQuery.shape),
    response: PageOf(GmailRecipient),
  }),
  exportRecipients: endpoint('GET /api/gmail/analytics/recipients/export', 'user', {
    types: ['text/csv'],
    summary: 'Export the same as CSV, with formula characters neutralized',
    transport: 'file',
    rules: PERIOD,
    query: Filter,
  }),
}
