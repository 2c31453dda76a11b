/** Which lists and segments a campaign is sent to, and which it is not. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Ids of lists and segments. */
export interface AudienceChoice {
  listIds: string[]
  segmentIds: string[]
  excludeListIds: string[]
  excludeSegmentIds: string[]
}

/** What campaigns are selected with, over the row `campaigns`. One that was deleted since is still among them, but for included lists. */
export const choiceColumns = (workspaceId: string) => [
  sql<
    string[]
  >`array(select list_id::text from campaign_lists where workspace_id = ${workspaceId} and campaign_id = campaigns.id order by list_id)`.as(
    'listIds',
  ),
  sql<
    string[]
  >`array(select segment_id::text from campaign_segments where workspace_id = ${workspaceId} and campaign_id = campaigns.id and not excluded order by segment_id)`.as(
    'segmentIds',
  ),
  sql<
    string[]
  >`array(select list_id::text from campaign_excluded_lists where workspace_id = ${workspaceId} and campaign_id = campaigns.id order by list_id)`.as(
    'excludeListIds',
  ),
  sql<
    string[]
  >`array(select segment_id::text from campaign_segments where workspace_id = ${workspaceId} and campaign_id = campaigns.id and excluded order by segment_id)`.as(
    'excludeSegmentIds',
  ),
]

/** Replaces what is given of whom a draft goes to; what is not given stays. */
export async function setChoice(
  db: Db,
  workspaceId: string,
  campaignId: string,
  { listIds, segmentIds, excludeListIds, excludeSegmentIds }: Partial<AudienceChoice>,
): Promise<void> {
  if (listIds) await setLists(db, { workspaceId, campaignId }, listIds)
  if (excludeListIds) await setExcludedLists(db, { workspaceId, campaignId }, excludeListIds)
  if (segmentIds) await setSegments(db, { workspaceId, campaignId, excluded: false }, segmentIds)
  if (excludeSegmentIds) await setSegments(db, { workspaceId, campaignId, excluded: true }, excludeSegmentIds)
}

/** Makes one list all that a draft goes to. */
export const setOnlyList = (db: Db, workspaceId: string, campaignId: string, listId: string): Promise<void> =>
  setChoice(db, workspaceId, campaignId, {
    listIds: [listId],
    segmentIds: [],
    excludeListIds: [],
    excludeSegmentIds: [],
  })

interface ChoiceOwner {
  workspaceId: string
  campaignId: string
}

async function setLists(db: Db, of: ChoiceOwner, ids: string[]): Promise<void> {
  await db
    .deleteFrom('campaignLists')
    .where('workspaceId', '=', of.workspaceId)
    .where('campaignId', '=', of.campaignId)
    .execute()
  if (ids.length === 0) return
  await db
    .insertInto('campaignLists')
    .values([...new Set(ids)].map((listId) => ({ ...of, listId })))
    .execute()
}

async function setExcludedLists(db: Db, of: ChoiceOwner, ids: string[]): Promise<void> {
  await db
    .deleteFrom('campaignExcludedLists')
    .where('workspaceId', '=', of.workspaceId)
    .where('campaignId', '=', of.campaignId)
    .execute()
  if (ids.length === 0) return
  await db
    .insertInto('campaignExcludedLists')
    .values([...new Set(ids)].map((listId) => ({ ...of, listId })))
    .execute()
}

async function setSegments(db: Db, of: ChoiceOwner & { excluded: boolean }, ids: string[]): Promise<void> {
  await db
    .deleteFrom('campaignSegments')
    .where('workspaceId', '=', of.workspaceId)
    .where('campaignId', '=', of.campaignId)
    .where('excluded', '=', of.excluded)
    .execute()
  if (ids.length === 0) return
  await db
    .insertInto('campaignSegments')
    .values([...new Set(ids)].map((segmentId) => ({ ...of, segmentId })))
    .execute()
}

/** Gives a campaign what another one of the workspace has. */
export async function copyChoice(db: Db, workspaceId: string, from: string, to: string): Promise<void> {
  const source = sql`where workspace_id = ${workspaceId} and campaign_id = ${from}`
  await sql`insert into campaign_lists (workspace_id, campaign_id, list_id)
    select workspace_id, ${to}, list_id from campaign_lists ${source} on conflict do nothing`.execute(db)
  await sql`insert into campaign_segments (workspace_id, campaign_id, segment_id, excluded)
    select workspace_id, ${to}, segment_id, excluded from campaign_segments ${source} on conflict do nothing`.execute(
    db,
  )
  await sql`insert into campaign_excluded_lists (workspace_id, campaign_id, list_id)
    select workspace_id, ${to}, list_id from campaign_excluded_lists ${source} on conflict do nothing`.execute(db)
}

/** Whether a campaign is, or is to be, sent to a list, or excludes it. */
export async function isListChosen(db: Db, workspaceId: string, listId: string): Promise<boolean> {
  const { rows } = await sql`
    select from campaign_lists where workspace_id = ${workspaceId} and list_id = ${listId}
    union all select from campaign_excluded_lists where workspace_id = ${workspaceId} and list_id = ${listId} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
