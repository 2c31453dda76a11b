import { sql } from 'kysely'
import type { MergedRows } from '#contracts/campaigns/channels/gmail/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'

const FIXED = ['email', 'name', 'first_name', 'last_name', 'phone']

/** What columns are in Liquid, those every contact has first. */
const toLiquidFields = (targets: string[]) => [
  ...FIXED.filter((field) => targets.includes(field)),
  ...targets.filter((field) => !FIXED.includes(field)).map(attributePath),
]

/** company -> attributes.company; a name with spaces or dots needs brackets. */
function attributePath(field: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(field) ? `attributes.${field}` : `attributes["${field}"]`
}

type MergeRow = Omit<MergedRows, 'fields' | 'listId'> & {
  id: string
  listId: string
  mapping: Record<string, string> | null
}

/** The spreadsheets whose rows campaigns go to, by campaign; one with lists chosen since goes to these, and has none. */
export async function readMergedRows(
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<Map<string, MergedRows & { listId: string }>> {
  const { rows } = await sql<MergeRow>`
    select c.id, i.id as import_id, i.list_id, coalesce(i.file_name, '') as file_name, i.state, i.total, i.skipped as bad, i.mapping,
      (select count(*)::int from list_members l
        where l.workspace_id = i.workspace_id and l.list_id = i.list_id and l.status = 'confirmed') as people
    from campaigns c join imports i on i.workspace_id = c.workspace_id and i.id = c.merge_import_id
    join campaign_lists through on through.workspace_id = c.workspace_id and through.campaign_id = c.id and through.list_id = i.list_id
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ id, mapping, total, bad, ...row }) => [
      id,
      {
        ...row,
        total: Number(total),
        bad: Number(bad),
        fields: toLiquidFields(Object.values(mapping ?? {}).map(String)),
      },
    ]),
  )
}
