import type { z } from 'zod'
import type { Problem } from '#contracts/campaigns/check.ts'
import type { Channel } from '../channels/channel.ts'
import type { FixPlace } from './wizard-steps.ts'

/** What the check found. */
export type CheckProblem = z.infer<typeof Problem>

/** A template in the editor, from which Done returns here; `line`: of its source, to select the block there. */
export function editorLink(templateId: string, back: string, line?: number): string {
  const query = new URLSearchParams({ return: back, ...(line && { line: String(line) }) })
  return `/editor/${templateId}?${query}`
}

/** Where a problem is fixed: its follow-up, the block of the template it is about, or what the channel says. */
export function findFix(
  { fixes }: Pick<Channel, 'fixes'>,
  { code, line, step }: Pick<CheckProblem, 'code' | 'line' | 'step'>,
  templateId: string | null,
  back: string,
): FixPlace | undefined {
  if (step && step > 1) return { step: 'followups', label: `Edit follow-up ${step - 1}` }
  const place = fixes[code]
  const isInTemplate = place && 'step' in place && place.step === 'template' && code !== 'no_content'
  return isInTemplate && templateId ? { to: editorLink(templateId, back, line), label: place.label } : place
}
