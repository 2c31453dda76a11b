import type { Prepared } from './compile/splice.ts'
import type { Signer } from './dkim/signer.ts'
import type { Making } from './making.ts'
import type { ConnectionPool } from './smtp/types.ts'
import type { Gate, Journal, Message, Outcome, Recipient } from './types.ts'

/** What a claimed slice is sent with, and who hears of it. */
export type RunSlice = {
  /** What to send: a mail as it was prepared, or how a message of another channel is written; it may throw SpliceError. */
  prepared: Prepared | ((recipient: Recipient) => Message)
  /** What signs each message; undefined: they leave unsigned. */
  signer?: Signer | undefined
  /** The address each message's bounces return to; undefined: the one it is from. */
  returnPath?: ((recipientId: string) => string) | undefined
  recipients: Recipient[]
  pool: ConnectionPool
  journal: Journal
  gate: Gate
  /** Asked before every hand-over: whether these recipients are still this worker's to write to. */
  isHeld?: () => boolean
  /** The gate is slow: a connection is taken for each message as its turn comes, and returned after it. */
  isPatient?: boolean
  /** Called once for each recipient that was started, after the journal knows. */
  onOutcome: (recipientId: string, outcome: Outcome) => void
  /** Told whose message is being made, and null once it is: that is the only work here whose cost others decide. */
  onMake?: (recipientId: string | null) => void
  /** Whether others are to have the thread before the next message is made; undefined: never. */
  making?: Making
  /** Abort to stop: nothing new is handed over, what is in flight finishes. */
  signal?: AbortSignal
  /** How long after the abort an answer is waited for before the connection is cut and the message unconfirmed; 20 s. */
  graceMs?: number
}
