import type { BounceClass, Outcome } from './types.ts'

/** What is known of a message once its conversation is over. */
export type OutcomeInput = Pick<Outcome, 'kind' | 'code' | 'enhanced' | 'response' | 'remote' | 'reason'>

/** The outcome of this moment. */
export function buildOutcome(
  { kind, code, enhanced, response, remote, reason }: OutcomeInput,
  blame: BounceClass | null,
): Outcome {
  const at = new Date().toISOString()
  return { kind, code, enhanced, response, class: blame, at, ...(remote && { remote }), ...(reason && { reason }) }
}
