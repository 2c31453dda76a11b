import { type RawBuilder, sql } from 'kysely'
import type { MessageState } from '#contracts/campaigns/campaign.ts'
import type { RecipientEvent, RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import {
  type Activity,
  allActivity,
  BY_PEOPLE,
  listClientAgents,
  markedMessages,
} from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import { requireChannel } from '../channels/index.ts'

export type ReportedCampaign = Pick<CampaignRow, 'id' | 'workspaceId' | 'channel' | 'audienceAt'>

/** Which recipients are meant: the filter of the contract, read. */
export interface RecipientChoice {
  state?: MessageState | undefined
  q?: string | undefined
  event?: RecipientEvent | undefined
  machine: boolean
  link?: number | undefined
  client?: string | undefined
}

/** Reads the filter of a request. Throws Refusal 400 for parts that do not fit together. */
export function toChoice(
  given: Omit<RecipientChoice, 'machine'> & { machine?: 'true' | 'false' | boolean | undefined },
): RecipientChoice {
  const machine = given.machine === true || given.machine === 'true'
  const event =
    given.event ?? (given.link !== undefined ? 'clicked' : given.client !== undefined ? 'opened' : undefined)
  if (given.link !== undefined && event !== 'clicked') throw invalid('link', 'is for the event clicked only')
  if (given.client !== undefined && event !== 'opened') throw invalid('client', 'is for the event opened only')
  if (machine && event !== 'opened' && event !== 'clicked')
    throw invalid('machine', 'is for the events opened and clicked only')
  return { ...given, event, machine }
}

/** Recipients who did one of these activities, or none of them. */
export interface ActivityFilter {
  activities: Activity[]
  isMissing: boolean
}

/** What an event of a filter says of activities; undefined: it is about none. */
export function toActivityFilter({ event, machine }: RecipientChoice): ActivityFilter | undefined {
  switch (event) {
    case 'opened':
      return { activities: [machine ? 'machineOpened' : 'opened'], isMissing: false }
    case 'clicked':
      return { activities: [machine ? 'machineClicked' : 'clicked'], isMissing: false }
    case 'unsubscribed':
      return { activities: ['unsubscribed'], isMissing: false }
    case 'not_opened':
      return { activities: ['opened'], isMissing: true }
    case 'no_response':
      return { activities: BY_PEOPLE, isMissing: true }
    default:
      return undefined
  }
}

type Sql = RawBuilder<unknown>

const tracked = (
  { workspaceId, id }: ReportedCampaign,
  kind: 'open' | 'click',
  by: 'human' | 'machine',
  and: Sql,
): Sql =>
  sql`select message_id, max(at) as at from events where workspace_id = ${workspaceId} and campaign_id = ${id}
    and kind = ${kind} and class = ${by} ${and} group by message_id`

/** Those who opened in one of these programs; `unknown` is every program that has no name. */
async function inClient(db: Db, campaign: ReportedCampaign, client: string): Promise<Sql> {
  const { agents, isRest } = await listClientAgents(db, campaign.workspaceId, campaign.id, client)
  return isRest ? sql`and not (user_agent = any(${agents}::text[]))` : sql`and user_agent = any(${agents}::text[])`
}

// A destination that stands in an email twice is one link.
const onLink = ({ workspaceId, id }: ReportedCampaign, link: number) => sql`and link in (
  select same.link from campaign_links one join campaign_links same on same.workspace_id = one.workspace_id
    and same.campaign_id = one.campaign_id and same.url = one.url
  where one.workspace_id = ${workspaceId} and one.campaign_id = ${id} and one.link = ${link})`

/** Everything people did that is known of a campaign: message_id and the last time. */
function anyActivity(campaign: ReportedCampaign, among?: string[]): Sql {
  const own = Object.values(requireChannel(campaign.channel).recipientEvents ?? {})
  if (own.length === 0) return allActivity(campaign, BY_PEOPLE, among)
  const parts = [allActivity(campaign, BY_PEOPLE), ...own.map((find) => find(campaign))]
  return sql`select message_id, max(at) as at from (${sql.join(parts, sql` union all `)}) as done group by message_id`
}

interface Meant {
  /** Rows of message_id and at: when they did it. */
  active: Sql
  /** Only those who did it. */
  isRequired: boolean
  /** What else must hold of the message `m` and what was done, `a`. */
  and: Sql
}

const REFUSED = sql`and (m.state = 'bounced' or (m.state = 'failed' and m.reason in ('hard', 'soft', 'expired')))`

const NOTHING = sql`select null::bigint as message_id, null::timestamptz as at where false`

/** Messages as `m`: those of a campaign, or some of them, looked up one by one. */
const fromMessages = (campaign: ReportedCampaign, among: string[] | undefined) =>
  among
    ? sql`(with ${markedMessages(campaign)} select unnest(${among}::bigint[]) as message_id union select message_id from marked) these
      cross join lateral (select * from messages where workspace_id = ${campaign.workspaceId} and id = these.message_id offset 0) m`
    : sql`messages m`

interface Narrowed {
  /** The time of what they did is wanted, whatever it is. */
  isTimed?: boolean
  /** Of those who did one thing, or did not, these alone, and those whose events changed since they were counted. */
  among?: string[] | undefined
}

async function findMeant(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
  { isTimed, among }: Narrowed,
): Promise<Meant> {
  const { event, machine, link, client } = choice
  const by = machine ? 'machine' : 'human'
  const did = (active: Sql): Meant => ({ active, isRequired: true, and: sql`` })
  const own = event && requireChannel(campaign.channel).recipientEvents?.[event]
  if (own) return did(own(campaign))
  if (client !== undefined) return did(tracked(campaign, 'open', by, await inClient(db, campaign, client)))
  if (link !== undefined) return did(tracked(campaign, 'click', by, onLink(campaign, link)))
  const filter = toActivityFilter(choice)
  if (filter) {
    // Channels have ways to respond of their own.
    const active =
      event === 'no_response' ? anyActivity(campaign, among) : allActivity(campaign, filter.activities, among)
    if (!filter.isMissing) return did(active)
    return { active, isRequired: false, and: sql`and m.state = 'sent' and a.message_id is null` }
  }
  // This channel cannot know of it: nobody is known to have done it.
  if (event !== undefined && event !== 'bounced') return did(NOTHING)
  const active = isTimed ? anyActivity(campaign) : NOTHING
  return { active, isRequired: false, and: event === 'bounced' ? REFUSED : sql`` }
}

/**
 * The recipients that are meant, none before all are written, as `from` and `where` of a statement: the message is `m`, what they did `a`.
 * Run it with `joinByHash`.
 */
export async function chooseRecipients(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
  narrowed: Narrowed = {},
): Promise<Sql> {
  const { active, isRequired, and } = await findMeant(db, campaign, choice, narrowed)
  const { state, q } = choice
  // A claimed message is on its way but not handed over: to the outside it is still queued.
  const inState =
    state === 'queued' ? sql`and m.state in ('queued', 'claimed')` : state ? sql`and m.state = ${state}` : sql``
  const pattern = holding(q ?? '')
  const search = q ? sql`and (lower(m.address) like ${pattern} or lower(coalesce(c.name, '')) like ${pattern})` : sql``
  return sql`from ${fromMessages(campaign, narrowed.among)}
    ${isRequired ? sql`join` : sql`left join`} (${active}) a on a.message_id = m.id
    ${q ? sql`left join contacts c on c.id = m.contact_id and c.workspace_id = m.workspace_id` : sql``}
    where m.workspace_id = ${campaign.workspaceId} and m.campaign_id = ${campaign.id}
      ${campaign.audienceAt === null ? sql`and false` : sql``} ${inState} ${and} ${search}`
}

/**
 * Runs statements whose joins must not be nested loops: right after a campaign was sent the planner knows nothing of its
 * events, takes them for a few, and would read all of them again for each recipient.
 */
export async function joinByHash<T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((db) => joinByHash(db, run))
  await sql`set local enable_nestloop = off`.execute(db)
  const result = await run(db)
  await sql`set local enable_nestloop = on`.execute(db)
  return result
}

/** What the rows of each order are compared by, before the place of the recipient: a text, so that a cursor can hold it. */
export const orderKeys: Record<RecipientOrder, { key: Sql; collation: Sql; isDescending: boolean }> = {
  added: { key: sql`''`, collation: sql`"C"`, isDescending: false },
  activity: {
    key: sql`lpad(coalesce((extract(epoch from a.at) * 1000000)::bigint, 0)::text, 20, '0')`,
    collation: sql`"C"`,
    isDescending: true,
  },
  // Numbers in it are compared as numbers (migrations/0015_campaigns.sql).
  address: { key: sql`lower(m.address)`, collation: sql`natural_order`, isDescending: false },
}
