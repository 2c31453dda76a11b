/** What the SMTP client takes and returns, and what stands in its place for other services. */

/** What the server that took a message calls it and its thread. */
export type Remote = { id: string; thread: string }

export type SenderProblemKind =
  | 'dns'
  | 'refused'
  | 'timeout'
  | 'silent'
  | 'tls'
  | 'auth'
  | 'greeting'
  | 'sender'
  | 'journal'
  | 'pace'
  | 'quota'

/** Nothing can leave through this sender now, and no recipient is to blame. `text` is for people. */
export type SenderProblem = {
  kind: SenderProblemKind
  text: string
  code: number | null
  /** ISO time before which trying again only makes it worse. */
  until?: string
}

/** How and where to reach a mail server. */
export type SmtpOptions = {
  host: string
  port: number
  /** `tls`: from the first byte; `starttls`: required; `opportunistic`: STARTTLS when offered; `none`: plain text. */
  secure: 'tls' | 'starttls' | 'none' | 'opportunistic'
  auth?: { user: string; password: string } | null
  /** Our name in EHLO; a sane default when absent. */
  ehloName?: string
  /** Milliseconds. */
  timeouts?: Partial<SmtpTimeouts>
  /** node:net's lookup, so that the caller decides which addresses may be reached. */
  lookup?: import('node:net').LookupFunction
  /** Extra trusted certificates (PEM). */
  ca?: string | Buffer
  /** false only for an emulator with a self-signed certificate. */
  rejectUnauthorized?: boolean
}

export type SmtpTimeouts = { connect: number; greeting: number; command: number; data: number }

/** `not_sent`: no final dot left us, so it may be tried again. `unconfirmed`: the dot left, no answer came. */
export type SendResult = {
  kind: 'sent' | 'deferred' | 'failed' | 'unconfirmed' | 'not_sent'
  code: number | null
  enhanced: string | null
  response: string
  /** The command that was refused. */
  stage?: 'mail' | 'rcpt' | 'data'
  /** Not this message's affair: nothing can leave through the sender now. The message was certainly not taken. */
  problem?: SenderProblem
  remote?: Remote
  /** Says what SMTP's words cannot: such an answer is not classified. */
  reason?: string
}

export type SendRequest = {
  from: string
  to: string
  data: Buffer
  needsSmtpUtf8?: boolean
  /** The thread to put it in, where the server knows threads. */
  thread?: string | null
  /** Awaited once the server has said 354: the place to wait for one's turn. Rejection means not_sent. */
  beforeData?: () => Promise<unknown> | undefined
  /** Awaited just before the bytes with the final dot are written; if it throws they are not. */
  onBeforeFinalDot?: () => unknown
  /**
   * The envelope to open in the same write as this message's end (RFC 2920 3.1), saving a round trip. Only asked of servers with
   * PIPELINING. If the connection is `opened` afterwards, its next send() must be for that envelope, or it has to be destroyed.
   */
  next?: () => Envelope | null
}

export type Envelope = Pick<SendRequest, 'from' | 'to' | 'data' | 'needsSmtpUtf8'>

export type SmtpConnection = {
  /** Never rejects: whatever happens is a result. One message at a time. */
  send(request: SendRequest): Promise<SendResult>
  /** True while it can take any message. */
  readonly usable: boolean
  /** True while it waits for the very message announced by the last one's `next`. */
  readonly opened: boolean
  /** Messages carried so far. */
  readonly carried: number
  /** QUIT, politely but not for long. */
  quit(): Promise<void>
  destroy(): void
}

export type ConnectionPool = {
  /** Messages in a row whose end got no reply; those that were lost at once count as one. */
  silence: number
  /** Connections there may be at once. */
  readonly size: number
  /** Connections there are, those being opened or closed included. */
  readonly open: number
  /** After so many messages a connection is closed and a new one opened. */
  readonly maxMessages: number
  /** Rejects with SmtpConnectError, or when aborted while it waits for one that is in use. */
  acquire(signal?: AbortSignal): Promise<SmtpConnection>
  release(connection: SmtpConnection): void
  /** Sets the size. Surplus connections are closed: idle ones at once, the others after their message. At 0 who waits is rejected. */
  resize(size: number): void
  close(): Promise<void>
}
/** `connect` instead of `smtp`: what is no plain mail server, but responds like one. */
export type PoolOptions = { size: number; idleMs?: number; maxMessages?: number } & (
  | { smtp: SmtpOptions }
  | { connect: Connect }
)
/**
 * Opens a connection; `habits` are what earlier ones to the same server showed, `timeouts` what a mail server gets instead
 * of the usual ones. Rejects with SmtpConnectError.
 */
export type Connect = (habits?: { late: number }, timeouts?: Partial<SmtpTimeouts>) => Promise<SmtpConnection>
export type ConnectionPools = {
  /** The pool of a sender; a key must change with the sender's settings. */
  get(key: string, options: PoolOptions): ConnectionPool
  close(): Promise<void>
}
