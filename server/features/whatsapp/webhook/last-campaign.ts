import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { AccountRow } from '../numbers/store.ts'

/**
 * The campaign that led somebody to opt out at a moment: whose message they got last from the number, in the 72 hours before, in
 * which replies count too; null: none. `people`: as Meta knows them.
 */
export async function findLastCampaign(
  db: Db,
  { id, workspaceId }: Pick<AccountRow, 'id' | 'workspaceId'>,
  people: (string | null)[],
  at: Date,
): Promise<string | null> {
  const who = people.filter((one) => one !== null)
  // Meta tells times in whole seconds.
  const isBefore = sql`m.direction = 'out' and m.campaign_id is not null
    and m.at > ${at}::timestamptz - interval '72 hours' and m.at < ${at}::timestamptz + interval '1 second'`
  const { rows } = await sql<{ campaignId: string }>`
    select campaign_id from (
      select m.campaign_id, m.at from whatsapp_conversations v join whatsapp_messages m on m.conversation_id = v.id and m.workspace_id = v.workspace_id
      where v.workspace_id = ${workspaceId} and v.account_id = ${id} and (v.wa_id = any(${who}::text[]) or v.bsuid = any(${who}::text[])) and ${isBefore}
      union all
      select m.campaign_id, m.at from whatsapp_messages m
      where m.workspace_id = ${workspaceId} and m.account_id = ${id} and m.conversation_id is null and m.person = any(${who}::text[]) and ${isBefore}
    ) sent order by at desc limit 1`.execute(db)
  return rows[0]?.campaignId ?? null
}
