import type { ImapJournal, Trouble } from './accounts.ts'
import type { GmailApi } from './api.ts'
import { parseHeaders } from './message.ts'

/** What may be changed of an account of the emulator, to see how the product bears it. */
export interface ControlCall {
  email: string
  perDay?: number
  perMinute?: number
  /** Returns of the next sends. */
  troubles?: Trouble[]
  /** A message that comes in, RFC 5322; in this thread. */
  incoming?: { raw: string; threadId?: string }
  /** The history up to now is too old to be asked for, as Google's is after about a week. */
  forgetHistory?: boolean
  /** The app password that is taken from now on. */
  appPassword?: string
  /** What goes wrong over IMAP from now on. */
  imap?: ImapJournal['trouble']
  /** Over IMAP all numbers of messages become others. */
  renumber?: boolean
  /** Asks whether a message with this Message-ID left from it, instead of for all there are. */
  sent?: string
}

/** Does what the test asks for, and returns the mailbox for it to read. */
export function control(api: GmailApi, wish: ControlCall) {
  const account = api.account(wish.email)
  if (wish.perDay !== undefined) account.perDay = wish.perDay
  if (wish.perMinute !== undefined) account.perMinute = wish.perMinute
  if (wish.troubles) account.troubles = [...wish.troubles]
  if (wish.incoming) account.add(Buffer.from(wish.incoming.raw), wish.incoming.threadId, ['INBOX', 'UNREAD'])
  if (wish.forgetHistory) account.historyFrom = ++account.historyId
  if (wish.appPassword !== undefined) account.appPassword = wish.appPassword
  if (wish.imap) account.imap.trouble = wish.imap
  if (wish.renumber) account.renumber()
  const { sent } = wish
  return {
    imap: account.imap,
    hasSent: account.messages.some(
      ({ labelIds, raw }) => labelIds.includes('SENT') && parseHeaders(raw).get('message-id') === sent,
    ),
    messages: (sent === undefined ? account.messages : []).map(({ id, threadId, labelIds, at, raw }) => ({
      id,
      threadId,
      labelIds,
      at,
      raw: raw.toString('latin1'),
    })),
    waiting: account.troubles.length,
  }
}
