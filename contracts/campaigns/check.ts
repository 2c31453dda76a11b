import { z } from 'zod'

/** What would stop (error) or hurt (warning) a campaign. */
export const Problem = z.object({ severity: z.enum(['error', 'warning']), code: z.string(), message: z.string() })

/** WhatsApp only, empty for other channels: members of its lists it does not go to, each counted once. */
export const LeftOut = z.object({
  reason: z.enum([
    /** No consent is recorded, or none that counts. */
    'no_opt_in',
    /** The consent covers another kind of template: only utility for a marketing one. */
    'other_purpose',
    'opted_out',
    /** Two campaigns could not reach the number, or it was suppressed by hand. */
    'unreachable',
    /** Known by Meta's scoped id alone, to which no authentication template can be sent. */
    'needs_number',
    /** Neither a phone number nor a scoped id. */
    'no_phone',
  ]),
  people: z.number().int(),
})
export type LeftOut = z.infer<typeof LeftOut>
