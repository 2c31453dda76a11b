import { randomBytes } from 'node:crypto'
import { parseHeaders } from './message.ts'

/** One message in a mailbox of the emulator. */
export interface StoredMessage {
  id: string
  threadId: string
  labelIds: string[]
  /** Milliseconds. */
  at: number
  historyId: number
  /** Its number over IMAP, in every folder. */
  uid: number
  raw: Buffer
}

const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000
/** The oldest bodies are deleted when more than this is stored: a sandbox is no archive. */
const MAX_STORED_BYTES = 64 * 1024 * 1024

/** How a send is to be answered instead of as usual: a named error, a status, or no answer at all. */
export type Trouble =
  | { kind: 'status'; status: number }
  | { kind: 'garbage'; status: number }
  | { kind: 'rateLimit' | 'mailSending'; seconds: number }
  | { kind: 'userRateLimit' | 'projectDay' | 'domainPolicy' | 'noMail' | 'perMinute' | 'unauthenticated' }
  /** The message is taken, and the connection is cut before the answer; or cut before it is taken. */
  | { kind: 'lost'; taken: boolean }

/** What happened over IMAP, and what is to go wrong: sign-ins refused, the connection cut when a message is asked for or deleted, or no reply to that. */
export interface ImapJournal {
  /** Sign-ins that were tried, connections that are open, the most there were at once, bytes that were sent. */
  tries: number
  open: number
  most: number
  bytes: number
  trouble: 'none' | 'off' | 'busy' | 'cut' | 'cut-delete' | 'hold-delete'
  /** Deletions that got no reply. */
  held: number
}

/** One Google account of the emulator: its mailbox and what it may send. */
export class Account {
  readonly email: string
  readonly messages: StoredMessage[] = []
  /** In any 24 hours; 100 units a message, 6,000 a minute. */
  perDay: number
  perMinute = 60
  /** The next sends are answered so, one after the other. */
  troubles: Trouble[] = []
  historyId = 1_000
  /** What happened before is not in the history any more. */
  historyFrom = 0
  /** The numbers of messages over IMAP are valid only as long as this one stays. */
  uidValidity = 1
  uidNext = 1
  /** The only one that is taken; undefined: any sixteen letters. */
  appPassword: string | undefined
  readonly imap: ImapJournal = { tries: 0, open: 0, most: 0, bytes: 0, trouble: 'none', held: 0 }
  #sent: number[] = []
  #bytes = 0

  constructor(email: string) {
    this.email = email
    this.perDay = /@(gmail|googlemail)\.com$/i.test(email) ? 500 : 2_000
  }

  /** Why it may not send now: seconds until the day's limit lets one through, or the minute's. */
  refusal(): { kind: 'day'; seconds: number } | { kind: 'minute' } | undefined {
    const now = Date.now()
    this.#sent = this.#sent.filter((at) => at > now - DAY_MS)
    if (this.#sent.length >= this.perDay) {
      const first = this.#sent.at(-this.perDay) ?? now
      return { kind: 'day', seconds: Math.ceil((first + DAY_MS - now) / 1_000) }
    }
    const minute = this.#sent.filter((at) => at > now - MINUTE_MS)
    return minute.length >= this.perMinute ? { kind: 'minute' } : undefined
  }

  noteSent(): void {
    this.#sent.push(Date.now())
  }

  /** Whether an app password opens it. */
  takes(password: string): boolean {
    return this.appPassword === undefined ? /^[a-z]{16}$/i.test(password) : password === this.appPassword
  }

  /** All numbers of messages become others, as after a repair at Google's. */
  renumber(): void {
    this.uidValidity++
    this.uidNext = 1
    for (const message of this.messages) message.uid = this.uidNext++
  }

  /** Keeps a message; a thread that is not in this mailbox is begun anew. */
  add(raw: Buffer, threadId: string | undefined, labelIds: string[]): StoredMessage {
    const id = randomBytes(8).toString('hex')
    const thread = threadId ?? this.#findThread(raw)
    const known = thread !== undefined && this.messages.some((message) => message.threadId === thread)
    const message = {
      id,
      threadId: known ? thread : id,
      labelIds,
      at: Date.now(),
      historyId: ++this.historyId,
      uid: this.uidNext++,
      raw,
    }
    this.messages.push(message)
    this.#bytes += raw.length
    while (this.#bytes > MAX_STORED_BYTES && this.messages.length > 1)
      this.#bytes -= this.messages.shift()?.raw.length ?? 0
    return message
  }

  /** Deletes a message for good. */
  remove(message: StoredMessage): void {
    const at = this.messages.indexOf(message)
    if (at >= 0) this.#bytes -= this.messages.splice(at, 1)[0]?.raw.length ?? 0
  }

  /** The thread of a message that this one names. */
  #findThread(raw: Buffer): string | undefined {
    const headers = parseHeaders(raw)
    const names = `${headers.get('in-reply-to') ?? ''} ${headers.get('references') ?? ''}`.match(/<[^<>\s]+>/g)
    if (!names) return undefined
    const known = new Set<string | undefined>(names)
    return this.messages.findLast((one) => known.has(parseHeaders(one.raw).get('message-id')))?.threadId
  }
}
