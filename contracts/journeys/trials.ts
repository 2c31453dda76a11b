import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, IdParams, Moment } from '#contracts/values.ts'

const count = z.number().int()

/** Journeys as they would run, without doing anything. */
export const journeyTrials = {
  simulate: endpoint('POST /api/journeys/:id/simulate', 'user', {
    refusals: [429],
    summary: 'Follow the way one contact would take now, without doing anything',
    params: IdParams,
    body: z.strictObject({ contactId: Id }),
    response: z.object({
      /** Why the contact would not enter; null: it would. */
      obstacle: z.enum(['entry_filter', 'already_entered']).nullable(),
      /** Each step with the time the contact gets there; `outcome` of a branch is yes or no, of an email why it would be skipped, else empty. */
      path: z.array(z.object({ stepId: z.string(), at: Moment, outcome: z.string() })),
      end: z.enum(['done', 'goal', 'exited']),
    }),
  }),
  replay: endpoint('POST /api/journeys/:id/replay', 'user', {
    refusals: [409, 429],
    summary:
      'Count who would have entered in the last days, and how they would have gone through the steps by what is known of them now, without doing anything',
    params: IdParams,
    body: z.strictObject({ days: z.number().int().min(1).max(90) }),
    response: z.object({
      entered: count,
      steps: z.array(z.object({ stepId: z.string(), entered: count })),
      sample: z.array(z.object({ contactId: Id, email: z.string(), name: z.string(), at: Moment })),
    }),
  }),
}
