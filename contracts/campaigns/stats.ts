import { z } from 'zod'
import { Moment } from '#contracts/values.ts'

const count = z.number().int()
/** `unique` is null where only totals are tracked, so that nobody knows how many people they were. */
const Share = z.object({ total: count, unique: count.nullable(), human: count, machine: count })
const Rate = z.number().nullable()

/** What became of the emails to one receiver; null is what nobody can know. */
const Receiver = z.object({
  /** google, microsoft, yahoo or apple, else the domain; `other`: all beyond the largest 20. */
  receiver: z.string(),
  accepted: count,
  deferred: count,
  /** Refused because of the recipient, at once or later. null: none at once, and no source tells of later ones. */
  bounced: count.nullable(),
  /** Refused because of the sender. */
  blocked: count,
  complained: count.nullable(),
  opened: count.nullable(),
  clicked: count.nullable(),
})

export const CampaignStats = z.object({
  /** Emails that a mail server accepted, those that bounced later included. */
  accepted: count,
  /** Accepted and not bounced so far; null where no bounce source tells of later bounces. */
  delivered: count.nullable(),
  /** Since when later bounces are known; null: they are not. */
  observedSince: Moment.nullable(),
  opens: Share,
  clicks: Share,
  /**
   * Shares between 0 and 1; null where nothing can be known (nothing delivered, tracking off or of totals alone, no source of complaints).
   * `bounce` is of what was refused by mail servers at once, and of later bounces as far as a source tells of them (`observedSince`).
   */
  rates: z.object({ open: Rate, click: Rate, clickToOpen: Rate, bounce: Rate, unsubscribe: Rate, complaint: Rate }),
  /** `link` is the number of the link, for GET /api/campaigns/:id/messages?link=. */
  links: z.array(z.object({ link: count, url: z.string(), clicks: count, unique: count.nullable(), machine: count })),
  timeline: z.array(z.object({ at: Moment, opens: count, clicks: count, machine: count })),
  clients: z.array(z.object({ name: z.string(), opens: count })),
  /**
   * Recipients whose mail server rejected the address for good, at once or later. Without `observedSince` those at once alone are known:
   * then it is null instead of 0.
   */
  bounces: count.nullable(),
  unsubscribes: count,
  /** People who reported it as spam; null where no source reports complaints, so that nobody can know. */
  complaints: count.nullable(),
  /** The receivers of emails, the largest first; empty on other channels. */
  receivers: z.array(Receiver),
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
    /** WhatsApp alone. */
    'delivered',
    'read',
  ]),
  class: z.enum(['human', 'machine']).nullable(),
  reason: z.string(),
  detail: z.string(),
})
