import { z } from 'zod'

/** How every refusal looks on the wire: `error` and `message` hold the same text for people. */
export const Problem = z.object({
  error: z.string(),
  message: z.string(),
  code: z.string(),
  details: z.array(z.object({ field: z.string().optional(), message: z.string() }).loose()).optional(),
})
/** The least that a refusal says. */
export const ErrorField = z.object({ error: z.string() })
export type Problem = z.infer<typeof Problem>
