import type { Mailbox } from '#server/features/sandbox/index.ts'

/** What the thread is started with. */
export interface ThreadData {
  folder: string
  port: number
  greeting: string
  /** By which the marks of workspaces are verified. */
  markKey: Uint8Array
  segmentBytes: number
  totalBytes: number
}

type Methods = Omit<Mailbox, 'watch'>

/** A question to the thread; the answer carries the same number. */
export type Question = { id: number; method: keyof Methods; args: unknown[] }
export type FromThread =
  | { kind: 'ready'; port: number }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'mails'; mails: Awaited<ReturnType<Mailbox['list']>>['items'] }
  | { kind: 'trouble'; message: string }
export type ToThread = Question | 'stop' | { method: 'watch'; on: boolean }
