import type { Db } from '#server/platform/db/database.ts'
import { defaultFrom, UnusableSender } from './credentials.ts'
import { readSenders } from './kinds.ts'
import type { SenderServices, SendingAccount } from './sender-kind.ts'
import { type SenderRow, senderById } from './store.ts'

/** A sender ready to send with. Throws UnusableSender. */
export async function openAccount(services: SenderServices, db: Db, row: SenderRow): Promise<SendingAccount> {
  const sender = (await readSenders(services, db, row.workspaceId, [row])).get(row.id)
  if (!sender) throw new UnusableSender('The sender was removed.')
  const { id, isDefault, fromName, perSecond, perDay, connections, state, stateText, restUntil, troubles } = row
  const fromEmail = row.fromEmail || (isDefault ? defaultFrom(services.config.mailFrom) : '')
  const limits = { perSecond, perDay, connections }
  return sender.open({ id, isDefault, fromName, fromEmail, ...limits, state, stateText, restUntil, troubles })
}

/** What the sending side needs of a sender; undefined when it is gone, not configured or cannot be used. */
export async function sendingAccount(
  services: SenderServices,
  db: Db,
  workspaceId: string,
  senderId: string,
): Promise<SendingAccount | undefined> {
  const row = await senderById(db, workspaceId, senderId)
  try {
    return row && (await openAccount(services, db, row))
  } catch (error) {
    if (error instanceof UnusableSender) return undefined
    throw error
  }
}
