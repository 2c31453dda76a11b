/** Tries a plan with some of those it goes to: what it costs depends on what their attributes hold. */

import { Work } from '../liquid/work.ts'
import type { Plan, Problem, Recipient } from '../types.ts'
import { renderLink } from './links.ts'
import { prepare, SpliceError, splice } from './splice.ts'
import { createTokens } from './tokens.ts'

/** The first problem a plan has with one of these recipients; none when it can be made for all of them. */
export function checkForRecipients(plan: Plan, recipients: Recipient[]): Problem[] {
  if (recipients.length === 0) return []
  const prepared = prepare(plan, createTokens('nothing is signed to be sent'))
  for (const recipient of recipients) {
    const found = problemFor(prepared, recipient)
    if (found) {
      const message = `For ${recipient.email}: ${found.message}`
      return [{ code: found.code, part: 'html', line: null, severity: 'error', message }]
    }
  }
  return []
}

function problemFor(
  prepared: ReturnType<typeof prepare>,
  recipient: Recipient,
): Pick<Problem, 'code' | 'message'> | undefined {
  try {
    splice(prepared, recipient)
  } catch (error) {
    if (!(error instanceof SpliceError)) throw error
    // An address that cannot be written to fails by itself, and is no fault of the content.
    return error.code ? { code: error.code, message: error.message } : undefined
  }
  for (const { url } of prepared.plan.links) {
    const work = new Work()
    renderLink(url, recipient, work)
    if (work.isSpent)
      return { code: 'syntax', message: `the link ${url.slice(0, 80)} takes more work than one link may.` }
  }
  return undefined
}
