import type { z } from 'zod'
import type { Problem as ProblemSchema } from '#contracts/campaigns/check.ts'

/** What stops (error) or hurts (warning) a campaign. */
export type Problem = z.infer<typeof ProblemSchema>

/** Something that stops a campaign, in words. */
export const error = (code: string, message: string): Problem => ({ severity: 'error', code, message })

/** Something that hurts a campaign, in words. */
export const warning = (code: string, message: string): Problem => ({ severity: 'warning', code, message })
