import { type RawBuilder, sql } from 'kysely'
import type { Campaign, CampaignState, Counts } from '#contracts/campaigns/campaigns.ts'
import { READABLE } from '#server/features/gmail/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { setSenders } from './senders-store.ts'

const columns = [
  'campaigns.id',
  'campaigns.workspaceId',
  'campaigns.name',
  'campaigns.channel',
  'campaigns.state',
  'campaigns.stateText',
  'campaigns.senderId',
  'campaigns.subject',
  'campaigns.templateId',
  'campaigns.html',
  'campaigns.trackOpens',
  'campaigns.trackClicks',
  'campaigns.scheduledAt',
  'campaigns.timeZone',
  'campaigns.startedAt',
  'campaigns.finishedAt',
  'campaigns.createdAt',
  'campaigns.updatedAt',
  'campaigns.sendingWindow',
  'campaigns.spread',
  'campaigns.whatsapp',
  'campaigns.parentId',
  'campaigns.step',
  'campaigns.afterMinutes',
  'campaigns.stopOnReply',
  'campaigns.stopOnClick',
  'campaigns.mergeImportId',
  'imports.listId as mergeListId',
  'imports.fileName as mergeFileName',
  'imports.state as mergeState',
  'imports.total as mergeTotal',
  'imports.errorCount as mergeBad',
  'imports.mapping as mergeMapping',
] as const

/** Campaigns of a workspace with their counts, those that were removed skipped. */
export function selectCampaigns(db: Db, workspaceId: string) {
  return db
    .selectFrom('campaigns')
    .leftJoin('campaignCounts as counts', (join) =>
      join.onRef('counts.workspaceId', '=', 'campaigns.workspaceId').onRef('counts.campaignId', '=', 'campaigns.id'),
    )
    .leftJoin('imports', (join) =>
      join
        .onRef('imports.workspaceId', '=', 'campaigns.workspaceId')
        .onRef('imports.id', '=', 'campaigns.mergeImportId'),
    )
    .where('campaigns.workspaceId', '=', workspaceId)
    .where('campaigns.deletedAt', 'is', null)
    .select(columns)
    .select([
      'counts.queued',
      'counts.claimed',
      'counts.sent',
      'counts.deferred',
      'counts.failed',
      'counts.bounced',
      'counts.suppressed',
      'counts.unconfirmed',
      sql<
        string[]
      >`array(select list_id::text from campaign_lists where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id order by list_id)`.as(
        'listIds',
      ),
      sql<
        string[]
      >`array(select sender_id::text from campaign_senders where workspace_id = campaigns.workspace_id and campaign_id = campaigns.id order by position)`.as(
        'senderIds',
      ),
      sql<
        Campaign['whatsappTemplate']
      >`(select json_build_object('id', t.id::text, 'name', t.name, 'language', t.language,
        'category', t.category, 'status', t.status) from whatsapp_templates t where t.workspace_id = campaigns.workspace_id
        and t.id = (campaigns.whatsapp ->> 'templateId')::bigint)`.as('whatsappTemplate'),
      sql<number>`(select count(*)::int from campaigns f where f.workspace_id = campaigns.workspace_id and f.parent_id = campaigns.id)`.as(
        'followUps',
      ),
      sql<number>`case when campaigns.merge_import_id is null then 0 else (select count(*)::int from list_members l
        where l.workspace_id = campaigns.workspace_id and l.list_id = imports.list_id and l.status = 'confirmed') end`.as(
        'mergePeople',
      ),
      // How many of its accounts may be read, and who answered; a follow-up's accounts are its campaign's.
      sql<number>`(select count(*)::int from campaign_senders s join gmail_accounts g on g.workspace_id = s.workspace_id and g.sender_id = s.sender_id
        where s.workspace_id = campaigns.workspace_id and s.campaign_id = coalesce(campaigns.parent_id, campaigns.id) and g.scopes && ${READABLE}::text[])`.as(
        'readable',
      ),
      sql<number>`case when campaigns.channel <> 'gmail' then 0 else (
        select count(distinct m.contact_id)::int from gmail_messages g join messages m on m.workspace_id = g.workspace_id and m.id = g.message_id
        where g.workspace_id = campaigns.workspace_id and g.replied_at is not null and g.campaign_id in (
          select f.id from campaigns f where f.workspace_id = campaigns.workspace_id and (f.id = campaigns.id or f.parent_id = campaigns.id))) end`.as(
        'replied',
      ),
    ])
}

