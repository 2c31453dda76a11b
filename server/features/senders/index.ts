/** Senders: the mail servers and accounts a workspace sends with. */
export { sendingAccount } from './connection.ts'
export { ehloNameFor, openPassword, operatorSmtp, poolKey, sealPassword, UnusableSender } from './credentials.ts'
export { findDefaultAccount } from './default-account.ts'
export { checkAlignment } from './domains/alignment.ts'
export { feedbackHost } from './domains/dmarc/report-address.ts'
export { takeAggregateReport } from './domains/dmarc/reports.ts'
export { findCoveringDomain, findReportedDomain, type ReportedDomain } from './domains/dmarc/store.ts'
export { recheckDomain, showDomain } from './domains/domains.ts'
export { type AwaitedEmail, findAwaited, takeArrival } from './domains/loopback/arrival.ts'
export { findReturnPath } from './domains/return-path.ts'
export { findSigner, signWhole } from './domains/signer.ts'
export { findLinkBase } from './domains/tracking-host.ts'
export { isFromAllowed, unconfirmedText } from './from-address.ts'
export { handleJobs } from './jobs.ts'
export { addSenderKind } from './kinds.ts'
export { newSlowStart, readPlanLimit, readRampAhead, toPlan } from './ramp/plan.ts'
export { queueLookups } from './receivers/jobs.ts'
export {
  type ReceiverPace,
  type ReceiverStates,
  readReceiverStates,
  slowReceiver,
} from './receivers/paces.ts'
export { endPauses, pauseReceiver } from './receivers/pauses.ts'
export { isOperator, labelReceiver, readReceivers, receiverColumn } from './receivers/receivers.ts'
export { domainColumn } from './receivers/store.ts'
export { mountSenders } from './routes.ts'
export type * from './sender-kind.ts'
export { senderServices } from './sender-kind.ts'
export { addSenderPart, type Handed, handOverSingle, reserveBudget, type SingleEmail } from './sender-parts.ts'
export { noteAccepted, recoverSender, restSender, takeSlot } from './sending-store.ts'
export {
  addDefaultSender,
  forgetState,
  insertSender,
  noteRefusal,
  noteRefusalOver,
  type SenderFields,
  type SenderRow,
  senderById,
  setWorking,
  updateSender,
} from './store.ts'
export { limitTries } from './test-limits.ts'
export { sendTestMessage } from './test-message.ts'
