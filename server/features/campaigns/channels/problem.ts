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

/** The sample contacts on the lists of a campaign: an error where nobody else is on them, a warning where others get it. */
export function sampleProblems(
  samples: number,
  members: number,
  recipients: number,
  where: string,
): Problem<'sample_contacts'>[] {
  if (samples === 0) return []
  if (samples === members)
    return [
      error(
        'sample_contacts',
        `Only sample contacts are ${where}, which never get a campaign. Choose another list or import contacts.`,
      ),
    ]
  if (recipients === 0) return []
  const which = samples === 1 ? 'One of' : `${samples.toLocaleString('en-US')} of`
  const are = samples === 1 ? 'is skipped: it is a sample contact.' : 'are skipped: they are sample contacts.'
  return [warning('sample_contacts', `${which} ${members.toLocaleString('en-US')} contacts ${are}`)]
}
