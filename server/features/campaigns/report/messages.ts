import { sql } from 'kysely'
import { z } from 'zod'
import type { CampaignMessage, LaterBounce, MessageState } from '#contracts/campaigns/campaign.ts'
import { MessageOfChannels } from '#contracts/campaigns/campaign.ts'
import { RecipientCursor, type RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import { labelMessageReason } from '#contracts/campaigns/report/reasons.ts'
import type { Db } from '#server/platform/db/database.ts'
import { onNode } from '#server/platform/db/spread.ts'
import { takePage } from '#server/platform/http/page.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { type CampaignRow, toCounts } from '../campaign-rows.ts'
import { requireChannel } from '../channels/index.ts'
import { countIndexed, findCandidates, findIndexed } from './active-page.ts'
import {
  type Candidates,
  chooseRecipients,
  joinByHash,
  orderKeys,
  type RecipientChoice,
  type ReportedCampaign,
} from './recipients.ts'

interface MessageRow {
  id: string
  /** The order of writing down: the contact's id, which stays when the contact is removed. */
  place: string
  contactId: string | null
  senderId: string | null
  address: string
  name: string
  state: string
  reason: string
  attempts: number
  response: string
  queuedAt: Date
  sentAt: Date | null
  bouncedAt: Date | null
  bounceSource: string | null
  nextTryAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
  unsubscribedAt: Date | null
  activityAt: Date | null
  /** When they did what the filter asks for. */
  lastAt: Date | null
  /** What the order compares. */
  key: string
}

interface PageOrder {
  sort: RecipientOrder
  after?: z.output<typeof RecipientCursor> | undefined
  limit: number
  /** How many the filter finds, where figures said so. */
  known?: number | undefined
}

/** Throws Refusal 400 for the cursor of another order. */
function afterPlace({ sort, after }: PageOrder) {
  if (!after) return sql``
  if (after.sort !== sort) throw invalid('cursor', 'is not a cursor of this list')
  if (sort === 'added') return sql`and m.contact_id > ${after.place}`
  const { key, collation, isDescending } = orderKeys[sort]
  const [here, before] = [sql`${key} collate ${collation}`, isDescending ? sql`<` : sql`>`]
  return sql`and (${here} ${before} ${after.key} or (${here} = ${after.key} and m.contact_id > ${after.place}))`
}

/** The recipients a filter finds in an order; those with the same key as they were written down. In a transaction of one snapshot. */
async function messagePage(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
  order: PageOrder,
): Promise<MessageRow[]> {
  const filter = await findIndexed(db, campaign, choice, order.sort)
  const among = filter && (await findCandidates(db, campaign, filter, order))
  return joinByHash(db, (db) => selectPage(db, campaign, choice, order, among))
}

async function selectPage(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
  order: PageOrder,
  among?: Candidates,
): Promise<MessageRow[]> {
  const { workspaceId } = campaign
  const { key, collation, isDescending } = orderKeys[order.sort]
  const direction = isDescending ? sql`desc` : sql``
  const sorted = order.sort === 'added' ? sql`` : sql`${key} collate ${collation} ${direction},`
  const again = order.sort === 'added' ? sql`` : sql`page.key collate ${collation} ${direction},`
  const { rows } = await sql<MessageRow>`
    with page as (
      select m.id, ${key} as key, m.contact_id as place, m.sender_id, m.address, case when m.state = 'claimed' then 'queued' else m.state end as state,
        m.reason, m.attempts, m.response, m.queued_at, m.sent_at, m.bounced_at, m.bounce_source, case when m.state = 'deferred' then m.due_at end as next_try_at, a.at as last_at
      ${await chooseRecipients(db, campaign, choice, { isTimed: order.sort === 'activity', among })} ${afterPlace(order)}
      order by ${sorted} m.contact_id limit ${order.limit}
    )
    select page.*, done.*, coalesce(c.name, '') as name, c.id as contact_id from page
    left join lateral (select id, name from contacts where workspace_id = ${workspaceId} and id = page.place limit 1) c on true
    cross join lateral (
      select min(at) filter (where kind = 'open') as opened_at, min(at) filter (where kind = 'click') as clicked_at,
        min(at) filter (where kind = 'unsubscribe') as unsubscribed_at,
        coalesce(page.last_at, max(at) filter (where kind <> 'view'), page.sent_at) as activity_at
      from events e where e.message_id = page.id ${onNode('e.workspace_id', workspaceId)} and e.class = 'human'
    ) done order by ${again} page.place`.execute(db)
  return rows
}

/** What a message has in the fields of channels that say nothing of it. */
const ofChannels = Object.keys(MessageOfChannels) as (keyof typeof MessageOfChannels)[]
const absent = Object.fromEntries(ofChannels.map((field) => [field, null])) as Record<(typeof ofChannels)[number], null>

/** A page of messages as the outside sees them, with what only their channel knows. */
async function presentPage(db: Db, campaign: ReportedCampaign, rows: MessageRow[]): Promise<CampaignMessage[]> {
  const ids = rows.map(({ id }) => id)
  const own = await requireChannel(campaign.channel).presentMessages?.(db, campaign.workspaceId, ids)
  return rows.map((row) => Object.assign(present(campaign, row), absent, own?.get(row.id)))
}

/** Of these no message is tried again. */
const STOPPED = ['cancelled', 'failed']

function present(
  { state }: ReportedCampaign,
  { place: _, key: __, lastAt: ___, bouncedAt, bounceSource, ...row }: MessageRow,
): Omit<CampaignMessage, keyof typeof MessageOfChannels> {
  return {
    ...row,
    state: row.state as MessageState,
    bounce: presentBounce({ bouncedAt, bounceSource, ...row }),
    queuedAt: row.queuedAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    nextTryAt: STOPPED.includes(state) ? null : (row.nextTryAt?.toISOString() ?? null),
    openedAt: row.openedAt?.toISOString() ?? null,
    clickedAt: row.clickedAt?.toISOString() ?? null,
    unsubscribedAt: row.unsubscribedAt?.toISOString() ?? null,
    activityAt: row.activityAt?.toISOString() ?? null,
  }
}

const STATUS = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/
const REPLY = /(?<![\d.\w])[45]\d\d(?![\d.])/

function presentBounce(row: Pick<MessageRow, 'state' | 'reason' | 'response' | 'bouncedAt' | 'bounceSource'>) {
  const { state, reason, response, bouncedAt, bounceSource } = row
  if (state !== 'bounced' || !bouncedAt) return null
  const code = STATUS.exec(response)?.[0] ?? REPLY.exec(response)?.[0] ?? null
  return {
    class: reason as LaterBounce['class'],
    code,
    response,
    at: bouncedAt.toISOString(),
    source: bounceSource ?? '',
  }
}

/** One page of recipients with the cursor of the next, and how many the filter finds. */
export async function listMessages(db: Db, campaign: CampaignRow, choice: RecipientChoice, order: PageOrder) {
  return inOneMoment(db, (db) => readPage(db, campaign, choice, order))
}

/** Runs statements that see the database at one moment. */
const inOneMoment = <T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').execute(run)

async function readPage(db: Db, campaign: CampaignRow, choice: RecipientChoice, order: PageOrder) {
  const known = await countByFigures(db, campaign, choice)
  const rows = known === 0 ? [] : await messagePage(db, campaign, choice, { ...order, known, limit: order.limit + 1 })
  const { items: page, nextCursor } = takePage(rows, order.limit, ({ key, place }) =>
    z.encode(RecipientCursor, { sort: order.sort, key, place }),
  )
  const isAll = nextCursor === null && !order.after
  const total = known ?? (isAll ? page.length : await countRecipients(db, campaign, choice))
  return { items: await presentPage(db, campaign, page), nextCursor, ...(total !== undefined && { total }) }
}

/** How many recipients a filter finds, where figures say so. */
async function countByFigures(db: Db, campaign: CampaignRow, choice: RecipientChoice): Promise<number | undefined> {
  const { state, q, event } = choice
  // None before all are written.
  if (q || campaign.audienceAt === null) return undefined
  if (event) return state ? undefined : countIndexed(db, campaign, choice)
  const counts = toCounts(campaign)
  return state ? counts[state] : counts.recipients
}

/** Of more recipients only what figures say is counted. */
const MAX_COUNTED = 100_000

/** How many recipients a filter finds, counted one by one; undefined: there are too many. */
async function countRecipients(db: Db, campaign: CampaignRow, choice: RecipientChoice): Promise<number | undefined> {
  if (toCounts(campaign).recipients > MAX_COUNTED) return undefined
  const chosen = await chooseRecipients(db, campaign, choice)
  const { rows } = await joinByHash(db, (db) => sql<{ count: string }>`select count(*) as count ${chosen}`.execute(db))
  return Number(rows[0]?.count ?? 0)
}

const HEADER = [
  'address',
  'name',
  'state',
  'reason',
  'attempts',
  'response',
  'queuedAt',
  'sentAt',
  'nextTryAt',
  'openedAt',
  'clickedAt',
  'unsubscribedAt',
  'activityAt',
  ...ofChannels,
] as const
/** Of later bounces, and the reason in words. */
const LAST_HEADER = ['bouncedAt', 'bounceCode', 'bounceSource', 'reasonText']
const EXPORT_PAGE = 2_000

/** The recipients a filter finds as pages of rows. */
export async function* exportMessages(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
): AsyncGenerator<string[][]> {
  yield [[...HEADER, ...LAST_HEADER]]
  let after: PageOrder['after']
  for (;;) {
    const page = { sort: 'added' as const, limit: EXPORT_PAGE, after }
    const rows = await inOneMoment(db, (db) => messagePage(db, campaign, choice, page))
    if (rows.length > 0)
      yield (await presentPage(db, campaign, rows)).map((row) => [
        ...HEADER.map((key) => String(row[key] ?? '')),
        ...[row.bounce?.at, row.bounce?.code, row.bounce?.source, labelMessageReason(row.reason)].map(
          (cell) => cell ?? '',
        ),
      ])
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE) return
    after = { sort: 'added', key: '', place: last.place }
  }
}
