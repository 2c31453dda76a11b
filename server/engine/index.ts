/**
 * The sending engine: compile a draft once, splice it per recipient, hand it to a mail server, and know afterwards what became of it.
 * Knows no HTTP routes and no tables.
 */

export { parseAddress } from '#contracts/email-address.ts'
export { type Bounce, isAutomatic, looksBounced, readBounces } from './bounce.ts'
export { classify } from './classify.ts'
export { CompileError, checkDraft, compile } from './compile.ts'
export { contrastOf } from './contrast.ts'
export { appendOutcome, journalHome, listOrphans, openJournal, readJournal } from './journal.ts'
export { renderCheapLink, renderLink } from './links.ts'
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
} from './pace.ts'
export { createPermitGate, type PermitGate, permitsFor } from './permits.ts'
export { runSlice } from './pipeline.ts'
export { createPools } from './pool.ts'
export { renderCanvas, renderPreview } from './preview.ts'
export type { RunSlice } from './run-slice.ts'
export { checkForRecipients } from './sample.ts'
export { connect, verifySmtp } from './smtp.ts'
export { SmtpConnectError } from './smtp-problem.ts'
export { MIXED_MARK, type Prepared, prepare, renderSubject, renderView, SpliceError, splice } from './splice.ts'
export { createTokens } from './tokens.ts'
export type * from './types.ts'
