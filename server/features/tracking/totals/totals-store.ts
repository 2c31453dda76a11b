import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Figure } from '../rollups/counts-store.ts'
import type { Dimension } from '../rollups/figures.ts'
import type { Run } from '../statements.ts'

const campaignsStatement = 'select id, workspace_id from campaigns where id = any($1::bigint[])'

// With the workspace of each link, by which its key begins: the whole table would be read otherwise.
const linksStatement = `
  select l.campaign_id, l.link, l.url
  from unnest($1::bigint[], $2::bigint[], $3::int[]) as wanted (workspace_id, campaign_id, link)
  join campaign_links l on l.workspace_id = wanted.workspace_id and l.campaign_id = wanted.campaign_id and l.link = wanted.link`

// In the order of the key: two batches that add to the same rows wait for each other, and never both.
const addStatement = `
  insert into campaign_totals (workspace_id, campaign_id, dimension, number, total)
  select workspace_id, campaign_id, dimension, number, total
  from jsonb_to_recordset($1::jsonb) as i (workspace_id bigint, campaign_id bigint, dimension text, number bigint, total bigint)
  order by 1, 2, 3, 4
  on conflict (workspace_id, campaign_id, dimension, number) do update set total = campaign_totals.total + excluded.total`

/** The workspaces of campaigns, by id; one that is gone is not in the map. */
export async function findWorkspaces(run: Run, campaignIds: string[]): Promise<Map<string, string>> {
  const rows = await run<{ id: string; workspace_id: string }>('totals-campaigns', campaignsStatement, [campaignIds])
  return new Map(rows.map((row) => [row.id, row.workspace_id]))
}

export const linkKey = (campaignId: string, link: number) => `${campaignId} ${link}`

/** A link of a campaign, and whose campaign it is. */
export interface LinkPlace {
  workspaceId: string
  campaignId: string
  link: number
}

/** Where links of campaigns lead, by linkKey. */
export async function findTargets(run: Run, wanted: LinkPlace[]): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  const rows = await run<{ campaign_id: string; link: number; url: string }>('totals-links', linksStatement, [
    wanted.map(({ workspaceId }) => workspaceId),
    wanted.map(({ campaignId }) => campaignId),
    wanted.map(({ link }) => link),
  ])
  return new Map(rows.map((row) => [linkKey(row.campaign_id, row.link), row.url]))
}

export interface Addition {
  workspace_id: string
  campaign_id: string
  dimension: Dimension
  number: number
  total: number
}

/** Adds to the totals of campaigns; each row is named once. */
export async function addTotals(run: Run, additions: Addition[]): Promise<void> {
  if (additions.length > 0) await run('totals-add', addStatement, [JSON.stringify(additions)])
}

/** The totals of a campaign, as figures that know no messages. */
export async function readTotals(db: Db, workspaceId: string, campaignId: string): Promise<Figure[]> {
  const { rows } = await sql<{ dimension: Dimension; number: string; total: string }>`
    select dimension, number, total from campaign_totals where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`.execute(
    db,
  )
  return rows.map(({ dimension, number, total }) => ({
    ...{ campaignId, dimension, number: Number(number), name: '', total: Number(total), messages: 0 },
  }))
}
