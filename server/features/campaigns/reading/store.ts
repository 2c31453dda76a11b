import { sql } from 'kysely'
import type { Bounce } from '#server/engine/index.ts'
import { isOpen } from '#server/features/accounts/index.ts'
import { READABLE } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { stopIfBlocked } from '../blocks.ts'
import { queueNext } from '../sending/steps.ts'

export interface ReadableAccount {
  senderId: string
  workspaceId: string
  address: string
  cursor: string | null
}

/** Takes the turn to look into mailboxes of open accounts that were not looked into for `seconds`, over all workers. */
export async function takeMailboxes(db: Db, seconds: number, turnSeconds: number, most: number) {
  const { rows } = await sql<ReadableAccount>`
    update gmail_accounts g set reading_until = now() + make_interval(secs => ${turnSeconds})
    from senders s
    where s.id = g.sender_id and g.sender_id in (
      select sender_id from gmail_accounts
      where ${isOpen('gmail_accounts.workspace_id')} and scopes && ${READABLE}::text[] and revoked_at is null and (read_after is null or read_after < now())
        and (read_at is null or read_at < now() - make_interval(secs => ${seconds}))
        and (reading_until is null or reading_until < now())
      order by read_at nulls first limit ${most} for update skip locked)
    returning g.sender_id, g.workspace_id, s.from_email as address, g.read_cursor as cursor`.execute(db)
  return rows
}

/** Ends the turn of a mailbox that was read: up to here. */
export async function noteRead(db: Db, senderId: string, readCursor: string): Promise<void> {
  await db
    .updateTable('gmailAccounts')
    .set({ readingUntil: null, readAt: sql<Date>`now()`, readText: '', readCursor, readFailures: 0, readAfter: null })
    .where('senderId', '=', senderId)
    .execute()
}

/** Ends the turn of a mailbox that was not read, and why: asked again in a minute, then in two, up to an hour. */
export async function noteUnread(db: Db, senderId: string, text: string, needsHands: boolean): Promise<void> {
  await sql`
    update gmail_accounts set reading_until = null, read_at = now(), read_text = ${text},
      read_failures = read_failures + 1,
      read_after = now() + make_interval(mins => case when ${needsHands} then 60 else least(60, power(2, least(read_failures, 6))::int) end)
    where sender_id = ${senderId}`.execute(db)
}

/** Whether an account has sent anything that can be answered. */
export async function hasSent(db: Db, { senderId, workspaceId }: ReadableAccount): Promise<boolean> {
  const row = await db
    .selectFrom('gmailMessages')
    .where('senderId', '=', senderId)
    .where('workspaceId', '=', workspaceId)
    .select('messageId')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The message of ours a mail is about: named by its id, by the id Gmail gave it, or the last one of its thread. */
export async function messageAbout(
  db: Db,
  { senderId, workspaceId }: ReadableAccount,
  { ids, rfcIds, threadId }: { ids: string[]; rfcIds: string[]; threadId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ messageId: string }>`
    select message_id from gmail_messages
    where workspace_id = ${workspaceId} and sender_id = ${senderId}
      and (message_id = any(${ids}::bigint[]) or (rfc_id <> '' and rfc_id = any(${rfcIds}::text[]))
        or (thread_id <> '' and thread_id = ${threadId}))
    order by message_id = any(${ids}::bigint[]) desc, message_id desc limit 1`.execute(db)
  return rows[0]?.messageId
}

/** Notes the first answer of a person to a message. */
export async function noteReply(db: Db, workspaceId: string, messageId: string, at: Date): Promise<void> {
  await db
    .updateTable('gmailMessages')
    .set({ repliedAt: at })
    .where('messageId', '=', messageId)
    .where('workspaceId', '=', workspaceId)
    .where('repliedAt', 'is', null)
    .execute()
}

/**
 * Notes that a message came back, once; an address that does not exist is written to no more. A bounce of several
 * recipients (an alias for many) counts with what it says of the message's own, and else with its mildest word.
 */
export async function noteBounce(
  db: Db,
  workspaceId: string,
  messageId: string,
  { bounces, at }: { bounces: Bounce[]; at: Date },
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const message = await db
      .selectFrom('messages')
      .select('address')
      .where('id', '=', messageId)
      .where('workspaceId', '=', workspaceId)
      .executeTakeFirst()
    const bounce =
      bounces.find(({ recipient }) => recipient === message?.address.toLowerCase()) ??
      bounces.find((one) => one.class !== 'hard') ??
      bounces[0]
    if (!bounce) return
    const { rows } = await sql<{ id: string }>`
      update messages set state = 'bounced', reason = ${bounce.class}, response = ${bounce.response},
        sent_at = coalesce(sent_at, ${at}), due_at = null
      where id = ${messageId} and workspace_id = ${workspaceId} and state in ('sent', 'unconfirmed') returning id`.execute(
      db,
    )
    if (rows.length === 0) return
    const noted = await sql<{ senderId: string }>`
      update gmail_messages set bounced_at = ${at}, bounce_text = ${bounce.response}
      where message_id = ${messageId} and workspace_id = ${workspaceId} returning sender_id`.execute(db)
    const { senderId } = noted.rows[0] ?? {}
    if (bounce.class === 'block' && senderId) await stopIfBlocked(db, workspaceId, senderId)
    if (bounce.class !== 'hard') return
    await sql`
      insert into suppressions (workspace_id, channel, address, address_key, reason, note, campaign_id)
      select m.workspace_id, 'email', m.address, lower(m.address), 'hard_bounce', m.response, m.campaign_id
      from messages m where m.id = ${messageId} on conflict do nothing`.execute(db)
  })
}

/** A message stands in the mailbox: the id Gmail gave it is kept, and where nobody knew whether it left, it did. */
export async function noteSeen(
  db: Db,
  workspaceId: string,
  messageId: string,
  seen: { rfcId: string; remoteId: string; threadId: string },
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await sql`update gmail_messages set rfc_id = ${seen.rfcId}, remote_id = ${seen.remoteId}, thread_id = ${seen.threadId}
      where message_id = ${messageId} and workspace_id = ${workspaceId}`.execute(db)
    const { rows } = await sql<{ campaignId: string }>`
      update messages set state = 'sent', reason = '', response = 'Found among the sent messages of the account.'
      where id = ${messageId} and workspace_id = ${workspaceId} and state = 'unconfirmed' returning campaign_id`.execute(
      db,
    )
    if (rows[0]) await queueNext(db, rows[0].campaignId, [messageId])
  })
}
