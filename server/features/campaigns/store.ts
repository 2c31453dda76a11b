import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { CampaignState } from '#contracts/campaigns/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Campaigns } from '#server/platform/db/types.ts'
import { type AudienceChoice, setChoice } from './audience/choice-store.ts'
import type { CampaignRow, StoredTracking, TrackingChoice } from './campaign-rows.ts'
import { setSenders } from './senders-store.ts'

/** What of a draft is stored with a campaign, whatever its channel. */
export interface CampaignFields extends Partial<TrackingChoice> {
  name?: string
  channel?: string
  senderId?: string | null
  subject?: string
  preheader?: string
  fromName?: string
  replyTo?: string | null
  templateId?: string | null
  html?: string
}

/** Columns of a campaign that only one channel uses. */
export type ChannelColumns = Omit<Updateable<Campaigns>, keyof CampaignFields | 'id' | 'workspaceId' | 'state'>

const withoutTracking = <Fields extends CampaignFields>({
  trackOpens: _opens,
  trackClicks: _clicks,
  trackingMode: _mode,
  ...columns
}: Fields) => columns

/** The columns of a new campaign. */
function toTracking({
  trackOpens = true,
  trackClicks = true,
  trackingMode = 'individual',
}: Partial<TrackingChoice>): StoredTracking {
  if (trackingMode === 'individual') return { trackOpens, trackClicks, totalsOf: null }
  const totalsOf = [...(trackOpens ? ['opens'] : []), ...(trackClicks ? ['clicks'] : [])]
  return { trackOpens: false, trackClicks: false, totalsOf }
}

type ChangedTracking = { [Column in keyof StoredTracking]: RawBuilder<StoredTracking[Column]> }

/** The columns of an update of `campaigns`, from what its row has then; of no change none. */
function changeTracking({ trackOpens, trackClicks, trackingMode }: Partial<TrackingChoice>): Partial<ChangedTracking> {
  if (trackOpens === undefined && trackClicks === undefined && trackingMode === undefined) return {}
  const opens = isWanted(trackOpens, 'opens', sql`track_opens`)
  const clicks = isWanted(trackClicks, 'clicks', sql`track_clicks`)
  const isTotal =
    trackingMode === undefined ? sql`totals_of is not null` : sql`${trackingMode === 'aggregate'}::boolean`
  return {
    trackOpens: sql`(${opens}) and not (${isTotal})`,
    trackClicks: sql`(${clicks}) and not (${isTotal})`,
    totalsOf: sql`case when ${isTotal} then array_remove(array[case when ${opens} then 'opens' end, case when ${clicks} then 'clicks' end], null) end`,
  }
}

const isWanted = (given: boolean | undefined, what: string, column: RawBuilder<unknown>) =>
  given === undefined ? sql`${column} or coalesce(${what} = any(totals_of), false)` : sql`${given}::boolean`

export async function insertCampaign(
  db: Db,
  workspaceId: string,
  fields: CampaignFields & ChannelColumns & { name: string },
  audience: Partial<AudienceChoice>,
  senderIds: string[],
): Promise<string> {
  const { id } = await db
    .insertInto('campaigns')
    .values({ workspaceId, ...withoutTracking(fields), ...toTracking(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setChoice(db, workspaceId, id, audience)
  await setSenders(db, workspaceId, id, senderIds)
  return id
}

/** Changes a draft. Returns whether it still was one, of the channel that `row` has. */
export async function updateDraft(
  db: Db,
  { workspaceId, id, channel }: Pick<CampaignRow, 'workspaceId' | 'id' | 'channel'>,
  fields: CampaignFields & ChannelColumns,
  audience: Partial<AudienceChoice>,
  senderIds: string[] | undefined,
): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ ...withoutTracking(fields), ...changeTracking(fields), updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('parentId', 'is', null)
    .where('state', '=', 'draft')
    .where('channel', '=', channel)
    .returning('id')
    .executeTakeFirst()
  if (row) await setChoice(db, workspaceId, id, audience)
  if (row && senderIds) await setSenders(db, workspaceId, id, senderIds)
  return row !== undefined
}

/** Names a campaign anew, whatever its state. */
export async function renameCampaign(db: Db, workspaceId: string, id: string, name: string): Promise<void> {
  await db.updateTable('campaigns').set({ name }).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Which of these ids are rows of the workspace. */
export async function ownedIds(
  db: Db,
  workspaceId: string,
  table: 'lists' | 'segments' | 'templates',
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom(table)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select('id')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/**
 * Moves a campaign to another state if it is in one of `from`, and still the `revision` that was looked at where one is
 * given: the lock against two clicks at once, and against edits.
 */
export async function moveCampaign(
  db: Db,
  workspaceId: string,
  id: string,
  from: CampaignState[],
  change: {
    state: CampaignState
    stateText?: string
    scheduledAt?: Date | null
    timeZone?: string | null
    startedAt?: Date
    finishedAt?: Date | null
    handed?: number
    hard?: number
    complained?: number
  },
  revision?: string,
): Promise<boolean> {
  let query = db
    .updateTable('campaigns')
    .set({ stateText: '', ...change, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('parentId', 'is', null)
    .where('state', 'in', from)
  if (revision !== undefined) query = query.where('updatedAt', '=', sql<Date>`${revision}::timestamptz`)
  const row = await query.returning('id').executeTakeFirst()
  return row !== undefined
}

/** Queues failed or unconfirmed recipients of a campaign and its follow-ups again, those `mayRetry` lets. Returns how many. */
export async function requeue(
  db: Db,
  workspaceId: string,
  campaignId: string,
  states: string[],
  mayRetry: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<number> {
  const result = await db
    .updateTable('messages')
    .set({ state: 'queued', claimId: null, dueAt: sql<Date>`now()`, firstAttemptAt: null, reason: '' })
    .where('workspaceId', '=', workspaceId)
    .where(
      sql<boolean>`campaign_id in (select id from campaigns where workspace_id = ${workspaceId} and (id = ${campaignId} or parent_id = ${campaignId}))`,
    )
    .where('state', 'in', states)
    .where(mayRetry)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Takes a campaign out of sight. Its messages stay, so that every link in a sent mail works for ever. */
export async function hideCampaign(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ deletedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('parentId', 'is', null)
    .where('deletedAt', 'is', null)
    .where('state', 'not in', ['sending', 'scheduled'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
