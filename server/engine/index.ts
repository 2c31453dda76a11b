/**
 * The sending engine: compile a draft once, splice it per recipient, hand it to a mail server, and know afterwards what became of it.
 * Knows no HTTP routes and no tables.
 */
export { type Address, parseAddress } from './address.ts'
export { type Answer, classify } from './classify.ts'
export { CompileError, checkDraft, compile } from './compile.ts'
export { renderLink } from './links.ts'
export { findFields, parseTemplate } from './liquid.ts'
export { renderPreview } from './preview.ts'
export { type Prepared, prepare, renderView, SpliceError, splice } from './splice.ts'
export { createTokens } from './tokens.ts'
export type * from './types.ts'

import type { Prepared } from './splice.ts'
import type * as T from './types.ts'

const todo = (): never => {
  throw new Error('not built yet')
}

/** Rejects with SmtpConnectError. */
export const connect: (options: T.SmtpOptions) => Promise<T.SmtpConnection> = todo
export class SmtpConnectError extends Error {
  problem: T.SenderProblem = { kind: 'sender', text: '', code: null }
}
/** Connects, signs in, says QUIT. null when all went well. */
export const verifySmtp: (options: T.SmtpOptions) => Promise<T.SenderProblem | null> = todo
export const createPools: () => T.ConnectionPools = todo
export const openJournal: (dir: string, claimId: string) => T.Journal = todo
/** Every recipient the journal names, with the last thing known. A torn last record is left out. */
export const readJournal: (file: string) => Map<string, T.JournalEntry> = todo
/** Journals in `dir` whose process is gone. */
export const listOrphans: (dir: string) => T.Orphan[] = todo
/** A random id kept in `dir`: store it with each claim, and only ever settle claims of your own home. */
export const journalHome: (dir: string) => string = todo
/** Shared-clock slots handed out by the database: `now` and `slots` in milliseconds of that clock. */
export type Reserve = (count: number) => Promise<{ now: number; slots: number[] }>
export const createGate: (options: { reserve: Reserve; toleranceMs?: number; batch?: number }) => T.Gate = todo
/** A gate that is always open. */
export const openGate: T.Gate = { approach: () => undefined, pass: () => undefined }
/** Milliseconds between two slots so that no sliding second holds more than `perSecond`. */
export const slotStep: (perSecond: number, toleranceMs?: number) => number = todo
/** Milliseconds until the next try after `attempt` (1-based) failed; null when 72 h are over. */
export const retryDelay: (attempt: number, sinceFirstMs: number, random?: () => number) => number | null = todo
/** How many more may be claimed now under a limit per rolling day, given 5-minute buckets (start in ms -> used). */
export const dayAllowance: (perDay: number, buckets: { start: number; used: number }[], now: number) => number = todo
export const dayBucket: (now: number) => number = todo
export type RunSlice = {
  prepared: Prepared
  recipients: T.Recipient[]
  pool: T.ConnectionPool
  journal: T.Journal
  gate: T.Gate
  onOutcome: (recipientId: string, outcome: T.Outcome) => void
  signal?: AbortSignal
}
/** Sends a claimed slice; resolves when nothing is in flight any more. */
export const runSlice: (slice: RunSlice) => Promise<T.SliceResult> = todo
