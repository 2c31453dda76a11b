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
    const message = problemFor(prepared, recipient)
    if (message) return [{ part: 'html', line: null, severity: 'error', message: `For ${recipient.email}: ${message}` }]
  }
  return []
}

function problemFor(prepared: ReturnType<typeof prepare>, recipient: Recipient): string | undefined {
  try {
    splice(prepared, recipient)
  } catch (error) {
    if (!(error instanceof SpliceError)) throw error
    // An address that cannot be written to fails by itself, and is no fault of the content.
    return error.outcomeClass === 'content' ? error.message : undefined
  }
  for (const { url } of prepared.plan.links) {
    const work = new Work()
    renderLink(url, recipient, work)
    if (work.isSpent) return `the link ${url.slice(0, 80)} takes more work than one link may.`
  }
  return undefined
}
