import { IMAP as GOOGLE_IMAP } from '#server/adapters/google/channel.ts'
import { gmailMailbox } from '#server/adapters/google/gmail-reading.ts'
import { imapMailbox } from '#server/adapters/google/imap-reading.ts'
import { type Mailbox, ReadProblem } from '#server/adapters/google/mailbox.ts'
import {
  openPassword,
  type SenderRow,
  type SenderServices,
  senderById,
  UnusableSender,
} from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { EgressError, resolvePublic } from '#server/platform/egress.ts'
import { openAccess } from './access.ts'
import { GMAIL_MISSING } from './setup.ts'
import { accountRows } from './store.ts'

/**
 * Opens the mailbox of a Gmail account the way it was connected: Gmail's API, or IMAP with the app password. To be closed
 * again. Throws ReadProblem or ConsentProblem.
 */
export async function openMailbox(
  services: SenderServices,
  db: Db,
  workspaceId: string,
  senderId: string,
): Promise<Mailbox> {
  const row = await senderById(db, workspaceId, senderId)
  const own = row && (await accountRows(db, workspaceId, [senderId])).get(senderId)
  if (!own || !services.gmail) throw new ReadProblem('failed', own ? GMAIL_MISSING : 'The account was removed.')
  if (own.access === 'app_password') return imapMailbox(await resolveImapAccess(services, services.gmail.imapUrl, row))
  return gmailMailbox(services.gmail.apiUrl, openAccess(services, db, senderId))
}

/** By the same rule as every way out; where the operator says another server stands in for Google's, that one too. */
async function resolveImapAccess({ config }: SenderServices, imapUrl: string, row: SenderRow) {
  const url = new URL(imapUrl)
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = url.protocol === 'imaps:'
  const port = Number(url.port) || (secure ? 993 : 143)
  const own = imapUrl === GOOGLE_IMAP ? [] : [url.port ? url.host : url.hostname]
  try {
    const allow = [...config.allowPrivate, ...own]
    const { address } = await resolvePublic(name, port, { allow, dnsServers: config.dnsServers })
    const user = row.username ?? row.fromEmail
    return { host: address, name, port, secure, user, password: openPassword(config.secretKey, row) }
  } catch (error) {
    if (error instanceof UnusableSender) throw new ReadProblem('password', error.message)
    if (error instanceof EgressError)
      throw new ReadProblem('failed', `The mailbox cannot be reached: ${error.message}.`)
    throw error
  }
}
