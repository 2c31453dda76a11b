import { sql } from 'kysely'
import type { Campaign, CampaignState, Counts } from '#contracts/campaigns.ts'
import { hasOrigins } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { withoutBasis } from './origins.ts'

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
] as const

function select(db: Db, workspaceId: string) {
  return db
    .selectFrom('campaigns')
    .leftJoin('campaignCounts as counts', 'counts.campaignId', 'campaigns.id')
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
      >`array(select list_id::text from campaign_lists where campaign_id = campaigns.id order by list_id)`.as(
        'listIds',
      ),
      sql<
        string[]
      >`array(select sender_id::text from campaign_senders where campaign_id = campaigns.id order by position)`.as(
        'senderIds',
      ),
      sql<
        Campaign['whatsappTemplate']
      >`(select json_build_object('id', t.id::text, 'name', t.name, 'language', t.language,
        'category', t.category, 'status', t.status) from whatsapp_templates t where t.workspace_id = campaigns.workspace_id
        and t.id = (campaigns.whatsapp ->> 'templateId')::bigint)`.as('whatsappTemplate'),
    ])
}

export type CampaignRow = NonNullable<Awaited<ReturnType<typeof campaignById>>>

export function campaignById(db: Db, workspaceId: string, id: string) {
  return select(db, workspaceId).where('campaigns.id', '=', id).executeTakeFirst()
}

/** Newest first; `before` is the last id of the page before. */
export function campaignPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; state?: CampaignState; channel?: string },
) {
  let query = select(db, workspaceId).orderBy('campaigns.id', 'desc').limit(page.limit)
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

/** Changes a draft. Answers whether it still was one. */
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
    .where('state', '=', 'draft')
    .returning('id')
    .executeTakeFirst()
  if (row && listIds) await setLists(db, workspaceId, id, listIds)
  if (row && senderIds) await setSenders(db, workspaceId, id, senderIds)
  return row !== undefined
}

async function setLists(db: Db, workspaceId: string, campaignId: string, listIds: string[]) {
  await db.deleteFrom('campaignLists').where('campaignId', '=', campaignId).execute()
  if (listIds.length === 0) return
  await db
    .insertInto('campaignLists')
    .values([...new Set(listIds)].map((listId) => ({ campaignId, listId, workspaceId })))
    .execute()
}

/** The sender over SMTP_URL. */
export async function defaultSenderId(db: Db, workspaceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('isDefault', '=', true)
    .select('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Gives a paused campaign another sender. Answers whether it still was paused. */
export async function exchangeSender(
  db: Db,
  workspaceId: string,
  id: string,
  senderId: string | null,
): Promise<boolean> {
  const row = await db
    .updateTable('campaigns')
    .set({ senderId })
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'paused')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives a Gmail campaign the accounts it goes through. */
export async function setSenders(db: Db, workspaceId: string, campaignId: string, senderIds: string[]) {
  await db.deleteFrom('campaignSenders').where('campaignId', '=', campaignId).execute()
  if (senderIds.length === 0) return
  await db
    .insertInto('campaignSenders')
    .values([...new Set(senderIds)].map((senderId, position) => ({ campaignId, senderId, workspaceId, position })))
    .execute()
}

/** The kinds of these senders, of those that are the workspace's. */
export async function senderKinds(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'kind'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.kind]))
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
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** People the campaign would go to: confirmed members of its lists with an address, each once; those left out are counted apart. */
export async function countAudience(
  db: Db,
  workspaceId: string,
  listIds: string[],
): Promise<{ people: number; suppressed: number; withoutBasis: number }> {
  if (listIds.length === 0) return { people: 0, suppressed: 0, withoutBasis: 0 }
  const barred = (await hasOrigins(db, workspaceId)) ? withoutBasis(workspaceId) : sql`false`
  const { rows } = await sql<{ people: string; suppressed: string; withoutBasis: string }>`
    select count(*) as people, count(s.id) as suppressed, count(*) filter (where s.id is null and ${barred}) as without_basis
    from (select distinct contact_id from list_members
      where workspace_id = ${workspaceId} and list_id = any(${listIds}::bigint[]) and status = 'confirmed') as member
    join contacts c on c.id = member.contact_id and c.workspace_id = ${workspaceId} and c.email is not null
    left join suppressions s on s.workspace_id = c.workspace_id and s.channel = 'email' and s.address_key = c.email_key`.execute(
    db,
  )
  const number = (key: 'people' | 'suppressed' | 'withoutBasis') => Number(rows[0]?.[key] ?? 0)
  return { people: number('people'), suppressed: number('suppressed'), withoutBasis: number('withoutBasis') }
}

const SAMPLE = 5_000

/** The attribute names found among the first 5,000 members of the lists. */
export async function attributeNames(db: Db, workspaceId: string, listIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(c.attributes) as name
    from (select contact_id from list_members where list_id = any(${listIds}::bigint[]) and status = 'confirmed' limit ${SAMPLE}) m
    join contacts c on c.id = m.contact_id and c.workspace_id = ${workspaceId}`.execute(db)
  return rows.map((row) => row.name)
}

/** Queues failed or unconfirmed recipients again. Answers how many. */
export async function requeue(db: Db, workspaceId: string, campaignId: string, states: string[]): Promise<number> {
  const result = await db
    .updateTable('messages')
    .set({ state: 'queued', claimId: null, dueAt: sql<Date>`now()`, firstAttemptAt: null, reason: '' })
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .where('state', 'in', states)
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
    .where('deletedAt', 'is', null)
    .where('state', 'not in', ['sending', 'scheduled'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
