import type { ImapFlow } from 'imapflow'
import type { BounceMailbox } from '#contracts/bounces/bounces.ts'
import { createImapClient } from '#server/adapters/imap/client.ts'
import type { Config } from '#server/platform/config.ts'
import { EgressError, resolvePublic } from '#server/platform/egress.ts'
import { MAX_REPORT } from '../reports.ts'

/** A look is over by then, whatever the server does: the next one goes on where this one stood. */
const READ_TIMEOUT_MS = 120_000

/** Why a mailbox cannot be read, in words for people. */
export class MailboxProblem extends Error {}

/**
 * Opens a folder of a mailbox to read and delete in it; the caller closes the client. Only public hosts, and those that the operator
 * allows, are reached. Throws MailboxProblem.
 */
export async function openFolder(
  config: Pick<Config, 'allowPrivate' | 'dnsServers'>,
  { host, port, secure, user, folder }: BounceMailbox,
  password: string,
): Promise<ImapFlow> {
  const pinned = await resolvePublic(host, port, { allow: config.allowPrivate, dnsServers: config.dnsServers }).catch(
    (error) => {
      throw error instanceof EgressError ? new MailboxProblem(`${host} cannot be reached: ${error.message}.`) : error
    },
  )
  const access = { host: pinned.address, name: host, port, user, password }
  const client = await createImapClient(
    { ...access, secure: secure === 'tls', startTls: secure === 'starttls' },
    { timeMs: READ_TIMEOUT_MS, messageBytes: MAX_REPORT },
  )
  try {
    await client.connect()
    await client.mailboxOpen(folder)
    return client
  } catch (error) {
    client.close()
    throw toProblem(error, folder)
  }
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
