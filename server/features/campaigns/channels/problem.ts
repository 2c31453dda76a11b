import type { z } from 'zod'
import type { ProblemCode, Problem as ProblemSchema } from '#contracts/campaigns/check.ts'

/** What stops (error) or hurts (warning) a campaign; `Code`: those of one channel. */
export type Problem<Code extends ProblemCode = ProblemCode> = Omit<z.infer<typeof ProblemSchema>, 'code'> & {
  code: Code
}

/** Something that stops a campaign, in words. */
export const error = <Code extends ProblemCode>(code: Code, message: string): Problem<Code> => ({
  severity: 'error',
  code,
  message,
})

/** Something that hurts a campaign, in words. */
export const warning = <Code extends ProblemCode>(code: Code, message: string): Problem<Code> => ({
  severity: 'warning',
  code,
  message,
})
