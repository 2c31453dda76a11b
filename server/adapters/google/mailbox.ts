import { ConsentProblem } from './consent.ts'

/** One message of a mailbox: its headers by lower-case name, in the order they stand. */
export interface MailHeads {
  /** What the way of reading calls it. */
  id: string
  /** What Gmail calls it and its thread, by every way; empty where it does not say. */
  remoteId: string
  threadId: string
  labelIds: string[]
  /** Milliseconds: when Gmail took it. */
  at: number
  headers: Map<string, string>
}

/** A mailbox that may be read, whatever the way. Every method throws ReadProblem or ConsentProblem. */
export interface Mailbox {
  /** Where it stands now. */
  newest(): Promise<string>
  /** What was added since, oldest first, and where it stands then. Throws ReadProblem `gone` where that cannot be told any more. */
  addedSince(cursor: string): Promise<{ ids: string[]; cursor: string }>
  /** What came in during the last 30 days. */
  recent(): Promise<string[]>
  /** The headers of messages without their texts, in this order; those that are gone are skipped. */
  heads(ids: string[]): AsyncIterable<MailHeads>
  /** A message, RFC 5322, as far as is needed to know why it came. */
  raw(id: string): Promise<Buffer>
  close(): Promise<void>
}

/**
 * What a mailbox could not tell. `scope`: reading was not allowed; `password`: the app password is not taken; `gone`: no
 * such message, or a history that is too old.
 */
export class ReadProblem extends Error {
  readonly kind: 'gone' | 'scope' | 'password' | 'failed'
  constructor(kind: ReadProblem['kind'], message: string) {
    super(message)
    this.name = 'ReadProblem'
    this.kind = kind
  }
}

/** Why a mailbox could not be read, for people; undefined where it is no such problem. */
export const readTrouble = (error: unknown): string | undefined =>
  error instanceof ReadProblem || error instanceof ConsentProblem ? error.message : undefined
