import { type RawBuilder, sql } from 'kysely'
import type { MessageState } from '#contracts/campaigns/campaign.ts'
import type { RecipientEvent, RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import { BOUNCE_REASONS } from '#contracts/campaigns/report/reasons.ts'
import { readSearch } from '#server/features/contacts/index.ts'
import {
  type Among,
  allDeeds,
  BY_PEOPLE,
  type Deed,
  listClientAgents,
  markedMessages,
} from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'
import { withoutWays } from '#server/platform/db/planner.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import { requireChannel } from '../channels/index.ts'

export type ReportedCampaign = Pick<CampaignRow, 'id' | 'workspaceId' | 'channel' | 'state' | 'audienceAt' | 'totalsOf'>

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
  return { ...given, q: given.q === undefined ? undefined : readSearch(given.q.trim()) || undefined, event, machine }
}

/** Recipients who did something, or did not. */
export interface DeedFilter {
  deed: Deed
  isMissing: boolean
}

/** What a filter says of what recipients did; undefined: nothing; 'unknown': what nothing is stored of beside events. */
export async function findDeed(
  db: Db,
  campaign: ReportedCampaign,
  { event, machine, link, client }: RecipientChoice,
): Promise<DeedFilter | 'unknown' | undefined> {
  // Where totals alone are counted nobody is known to have opened, clicked or done nothing.
  if (campaign.totalsOf && event !== undefined && event !== 'unsubscribed' && event !== 'bounced') return 'unknown'
  const did = (deed: Deed): DeedFilter => ({ deed, isMissing: false })
  if (client !== undefined) {
    if (machine) return 'unknown'
    const { agents, isRest } = await listClientAgents(db, campaign.workspaceId, campaign.id, client)
    return did({ activities: ['opened'], agents: { names: agents, isRest } })
  }
  switch (event) {
    case 'opened':
      return did({ activities: [machine ? 'machineOpened' : 'opened'] })
    case 'clicked': {
      const clicked: Deed = { activities: [machine ? 'machineClicked' : 'clicked'] }
      return did(link === undefined ? clicked : { ...clicked, links: await listSameLinks(db, campaign, link) })
    }
    case 'unsubscribed':
      return did({ activities: ['unsubscribed'] })
    case 'not_opened':
      return { deed: { activities: ['opened'] }, isMissing: true }
    case 'no_response':
      return { deed: BY_PEOPLE, isMissing: true }
    case 'bounced':
    case undefined:
      return undefined
    default:
      return 'unknown'
  }
}

/** The links to the destination of one: where it stands in an email twice, it is one link. */
async function listSameLinks(db: Db, { workspaceId, id }: ReportedCampaign, link: number): Promise<number[]> {
  const { rows } = await sql<{ link: number }>`
    select same.link from campaign_links one join campaign_links same on same.workspace_id = one.workspace_id
      and same.campaign_id = one.campaign_id and same.url = one.url
    where one.workspace_id = ${workspaceId} and same.workspace_id = ${workspaceId} and one.campaign_id = ${id} and one.link = ${link}
    order by same.link`.execute(db)
  return rows.map((row) => row.link)
}

type Sql = RawBuilder<unknown>

/** Those whose email a machine opened in one of these programs; `unknown` is every program that has no name. */
async function openedByMachine(db: Db, { workspaceId, id }: ReportedCampaign, client: string): Promise<Sql> {
  const { agents, isRest } = await listClientAgents(db, workspaceId, id, client)
  const inClient = sql`${isRest ? sql`not` : sql``} (user_agent = any(${agents}::text[]))`
  return sql`select message_id, max(at) as at from events where workspace_id = ${workspaceId} and campaign_id = ${id}
    and kind = 'open' and class = 'machine' and ${inClient} group by message_id`
}

