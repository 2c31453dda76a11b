import { sql } from 'kysely'
import type { CampaignMessage, MessageState } from '#contracts/campaigns/campaign.ts'
import { MessageOfChannels } from '#contracts/campaigns/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { takePage } from '#server/platform/http/page.ts'
import type { CampaignRow } from './campaign-rows.ts'
import { requireChannel } from './channels/index.ts'

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
  nextTryAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
}

type Campaign = Pick<CampaignRow, 'id' | 'workspaceId' | 'channel'>

interface MessageFilter {
  state?: MessageState
  q?: string
  after?: string
  limit: number
}

/** The recipients of a campaign in the order they were written down; `after` is the last place of the page before. */
async function messagePage(db: Db, campaign: Campaign, filter: MessageFilter): Promise<MessageRow[]> {
  const { workspaceId, id: campaignId } = campaign
  // A claimed message is on its way but not handed over: to the outside it is still queued.
  const state =
    filter.state === 'queued'
      ? sql`and m.state in ('queued', 'claimed')`
      : filter.state
        ? sql`and m.state = ${filter.state}`
        : sql``
  const pattern = holding(filter.q ?? '')
  const search = filter.q
    ? sql`and (lower(m.address) like ${pattern} or lower(coalesce(c.name, '')) like ${pattern})`
    : sql``
  const { rows } = await sql<MessageRow>`
    with page as (
      select m.id, m.contact_id as place, c.id as contact_id, m.sender_id, m.address, coalesce(c.name, '') as name, case when m.state = 'claimed' then 'queued' else m.state end as state,
        m.reason, m.attempts, m.response, m.queued_at, m.sent_at, case when m.state = 'deferred' then m.due_at end as next_try_at
      from messages m left join contacts c on c.id = m.contact_id and c.workspace_id = m.workspace_id
      where m.workspace_id = ${workspaceId} and m.campaign_id = ${campaignId} ${state} ${search}
        ${filter.after ? sql`and m.contact_id > ${filter.after}` : sql``}
      order by m.contact_id limit ${filter.limit}
    )
    select page.*,
      (select min(at) from events e where e.workspace_id = ${workspaceId} and e.message_id = page.id and e.kind = 'open' and e.class = 'human') as opened_at,
      (select min(at) from events e where e.workspace_id = ${workspaceId} and e.message_id = page.id and e.kind = 'click' and e.class = 'human') as clicked_at
    from page order by page.place`.execute(db)
  return rows
}

/** What a message has in the fields of channels that say nothing of it. */
const ofChannels = Object.keys(MessageOfChannels) as (keyof typeof MessageOfChannels)[]
const absent = Object.fromEntries(ofChannels.map((field) => [field, null])) as Record<(typeof ofChannels)[number], null>

/** A page of messages as the outside sees them, with what only their channel knows. */
async function presentPage(db: Db, campaign: Campaign, rows: MessageRow[]): Promise<CampaignMessage[]> {
  const ids = rows.map(({ id }) => id)
  const own = await requireChannel(campaign.channel).presentMessages?.(db, campaign.workspaceId, ids)
  return rows.map((row) => Object.assign(present(row), absent, own?.get(row.id)))
}

function present({ place: _, ...row }: MessageRow): Omit<CampaignMessage, keyof typeof MessageOfChannels> {
  return {
    ...row,
    state: row.state as MessageState,
    queuedAt: row.queuedAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    openedAt: row.openedAt?.toISOString() ?? null,
    clickedAt: row.clickedAt?.toISOString() ?? null,
  }
}

/** One page of recipients with the cursor of the next. */
export async function listMessages(db: Db, campaign: Campaign, filter: MessageFilter) {
  const rows = await messagePage(db, campaign, { ...filter, limit: filter.limit + 1 })
  const { items: page, nextCursor } = takePage(rows, filter.limit, (row) => row.place)
  return { items: await presentPage(db, campaign, page), nextCursor }
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
  ...ofChannels,
] as const
const EXPORT_PAGE = 2_000

/** The recipients as pages of rows. */
export async function* exportMessages(
  db: Db,
  campaign: Campaign,
  state: MessageState | undefined,
): AsyncGenerator<string[][]> {
  yield [[...HEADER]]
  let after: string | undefined
  for (;;) {
    const rows = await messagePage(db, campaign, {
      limit: EXPORT_PAGE,
      ...(state && { state }),
      ...(after && { after }),
    })
    if (rows.length > 0)
      yield (await presentPage(db, campaign, rows)).map((row) => HEADER.map((key) => String(row[key] ?? '')))
    if (rows.length < EXPORT_PAGE) return
    after = rows.at(-1)?.place
  }
}
