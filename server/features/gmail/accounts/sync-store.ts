import { sql } from 'kysely'
import { isOpen } from '#server/features/accounts/index.ts'
import type { Condition } from '#server/platform/db/conditions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { READABLE } from './health.ts'

/** A Gmail account whose mailbox is to be looked into. */
export interface ReadableAccount {
  senderId: string
  workspaceId: string
  address: string
  cursor: string | null
}

/** Whose mailbox was not looked into for so many seconds, and may be. */
const isDue = (seconds: number) => sql`${isOpen('gmail_accounts.workspace_id')} and scopes && ${READABLE}::text[]
  and revoked_at is null and (read_after is null or read_after < now())
  and (read_at is null or read_at < now() - make_interval(secs => ${seconds})) and (sync_until is null or sync_until < now())`
/** Whether the turn of any mailbox has come. */
export const isAnyMailboxDue = (seconds: number): Condition =>
  sql<boolean>`exists (select 1 from gmail_accounts where ${isDue(seconds)})`

/** Takes the turn to look into mailboxes of open accounts that were not looked into for `seconds`, over all workers. */
export async function takeMailboxes(
  db: Db,
  seconds: number,
  turnSeconds: number,
  most: number,
): Promise<ReadableAccount[]> {
  const { rows } = await sql<ReadableAccount>`
    update gmail_accounts g set sync_until = now() + make_interval(secs => ${turnSeconds})
    from senders s
    where s.workspace_id = g.workspace_id and s.id = g.sender_id and (g.workspace_id, g.sender_id) in (
      select workspace_id, sender_id from gmail_accounts
      where ${isDue(seconds)} order by read_at nulls first limit ${most}) and (g.sync_until is null or g.sync_until < now())
    returning g.sender_id, g.workspace_id, s.from_email as address, g.read_cursor as cursor`.execute(db)
  return rows
}

/** Ends the turn of a mailbox that was read: up to here. */
export async function noteRead(db: Db, senderId: string, readCursor: string): Promise<void> {
  await db
    .updateTable('gmailAccounts')
    .set({ syncUntil: null, readAt: sql<Date>`now()`, readText: '', readCursor, readFailures: 0, readAfter: null })
    .where('senderId', '=', senderId)
    .execute()
}

/** Ends the turn of a mailbox that was not read, and why: asked again in a minute, then in two, up to an hour. */
export async function noteUnread(
  db: Db,
  { workspaceId, senderId }: Pick<ReadableAccount, 'workspaceId' | 'senderId'>,
  text: string,
  needsHands: boolean,
): Promise<void> {
  await sql`
    update gmail_accounts set sync_until = null, read_at = now(), read_text = ${text},
      read_failures = read_failures + 1,
      read_after = (select now() + make_interval(mins => case when ${needsHands} then 60 else least(60, power(2, least(read_failures, 6))::int) end))
    where workspace_id = ${workspaceId} and sender_id = ${senderId}`.execute(db)
}
