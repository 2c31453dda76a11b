import { z } from 'zod'
import { Counts } from '#contracts/campaigns/campaign.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, IdParams, ListOf, Moment } from '#contracts/values.ts'

/** What may follow the first message of a Gmail campaign. */
export const mostFollowUps = 10
/** The longest wait between two steps: 90 days. */
export const longestWaitMinutes = 90 * 24 * 60

const count = z.number().int()

/**
 * One step of a sequence. It goes, in the same thread and through the same account, to whom the step before was sent to, so
 * many minutes after that; not to those who unsubscribed, and to those who answered or clicked only if it is not to stop for
 * that. A recipient who is skipped gets none of the later steps either. The campaign itself is step 1.
 *
 * The `id` is that of a campaign: its recipients, events, statistics and export are at the campaign's endpoints. Sending,
 * pausing, resuming and canceling are the sequence's, at the id of step 1.
 */
export const FollowUp = z.object({
  id: Id,
  /** 2 to 11. */
  step: count,
  /** Minutes after the step before was sent. */
  afterMinutes: count,
  /** Of the thread: “Re: ” and the subject of step 1. Another one would begin another thread. */
  subject: z.string(),
  templateId: Id.nullable(),
  html: z.string(),
  stopOnReply: z.boolean(),
  stopOnClick: z.boolean(),
  /** `queued` counts those who wait for their time; `suppressed` those who are skipped. */
  counts: Counts,
  /** Who is skipped, and why: `unsubscribed` with those who left the list or must not be written to. Parts of counts.suppressed. */
  stopped: z.object({ replied: count, clicked: count, unsubscribed: count, bounced: count, other: count }),
  /** When the next of them is due; null: nobody waits. */
  nextAt: Moment.nullable(),
  /** Unique human openers and clickers of this step. */
  opened: count,
  clicked: count,
  /** Answers to this step’s message; null: unknown, because no account of the campaign may be read. */
  replied: count.nullable(),
})
export type FollowUp = z.infer<typeof FollowUp>

const NewFollowUp = z.strictObject({
  afterMinutes: z.number().int().min(1, 'must be a minute or more').max(longestWaitMinutes, 'must be 90 days or less'),
  templateId: Id.nullable().default(null),
  /** HTML or MJML; empty: the template’s. */
  html: z
    .string()
    .max(1024 * 1024, 'is larger than 1 MB')
    .default(''),
  stopOnReply: z.boolean().default(true),
  stopOnClick: z.boolean().default(false),
})

const Sequence = ListOf(FollowUp)

export const followUps = {
  list: endpoint('GET /api/campaigns/:id/follow-ups', 'user', {
    summary: 'List the follow-ups of a Gmail campaign in order, with their counts; none for other channels',
    params: IdParams,
    response: Sequence,
  }),
  save: endpoint('PUT /api/campaigns/:id/follow-ups', 'paid', {
    refusals: [409],
    summary: 'Replace the follow-ups of a Gmail draft, in order; an empty list removes them',
    params: IdParams,
    body: z.strictObject({ items: z.array(NewFollowUp).max(mostFollowUps, 'has more than 10 follow-ups') }),
    response: Sequence,
  }),
}
