import { z } from 'zod'
import { Moment } from '#contracts/values.ts'

const count = z.number().int()
const Share = z.object({ total: count, unique: count, human: count, machine: count })
const Rate = z.number().nullable()
export const CampaignStats = z.object({
  delivered: count,
  opens: Share,
  clicks: Share,
  /**
   * Shares between 0 and 1; null where nothing can be known (nothing delivered, tracking off, no source of complaints).
   * `bounce` is of what was refused by mail servers, with later bounces as far as a mailbox is read.
   */
  rates: z.object({ open: Rate, click: Rate, clickToOpen: Rate, bounce: Rate, unsubscribe: Rate, complaint: Rate }),
  /** `link` is the number of the link, for GET /api/campaigns/:id/messages?link=. */
  links: z.array(z.object({ link: count, url: z.string(), clicks: count, unique: count, machine: count })),
  timeline: z.array(z.object({ at: Moment, opens: count, clicks: count, machine: count })),
  clients: z.array(z.object({ name: z.string(), opens: count })),
  /** Recipients whose mail server rejected the address for good, at once or later. */
  bounces: count,
  unsubscribes: count,
  /** People who reported it as spam; null where no source reports complaints, so that nobody can know. */
  complaints: count.nullable(),
})
export type CampaignStats = z.infer<typeof CampaignStats>

/** What happened to one recipient. */
export const MessageEvent = z.object({
  at: Moment,
  kind: z.enum([
    'queued',
    'sent',
    'failed',
    'deferred',
    'open',
    'click',
    'unsubscribe',
    'complaint',
    'bounce',
    'reply',
    'view',
  ]),
  class: z.enum(['human', 'machine']).nullable(),
  reason: z.string(),
  detail: z.string(),
})
