import { classify } from './bounces/classify.ts'
import type { SendResult } from './smtp/types.ts'
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

/** Whose fault a reply is; null: nobody's, or it says so itself. */
export function blameReply({ kind, reason, code, enhanced, response }: SendResult): BounceClass | null {
  if (kind === 'unconfirmed' || kind === 'sent' || reason !== undefined) return null
  if (code !== null) return classify(code, response).class
  return enhanced === '5.3.4' || enhanced === '5.6.0' ? 'content' : 'unsupported'
}
