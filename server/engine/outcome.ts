import type { BounceClass, Outcome } from './types.ts'

/** What is known of a message once its conversation is over. */
export type Told = Pick<Outcome, 'kind' | 'code' | 'enhanced' | 'response' | 'remote' | 'reason'>

/** The outcome of this moment. */
export function outcomeOf(
  { kind, code, enhanced, response, remote, reason }: Told,
  blame: BounceClass | null,
): Outcome {
  const at = new Date().toISOString()
  return { kind, code, enhanced, response, class: blame, at, ...(remote && { remote }), ...(reason && { reason }) }
}
