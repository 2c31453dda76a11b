/**
 * The sending engine: compile a draft once, splice it per recipient, hand it to a mail server, and know afterwards what became of it.
 * Knows no HTTP routes and no tables.
 */

export { parseAddress } from '#contracts/email-address.ts'
export { findAuthenticationFault } from './bounces/authentication.ts'
export { type Bounce, isAutomatic, looksBounced, looksLikeFeedback, readBounces, readReport } from './bounces/bounce.ts'
export { asksToSlowDown, classify, cleanResponse } from './bounces/classify.ts'
export type { MarkedEmail } from './compile/click-map.ts'
export { CompileError, checkDraft, compile } from './compile/compile.ts'
export { findLinkTargets } from './compile/link-targets.ts'
export { asWritten, namePart, renderCheapLink, renderLink } from './compile/links.ts'
export { renderCanvas, renderPreview } from './compile/preview.ts'
export { readReturnAddress, signReturnAddress } from './compile/return-path.ts'
export { checkForRecipients } from './compile/sample.ts'
export { MIXED_MARK, type Prepared, prepare, renderSubject, renderView, SpliceError, splice } from './compile/splice.ts'
export { createTokens } from './compile/tokens.ts'
export { createSigner, type Signer } from './dkim/signer.ts'
export type { AggregateReport, AggregateRow } from './dmarc/aggregate.ts'
export type { Authentication } from './dmarc/authentication.ts'
export type { Delivery } from './dmarc/author.ts'
export { looksLikeAggregate } from './dmarc/mail.ts'
export { appendOutcome, journalHome, listOrphans, openJournal, readJournal } from './journal/journal.ts'
export { isOwnerGone, thisOwner } from './journal/journal-owner.ts'
export { MakingTime } from './making.ts'
export { bothGates, createCountingGate } from './pace/gates.ts'
export {
  createGate,
  dayAllowance,
  dayBucket,
  dayReleaseAt,
  dayRoomAt,
  openGate,
  retryDelay,
  slotStep,
  TOLERANCE_MS,
  takeSlots,
} from './pace/pace.ts'
export { createPermitGate, type PermitGate, permitsFor } from './pace/permits.ts'
export {
  enterStep,
  findStepFault,
  isStepDue,
  planCurve,
  planDay,
  planLimit,
  planRisesAt,
  type RampDays,
  type RampPlan,
  type StepResults,
} from './pace/ramp.ts'
export {
  permitsForReceiver,
  type ReceiverLimits,
  type SlowDown,
  slowDownMore,
  slowedRate,
  slowedUntil,
} from './pace/receiver-pace.ts'
export { runSlice } from './pipeline.ts'
export { findDomain, findOperator, findOperatorByServer, OPERATORS } from './receivers.ts'
export type { RunSlice } from './run-slice.ts'
export { createPools } from './smtp/pool.ts'
export { connect, verifySmtp } from './smtp/smtp.ts'
export { findAddressProblem, SmtpConnectError } from './smtp/smtp-problem.ts'
export type * from './smtp/types.ts'
export type * from './types.ts'
