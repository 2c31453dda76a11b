import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { GivenMoment, Id, Moment, TimeZone } from '#contracts/values.ts'

const count = z.number().int()
/** What became of messages. */
const fates = {
  /** Handed over to Meta: sent, failed and unconfirmed. */
  tried: count,
  /** Accepted by Meta, and not failed since. */
  sent: count,
  /** Reached a phone. */
  delivered: count,
  /** Where the person lets it be known. */
  read: count,
  /** Rejected by Meta, or accepted and not delivered. Not because the person stopped marketing: they are in `optedOut`. */
  failed: count,
}
/** US dollars; null where no price is known. */
const Money = z.number().nullable()

export const WhatsAppStats = z.object({
  since: Moment,
  until: Moment,
  totals: z.object({
    ...fates,
    waiting: count,
    received: count,
    /** People who wrote within 72 hours of a campaign's or a first template; an opt-out is no reply. */
    replied: count,
    optedOut: count,
  }),
  /** Every hour or day of the range, `at` its beginning; a day begins at midnight in the asked time zone. */
  timeline: z.array(
    z.object({
      at: Moment,
      ...fates,
      received: count,
      optedOut: count,
    }),
  ),
  failures: z.array(z.object({ code: count.nullable(), reason: z.string(), messages: count })),
  campaigns: z.array(
    z.object({
      id: Id,
      name: z.string(),
      ...fates,
      replied: count,
      cost: Money,
    }),
  ),
  templates: z.array(z.object({ name: z.string(), ...fates, cost: Money })),
  /** An estimate from a table of Meta's prices, not an invoice. */
  cost: z.object({
    currency: z.string(),
    total: Money,
    /** Billable messages in countries the table has no price for. */
    unpriced: count,
    byCategory: z.array(z.object({ category: z.string(), messages: count, cost: Money })),
    byCountry: z.array(z.object({ country: z.string(), messages: count, cost: Money })),
    /** When the prices were read off Meta's rate card. */
    pricesOf: z.string(),
  }),
})
export type WhatsAppStats = z.infer<typeof WhatsAppStats>

const StatsQuery = z.object({
  accountId: Id.optional(),
  /** Only messages of this campaign, or of this template. */
  campaignId: Id.optional(),
  template: z.string().max(512).optional(),
  since: GivenMoment.optional(),
  until: GivenMoment.optional(),
  step: z.enum(['hour', 'day']).default('day'),
  /** Whose days they are (IANA). */
  timeZone: TimeZone.default('UTC'),
})

const PERIOD =
  '`since` is before `until` (now, if it is not given): at most 400 days, and at most 31 days with the step `hour`. `timeZone` is an IANA time zone.'

export const whatsappStats = {
  show: endpoint('GET /api/whatsapp/stats', 'user', {
    summary: 'Get figures of WhatsApp messages, of the last 30 days by default',
    rules: PERIOD,
    query: StatsQuery,
    response: WhatsAppStats,
  }),
  export: endpoint('GET /api/whatsapp/stats/export', 'user', {
    types: ['text/csv'],
    summary: 'Export one table of these figures as CSV; an unknown cost is an empty cell',
    rules: PERIOD,
    transport: 'file',
    query: StatsQuery.extend({
      table: z.enum(['timeline', 'campaigns', 'templates', 'failures', 'categories', 'countries']),
    }),
  }),
}
