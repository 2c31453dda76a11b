import type { SandboxMail } from '#contracts/sandbox/sandbox.ts'
import type { OpenMail } from './mailbox.ts'

type ShownMail = SandboxMail & OpenMail

/** Mailboxes of emulators that take answers to what was sent from them. */
export interface ReplyMailboxes {
  /** Whether a message with this Message-ID left from the mailbox of an address. */
  knows(account: string, messageId: string): Promise<boolean>
  /** Puts an answer (RFC 5322) into it. */
  take(account: string, raw: string): Promise<void>
}

const addressIn = (text: string) => /(?<![^\s<>"])[^\s<>"]+@[^\s<>"]+/.exec(text)?.[0] ?? ''
const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ').trim()
const findHeader = (mail: ShownMail, name: string) =>
  oneLine(mail.headers.find((header) => header.name.toLowerCase() === name)?.value ?? '')

/** Whose mailbox reads answers to a mail; undefined: nobody's. */
export async function findReplyMailbox(
  mail: ShownMail,
  answers: ReplyMailboxes | undefined,
): Promise<string | undefined> {
  const account = addressIn(mail.from)
  const id = findHeader(mail, 'message-id')
  return id !== '' && (await answers?.knows(account, id)) ? account : undefined
}

/** A reply to an email as its recipient writes it, or as their machine does while they are away (RFC 3834). */
export function buildReply(
  mail: ShownMail,
  account: string,
  given: { text: string; by: 'person' | 'machine' },
): string {
  const id = findHeader(mail, 'message-id')
  const subject = oneLine(mail.subject)
  const head = [
    `From: ${addressIn(mail.to[0] ?? '')}`,
    `To: ${account}`,
    `Subject: ${given.by === 'machine' ? 'Automatic reply: ' : /^re:/i.test(subject) ? '' : 'Re: '}${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${crypto.randomUUID()}@sandbox.example>`,
    `In-Reply-To: ${id}`,
    `References: ${id}`,
    ...(given.by === 'machine' ? ['Auto-Submitted: auto-replied'] : []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ]
  return `${head.join('\r\n')}\r\n\r\n${given.text.replace(/\r?\n|\r/g, '\r\n')}\r\n`
}
