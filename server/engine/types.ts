/** The words the engine speaks: what goes in (drafts, recipients), what comes out (plans, messages, outcomes). */
import type { Remote, SenderProblem } from './smtp/types.ts'

/** What kind of problem it is. `syntax` is whatever a parser or MJML says beyond the others. */
export type ProblemCode =
  | 'contrast'
  | 'css'
  | 'dropped_element'
  | 'empty'
  | 'empty_subject'
  | 'empty_text'
  | 'image'
  | 'image_alt'
  | 'include'
  | 'link'
  | 'placeholder'
  | 'sender'
  | 'spam'
  | 'syntax'
  | 'too_long'
  | 'too_much_work'
  | 'unknown_field'
  | 'unknown_filter'

/** Something in a template the author should know. `line` is 1-based in the source they wrote, null when it has no place. */
export type Problem = {
  code: ProblemCode
  part: 'subject' | 'html' | 'mjml' | 'text' | 'sender'
  line: number | null
  message: string
  severity: 'error' | 'warning'
}

/**
 * A merge field as the author wrote it, e.g. `attributes.company`, with the lines it stands on. `bare`: it is printed somewhere
 * without a default, and no condition asks for it.
 */
export type Field = { path: string; lines: number[]; known: boolean; bare?: boolean }

/** A link of an email as its author wrote it, and where it leads one person; `url` null: that cannot be told. */
export type LinkTarget = { written: string; line: number | null; url: string | null }

export type Mailbox = { name?: string | null; address: string }

/** What an author wrote, with everything about the campaign that ends up in the message. */
export type Draft = {
  /** Liquid. */
  subject: string
  /** Liquid in HTML; used when there is no MJML. */
  html?: string | null
  /** Liquid in MJML; wins over `html`. */
  mjml?: string | null
  /** Liquid in plain text; made from the HTML when absent or blank. */
  text?: string | null
  /** What inboxes show after the subject: Liquid, as text. Hidden at the top of the HTML. */
  preheader?: string | null
  from: Mailbox
  replyTo?: Mailbox | null
  trackOpens: boolean
  trackClicks: boolean
  /** The campaign whose opens and clicks are counted in total: pixel and links carry its id instead of a recipient's. Missing: those of each recipient are known. */
  totalsFor?: string | null
  /** Base of every link back to us, without a slash at the end. */
  publicUrl: string
  /** Whose name and postal address stand in the footer. */
  footer: { company?: string | null; postalAddress?: string | null }
  /** Some recipients are told where their address was found (Recipient.origin). */
  tellsOrigins?: boolean
  /** Left part of List-Id, e.g. `list-12`; the sender's domain is appended. */
  listId: string
  listName?: string | null
  /** Feedback-ID as it goes out, `campaign:workspace:type:sender`. */
  feedbackId: string
  /** `confirmation`: asks one person to confirm a subscription, so it has no unsubscribe link and belongs to no list. */
  purpose?: Purpose
}

export type Purpose = 'campaign' | 'confirmation'

/** A numbered link: `url` is where it leads, Liquid in path and query allowed (see renderLink). */
export type PlanLink = { index: number; url: string }

/** A campaign's frozen content. Plain JSON: it lives in a jsonb column. */
export type Plan = {
  version: 1
  from: { name: string | null; address: string }
  replyTo: { name: string | null; address: string } | null
  publicUrl: string
  listId: string
  listName: string | null
  feedbackId: string
  /** Missing: `campaign`. */
  purpose?: Purpose
  /** Liquid, unescaped. */
  subject: string
  /** Liquid with the numbered links and the pixel marked. */
  html: string
  text: string
  links: PlanLink[]
  trackOpens: boolean
  /** As in the draft. Missing: those of each recipient are known. */
  totalsFor?: string
  fields: Field[]
  warnings: Problem[]
}

export type AttributeValue = string | number | boolean | null

/** One person to write to. `id` is the recipient row's bigint as a string; it is what tokens carry. */
export type Recipient = {
  id: string
  email: string
  /** A test: the address it goes to, while its words are for `email`. */
  deliverTo?: string
  name?: string | null
  phone?: string | null
  attributes?: Record<string, AttributeValue>
  /** Of a confirmation email: its link, the lists in words, and the left part of its Message-ID. */
  confirmation?: { url: string; lists: string; messageId: string }
  /** The page where the address was found, said in the footer of plans that tell it. */
  origin?: { url: string; at: Date } | null
  /** The message it follows up: its Message-ID, all of the thread's in order, the server's own name of the thread, and the subject the thread has; null: the plan's. */
  follows?: { messageId: string; references: string[]; thread: string | null; subject: string | null } | null
}

