import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, Moment } from '#contracts/values.ts'

const count = z.number().int()

export const Dashboard = z.object({
  /** The figures below are of email campaigns begun since then: 30 days. */
  since: Moment,
  /** Messages a mail server took. */
  sent: count,
  /** Messages people opened, each counted once, machines skipped; null where nothing that was sent is tracked, so that nobody can know. */
  opened: count.nullable(),
  clicked: count.nullable(),
  /** Addresses and numbers found on web pages. */
  found: count,
  /** The next email campaign that begins by itself. */
  next: z.object({ id: Id, name: z.string(), at: Moment }).nullable(),
  /** Which steps to a first campaign are done, by what is there. */
  steps: z.object({ template: z.boolean(), recipients: z.boolean(), campaign: z.boolean(), sent: z.boolean() }),
})
export type Dashboard = z.infer<typeof Dashboard>

const Channel = z.enum(['email', 'gmail', 'whatsapp'])
const Figures = z.object({
  sent: count,
  /** People who opened; over WhatsApp who read. null where nothing that was sent is tracked. */
  opened: count.nullable(),
  clicked: count.nullable(),
  /** People who replied over WhatsApp, and whom messages reached there: of these they are a share. null for other channels. */
  replied: count.nullable(),
  delivered: count.nullable(),
})

/** What campaigns of a period did, the period before it, and what needs the user. */
export const Activity = z.object({
  since: Moment,
  figures: Figures,
  previous: Figures,
  /** A figure of each day (UTC), of campaigns that started on it; `previousSent`: on the same day of the period before. */
  trend: z.array(
    z.object({ day: z.string(), sent: count, opened: count, clicked: count, replied: count, previousSent: count }),
  ),
  /** The campaign that started last. */
  last: z
    .object({
      id: Id,
      name: z.string(),
      channel: Channel,
      state: z.enum(['sending', 'paused', 'sent', 'cancelled', 'failed']),
      startedAt: Moment,
      figures: Figures,
    })
    .nullable(),
  /** The campaign that starts next automatically. */
  next: z.object({ id: Id, name: z.string(), channel: Channel, at: Moment }).nullable(),
  /** At most 10 of each kind: what waits for the user, whatever the channel. */
  attention: z.array(
    z.object({
      kind: z.enum(['draft', 'import', 'sender', 'gmail', 'number', 'campaign', 'journey', 'conversations']),
      /** Of what it is about; null for all conversations together. */
      id: Id.nullable(),
      name: z.string(),
      /** Of a draft and a campaign. */
      channel: Channel.nullable(),
      /** Why, in words; for conversations how many are unread. */
      detail: z.string(),
      at: Moment,
    }),
  ),
})
export type Activity = z.infer<typeof Activity>

export const dashboard = {
  show: endpoint('GET /api/dashboard', 'user', {
    summary: 'Get activity of the last 30 days, the next campaigns, and the progress of the first campaign',
    response: Dashboard,
  }),
  activity: endpoint('GET /api/dashboard/activity', 'user', {
    summary:
      'Get what campaigns of the last 30 or 90 days did, of all channels or one, day by day and beside the period before; the last and the next campaign; and what needs attention',
    query: z.object({ channel: Channel.optional(), days: z.enum(['30', '90']).default('30') }),
    response: Activity,
  }),
}
