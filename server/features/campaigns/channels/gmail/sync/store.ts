import { sql } from 'kysely'
import type { Bounce } from '#server/engine/index.ts'
import type { ReadableAccount } from '#server/features/gmail/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { noteBounce } from '../../email/results.ts'
import { queueNext } from '../steps.ts'

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

/** The message of ours that an email is about: named by its id, by the id Gmail gave it, or the last one of its thread. */
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

/** Notes that a message bounced, once. */
export async function noteReturn(
  db: Db,
  workspaceId: string,
  messageId: string,
  { bounces, at }: { bounces: Bounce[]; at: Date },
): Promise<void> {
  await db.transaction().execute((db) => noteBounce(db, workspaceId, messageId, { bounces, at, source: 'gmail' }))
}

/** A message is in the mailbox: stores the id Gmail gave it, and settles an unconfirmed one as sent. */
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
    if (rows[0]) await queueNext(db, { workspaceId, id: rows[0].campaignId }, [messageId])
  })
}