/** A message ready for the wire: CRLF only, ends in CRLF, not dot-stuffed (it never needs to be). */
export type Message = {
  recipientId: string
  messageId: string
  from: string
  to: string
  /** The recipient's local part is not ASCII: only a server with SMTPUTF8 (RFC 6531) can take it. */
  needsSmtpUtf8: boolean
  data: Buffer
  thread?: string | null
  /** `data` is whole once it resolves: until then its signatures are being made. Missing: it is whole. */
  ready?: Promise<void>
}

export type Rendered = { subject: string; html: string; text: string }
export type Preview = Rendered & { problems: Problem[] }

export type TokenPurpose =
  | 'open'
  | 'click'
  | 'unsubscribe'
  | 'view'
  | 'message'
  | 'bounce'
  | 'feedback'
  | 'preferences'
  | 'dmarc'
  | 'campaign_open'
  | 'campaign_click'
  | 'campaign_view'
  | 'loopback'
/** `recipientId`: the campaign's id where the purpose begins with `campaign_`. */
export type TokenContent = { purpose: TokenPurpose; recipientId: string; link: number }
/** What a token is for; `link` 0..65535, only for clicks. */
export type TokenWanted = { purpose: TokenPurpose; link?: number }
export type Tokens = {
  /** Several of one recipient, in the order they were asked for: signed at once they cost what one costs. */
  signAll(recipientId: string, wanted: readonly TokenWanted[]): string[]
  /** base64url, 39 characters; `link` 0..65535, only for clicks. */
  sign(purpose: TokenPurpose, recipientId: string, link?: number): string
  /** null for anything we did not sign, whatever the reason. */
  verify(token: string): TokenContent | null
}

/** Whose fault a refusal is: only `hard` blames the address and suppresses it. */
export type BounceClass = 'hard' | 'soft' | 'block' | 'content' | 'unsupported'

/** What became of one message. `not_sent` never leaves the SMTP client: the pipeline turns it into `deferred`. */
export type Outcome = {
  kind: 'sent' | 'deferred' | 'failed' | 'unconfirmed'
  /** SMTP reply code; null when no reply came. */
  code: number | null
  /** RFC 3463, e.g. `5.1.1`. */
  enhanced: string | null
  /** The server's words, cleaned, at most 500 characters; ours when the server said nothing. */
  response: string
  class: BounceClass | null
  /** ISO time. */
  at: string
  /** What the server that took it calls the message and its thread. */
  remote?: Remote
  /** Of channels without SMTP's classes: what became of it, in a word of their own. */
  reason?: string
}

export type JournalEntry = 'handing' | Outcome
export type Journal = {
  readonly file: string
  /**
   * Resolves when the record is with the operating system: with those of the same turn of the event loop, in one write. Rejects when
   * it could not be written (disk full).
   */
  handing(recipientId: string): Promise<void>
  /** Written with the next records, at the end of this turn at the latest. */
  replied(recipientId: string, outcome: Outcome): void
  close(): void
  /** close() and delete the file: call once the outcomes are in the database. */
  remove(): void
}
export type JournalOwner = { pid: number; thread: number; start: string; boot: string; namespace: string }
export type Orphan = {
  file: string
  claimId: string
  owner: JournalOwner | null
  /** Its owner certainly ended; else that cannot be seen from here. */
  isGone: boolean
  /** When it last changed, in ms. */
  touched: number
}

/** Lets messages through at their times. */
export type Gate = {
  /** True when there is never anything to wait for. */
  readonly open: boolean
  /** Waits until shortly before a turn. Rejects when aborted, or when the shared state cannot be read. */
  approach(signal?: AbortSignal): Promise<Turn> | undefined
}

/** One message's turn. It ends with `left` or `cancel`, whichever is first. */
export type Turn = {
  /** Resolves at a moment when the message may leave, synchronously after. Rejects as `approach` does. */
  pass(signal?: AbortSignal): Promise<void>
  /** The message is being written to the server now. */
  left(): void
  /** It was not: another message may have the turn. */
  cancel(): void
}

export type SliceResult = {
  /** Never started; give them back to the queue, no attempt used. */
  released: string[]
  problem: SenderProblem | null
}
