import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { onNode } from '#server/platform/db/spread.ts'

/** How many conversations of a workspace have messages that nobody read. */
export async function countUnread(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('whatsappConversations')
    .where('workspaceId', '=', workspaceId)
    .where('unread', '>', 0)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface CampaignMessageRow {
  campaignId: string
  name: string
  status: 'queued' | 'unconfirmed' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed'
  at: Date
  replied: boolean
}

/** The latest messages of campaigns in a conversation, and whether the person wrote within a day of each. */
export async function campaignMessages(
  db: Db,
  workspaceId: string,
  conversationId: string,
): Promise<CampaignMessageRow[]> {
  const { rows } = await sql<CampaignMessageRow>`select m.campaign_id, c.name, m.status, m.at,
      exists (select 1 from whatsapp_messages r where r.conversation_id = m.conversation_id ${onNode('r.workspace_id', workspaceId)} and r.direction = 'in'
        and r.at >= m.at and r.at < m.at + interval '24 hours') as replied
    from whatsapp_messages m join campaigns c on c.workspace_id = m.workspace_id and c.id = m.campaign_id
    where m.workspace_id = ${workspaceId} and m.conversation_id = ${conversationId} and m.campaign_id is not null
    order by m.at desc, m.id desc limit 20`.execute(db)
  return rows
}
