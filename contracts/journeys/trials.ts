import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Id, IdParams, Moment } from '#contracts/values.ts'

const count = z.number().int()

/** Journeys as they would run, without doing anything. */
export const journeyTrials = {
  simulate: endpoint('POST /api/journeys/:id/simulate', 'user', {
    refusals: [409, 429],
    summary:
      'Show the path that a contact would take now. Nothing is sent or changed. Without `contactId` it is the newest contact',
    params: IdParams,
    body: z.strictObject({ contactId: Id.optional() }).default({}),
    response: z.object({
      contactId: Id,
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
      'Count the contacts who would have entered in the last days, and the steps they would have reached by what is known about them now. Nothing is sent or changed',
    params: IdParams,
    body: z.strictObject({ days: z.number().int().min(1).max(90) }),
    response: z.object({
      entered: count,
      steps: z.array(z.object({ stepId: z.string(), entered: count })),
      sample: z.array(z.object({ contactId: Id, email: z.string().nullable(), name: z.string(), at: Moment })),
    }),
  }),
}