export type CampaignRow = NonNullable<Awaited<ReturnType<typeof campaignById>>>

export function campaignById(db: Db, workspaceId: string, id: string) {
  return selectCampaigns(db, workspaceId).where('campaigns.id', '=', id).executeTakeFirst()
}

/** Newest first; `before` is the last id of the page before. */
export function campaignPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; state?: CampaignState; channel?: string },
) {
  let query = selectCampaigns(db, workspaceId)
    .where('campaigns.parentId', 'is', null)
    .orderBy('campaigns.id', 'desc')
    .limit(page.limit)
  if (page.before) query = query.where('campaigns.id', '<', page.before)
  if (page.state) query = query.where('campaigns.state', '=', page.state)
  if (page.channel) query = query.where('campaigns.channel', '=', page.channel)
  return query.execute()
}

/** The counts as the outside sees them: a claimed message is still queued. */
export function countsOf(
  row: Pick<
    CampaignRow,
    'queued' | 'claimed' | 'sent' | 'deferred' | 'failed' | 'bounced' | 'suppressed' | 'unconfirmed'
  >,
): Counts {
  const number = (value: string | null) => Number(value ?? 0)
  const parts = {
    queued: number(row.queued) + number(row.claimed),
    sent: number(row.sent),
    deferred: number(row.deferred),
    failed: number(row.failed),
    bounced: number(row.bounced),
    suppressed: number(row.suppressed),
    unconfirmed: number(row.unconfirmed),
  }
  return { recipients: Object.values(parts).reduce((sum, part) => sum + part, 0), ...parts }
}

export interface CampaignFields {
  name?: string
  channel?: string
  senderId?: string | null
  subject?: string
  templateId?: string | null
  html?: string
  trackOpens?: boolean
  trackClicks?: boolean
  /** SendingWindow as JSON. */
  sendingWindow?: string | null
  spread?: boolean
  /** WhatsAppContent as JSON. */
  whatsapp?: string
}

export async function insertCampaign(
  db: Db,
  workspaceId: string,
  fields: CampaignFields & { name: string },
  listIds: string[],
  senderIds: string[],
): Promise<string> {
  const { id } = await db
    .insertInto('campaigns')
    .values({ workspaceId, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setLists(db, workspaceId, id, listIds)
  await setSenders(db, workspaceId, id, senderIds)
  return id
}

/** Changes a draft. Returns whether it still was one. */
export async function updateDraft(
  db: Db,
  workspaceId: string,
  id: string,
  fields: CampaignFields,
  listIds: string[] | undefined,
  senderIds: string[] | undefined,
): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ ...fields, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('parentId', 'is', null)
    .where('state', '=', 'draft')
    .returning('id')
    .executeTakeFirst()
  if (row && listIds) await setLists(db, workspaceId, id, listIds)
  if (row && senderIds) await setSenders(db, workspaceId, id, senderIds)
  return row !== undefined
}

async function setLists(db: Db, workspaceId: string, campaignId: string, listIds: string[]) {
  await db
    .deleteFrom('campaignLists')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .execute()
  if (listIds.length === 0) return
  await db
    .insertInto('campaignLists')
    .values([...new Set(listIds)].map((listId) => ({ campaignId, listId, workspaceId })))
    .execute()
}

/** Makes the rows of an import the audience of a draft. */
export async function setMerge(
  db: Db,
  workspaceId: string,
  id: string,
  { importId, listId }: { importId: string; listId: string },
): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ mergeImportId: importId, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  await setLists(db, workspaceId, id, [listId])
}

/** Which of these ids are rows of the workspace. */
export async function ownedIds(
  db: Db,
  workspaceId: string,
  table: 'lists' | 'templates',
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

/** Moves a campaign to another state if it is in one of `from`: the lock against two clicks at once. */
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
  },
): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ stateText: '', ...change, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('parentId', 'is', null)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
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
