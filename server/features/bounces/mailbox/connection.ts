import type { ImapFlow } from 'imapflow'
import { createImapClient, type ImapAccess } from '#server/adapters/imap/client.ts'
import { MAX_REPORT } from '../sizes.ts'

/** A look is over by then, whatever the server does: the next one goes on where this one stood. */
const READ_TIMEOUT_MS = 60_000
/** Everything is done by then; a server that is slow to say goodbye holds up the next mailbox. */
const GOODBYE_TIMEOUT_MS = 2_000

/** Why a mailbox cannot be read, in words for people. */
export class MailboxProblem extends Error {}

export const TOO_MUCH = 'The mail server sent more than a mailbox has to say, or took too long.'

/** A client of a mailbox that is not connected yet; the caller closes it. */
export const createClient = (access: ImapAccess): Promise<ImapFlow> =>
  createImapClient(access, { timeMs: READ_TIMEOUT_MS, messageBytes: MAX_REPORT })

/** Says goodbye and ends the connection, whether the server replies or not. */
export async function closeClient(client: ImapFlow): Promise<void> {
  const late = setTimeout(() => client.close(), GOODBYE_TIMEOUT_MS)
  await client.logout().catch(() => undefined)
  clearTimeout(late)
  client.close()
}

/** What went wrong as people are told; what the server said stays short and plain. */
export function toProblem(error: unknown, folder: string): MailboxProblem {
  if (error instanceof MailboxProblem) return error
  const { authenticationFailed, code, responseText, mailboxMissing } = error as {
    authenticationFailed?: boolean
    code?: string
    responseText?: string
    mailboxMissing?: boolean
  }
  const words = responseText ? ` The server said: ${responseText.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200)}` : ''
  if (authenticationFailed) return new MailboxProblem(`The mail server refused the user name or password.${words}`)
  if (mailboxMissing || /nonexistent|unknown mailbox|doesn't exist/i.test(responseText ?? ''))
    return new MailboxProblem(`The folder ${folder} does not exist.${words}`)
  return new MailboxProblem(`The mailbox could not be read${code ? ` (${code})` : ''}.${words}`)
}
