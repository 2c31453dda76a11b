/**
 * The sending engine: compile a draft once, splice it per recipient, hand it to a mail server, and know afterwards what became of it.
 * Knows no HTTP routes and no tables.
 */
export type * from './types.ts'

import type * as T from './types.ts'

const todo = (): never => {
  throw new Error('not built yet')
}

/** Turns a draft into a plan. Throws CompileError with every problem when it has errors. */
export const compile: (draft: T.Draft) => Promise<T.Plan> = todo
export class CompileError extends Error {
  problems: T.Problem[] = []
}
/** Everything a draft's author should know; compile() throws exactly when one of them has severity `error`. */
export const checkDraft: (draft: T.Draft) => Promise<{ plan: T.Plan | null; problems: T.Problem[] }> = todo
/** A draft as one person would read it, without tracking. Never throws for what the author wrote. */
export const renderPreview: (draft: T.Draft, recipient: T.Recipient) => Promise<T.Preview> = todo
export type Prepared = { readonly plan: T.Plan }
/** The fast runtime form of a plan. Do it once per process and campaign. */
export const prepare: (plan: T.Plan, tokens: T.Tokens) => Prepared = todo
/** One person's message. Throws SpliceError when the address or a template loop makes it impossible. */
export const splice: (prepared: Prepared, recipient: T.Recipient, now?: Date) => T.Message = todo
export class SpliceError extends Error {
  outcomeClass: T.BounceClass = 'content'
}
/** The content without tracking, links leading straight to their destinations: for "view in browser". */
export const renderView: (prepared: Prepared, recipient: T.Recipient) => T.Rendered = todo
/** Where a numbered link leads this person; null when it would not be an http(s) address. */
export const renderLink: (url: string, recipient: T.Recipient) => string | null = todo
/** Signs and checks the opaque tokens in links. `keys`: newest first, all are accepted. */
export const createTokens: (...keys: (string | Uint8Array)[]) => T.Tokens = todo
/** One validated addr-spec with the domain as A-label; null for anything else. */
export const parseAddress: (text: string) => { address: string; local: string; domain: string; needsSmtpUtf8: boolean } | null = todo
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
/** A server's answer in our terms. */
export const classify: (code: number, text: string) => Pick<T.Outcome, 'kind' | 'code' | 'enhanced' | 'response' | 'class'> = todo