/** Everything people did that is known of a campaign: message_id and the last time. */
function anyActivity(campaign: ReportedCampaign, among?: Among): Sql {
  const own = Object.values(requireChannel(campaign.channel).recipientEvents ?? {})
  if (own.length === 0) return allDeeds(campaign, BY_PEOPLE, among)
  const parts = [allDeeds(campaign, BY_PEOPLE), ...own.map((find) => find(campaign))]
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

/** What a bounce is, of the message `m`. */
export const REFUSED = sql`and (m.state = 'bounced' or (m.state = 'failed' and m.reason in (${sql.join(BOUNCE_REASONS.map((reason) => sql.lit(reason)))})))`

const NOTHING = sql`select null::bigint as message_id, null::timestamptz as at where false`

/** The states that messages.trouble holds, and messages_troubled finds. */
export const TROUBLED: readonly string[] = ['failed', 'bounced', 'suppressed', 'unconfirmed', 'deferred']
/** Whether the message `m` is in a state: a claimed one is on its way but not handed over, to the outside it is still queued. */
export const hasState = (state: MessageState | undefined): Sql =>
  state === 'queued' ? sql`and m.state in ('queued', 'claimed')` : state ? sql`and m.state = ${sql.lit(state)}` : sql``

/** Whether the address of the message `m`, or its contact's name, holds a text. The name is looked up, and only where it decides. */
export const holdsText = (workspaceId: string, q: string): Sql =>
  sql`and (lower(m.address) like ${holding(q)}
    or lower((select name from contacts where workspace_id = ${workspaceId} and id = m.contact_id limit 1)) like ${holding(q)})`

/** Some messages that are meant as they are counted; `isWhole`: those that are marked make no difference. */
export interface Candidates extends Among {
  isWhole: boolean
}

/** Messages as `m`: those of a campaign, or some of them, looked up one by one. */
const fromMessages = (campaign: ReportedCampaign, among: Candidates | undefined) =>
  among
    ? sql`(with ${markedMessages(campaign)} select unnest(${among.ids}::bigint[]) as message_id
        ${among.isWhole ? sql`` : sql`union ${among.marked ? sql`select unnest(${among.marked}::bigint[])` : sql`select message_id from marked`}`}) these
      cross join lateral (select * from messages where workspace_id = ${campaign.workspaceId} and id = these.message_id offset 0) m`
    : sql`messages m`

interface Narrowed {
  /** The time of what they did is wanted, whatever it is. */
  isTimed?: boolean
  /** These alone, and those whose events changed since they were counted. */
  among?: Candidates | undefined
}

async function findMeant(
  db: Db,
  campaign: ReportedCampaign,
  choice: RecipientChoice,
  { isTimed, among }: Narrowed,
): Promise<Meant> {
  const { event, machine, client } = choice
  const did = (active: Sql): Meant => ({ active, isRequired: true, and: sql`` })
  const own = event && requireChannel(campaign.channel).recipientEvents?.[event]
  if (own) return did(own(campaign))
  if (client !== undefined && machine) return did(await openedByMachine(db, campaign, client))
  const found = await findDeed(db, campaign, choice)
  if (found && found !== 'unknown') {
    // Channels have ways to respond of their own.
    const active = event === 'no_response' ? anyActivity(campaign, among) : allDeeds(campaign, found.deed, among)
    if (!found.isMissing) return did(active)
    return { active, isRequired: false, and: sql`and m.state = 'sent' and a.message_id is null` }
  }
  // This channel cannot know of it: nobody is known to have done it.
  if (event !== undefined && event !== 'bounced') return did(NOTHING)
  const active = isTimed ? anyActivity(campaign, among) : NOTHING
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
  return sql`from ${fromMessages(campaign, narrowed.among)}
    ${isRequired ? sql`join` : sql`left join`} (${active}) a on a.message_id = m.id
    where m.workspace_id = ${campaign.workspaceId} and m.campaign_id = ${campaign.id}
      ${campaign.audienceAt === null ? sql`and false` : sql``} ${hasState(state)} ${and} ${q ? holdsText(campaign.workspaceId, q) : sql``}`
}

/**
 * Runs statements whose joins must not be nested loops: right after a campaign was sent the planner knows nothing of its
 * events, takes them for a few, and would read all of them again for each recipient.
 */
export const joinByHash = <T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> => withoutWays(db, ['nestloop'], run)

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
