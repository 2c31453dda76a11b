import { sql } from 'kysely'
import { stopIfBlocked } from '#server/features/gmail/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Keeps the refusals of a Gmail server itself beside those that come back later. */
export async function noteBlocks(db: Db, workspaceId: string, messageIds: string[]): Promise<void> {
  if (messageIds.length === 0) return
  const { rows } = await sql<{ senderId: string }>`
    insert into gmail_messages (message_id, workspace_id, campaign_id, sender_id, bounced_at, bounce_text)
    select id, workspace_id, campaign_id, sender_id, now(), response from messages
    where id = any(${messageIds}::bigint[]) and workspace_id = ${workspaceId} and sender_id is not null
      and state = 'failed' and reason = 'block'
    on conflict (workspace_id, message_id) do update set bounced_at = excluded.bounced_at, bounce_text = excluded.bounce_text
    returning sender_id`.execute(db)
  for (const senderId of new Set(rows.map((row) => row.senderId))) await stopIfBlocked(db, workspaceId, senderId)
}
