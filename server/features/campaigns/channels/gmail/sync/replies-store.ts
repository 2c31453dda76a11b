import { sql } from 'kysely'
import { READABLE } from '#server/features/gmail/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What is known of the replies to a campaign. */
export interface Replies {
  id: string
  /** How many of its accounts may be read; a follow-up's accounts are its campaign's. */
  readable: number
  /** Contacts who replied to it or to a follow-up of it. */
  replied: number
}

/** The replies to Gmail campaigns or follow-ups, by id. */
export async function readReplies(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Replies>> {
  const { rows } = await sql<Replies>`
    select c.id,
      (select count(*)::int from campaign_senders s join gmail_accounts g on g.workspace_id = s.workspace_id and g.sender_id = s.sender_id
        where s.workspace_id = c.workspace_id and s.campaign_id = coalesce(c.parent_id, c.id) and g.scopes && ${READABLE}::text[]) as readable,
      (select count(distinct m.contact_id)::int from gmail_messages g join messages m on m.workspace_id = g.workspace_id and m.id = g.message_id
        where g.workspace_id = c.workspace_id and g.replied_at is not null and g.campaign_id in (
          select f.id from campaigns f where f.workspace_id = c.workspace_id and (f.id = c.id or f.parent_id = c.id))) as replied
    from campaigns c where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
