import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { selectRows } from '#server/platform/db/select-rows.ts'

/** Which emails are looked at, and what of them. */
export interface Scope {
  workspaceId: string
  kind: 'open' | 'click'
  campaigns: string[] | undefined
  senderId: string | undefined
  step: number | undefined
  since: Date
  until: Date
}

/** Counts of emails; see the contract. */
export interface CountedEmails {
  counted: number
  unknown: number
  engaged: number
  human: number
  machine: number
}

const tracked = (kind: Scope['kind']) => (kind === 'open' ? sql`c.track_opens` : sql`c.track_clicks`)

/** `emails`: those of the scope, a follow-up under the campaign it follows. `seen`: what people and machines did with each. */
function emails({ workspaceId, kind, campaigns, senderId, step, since, until }: Scope) {
  return sql`with emails as (
    select m.id, m.contact_id, m.address, m.sender_id, m.sent_at, c.step, c.id as own_id, root.id as campaign_id, root.name as campaign,
      root.started_at, ${tracked(kind)} as counted
    from campaigns c
    join campaigns root on root.workspace_id = c.workspace_id and root.id = coalesce(c.parent_id, c.id)
    join messages m on m.workspace_id = c.workspace_id and m.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and m.workspace_id = ${workspaceId} and c.channel = 'gmail' and root.deleted_at is null
      and m.state = 'sent' and m.sent_at >= ${since} and m.sent_at < ${until}
      ${campaigns ? sql`and root.id = any(${campaigns}::bigint[])` : sql``}
      ${senderId ? sql`and m.sender_id = ${senderId}` : sql``}
      ${step ? sql`and c.step = ${step}::int` : sql``}
  ), seen as (
    select e.message_id, coalesce(sum(e.times) filter (where e.class = 'human'), 0)::int as human,
      coalesce(sum(e.times) filter (where e.class = 'machine'), 0)::int as machine,
      min(e.at) filter (where e.class = 'human') as first_at, max(e.at) filter (where e.class = 'human') as last_at
    from emails l join events e on e.message_id = l.id
    where l.counted and e.workspace_id = ${workspaceId} and e.kind = ${kind}
    group by e.message_id
  )`
}

const counts = sql`count(*) filter (where l.counted)::int as counted, count(*) filter (where not l.counted)::int as unknown,
  count(*) filter (where s.human > 0)::int as engaged, coalesce(sum(s.human), 0)::int as human, coalesce(sum(s.machine), 0)::int as machine`
const joined = sql`from emails l left join seen s on s.message_id = l.id`

export async function totals(db: Db, scope: Scope): Promise<CountedEmails> {
  const [row] = await selectRows(db, sql<CountedEmails>`${emails(scope)} select ${counts} ${joined}`)
  return row ?? { counted: 0, unknown: 0, engaged: 0, human: 0, machine: 0 }
}

export const byCampaign = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<CountedEmails & { id: string; name: string; startedAt: Date | null }>`${emails(scope)}
      select l.campaign_id as id, l.campaign as name, l.started_at, ${counts} ${joined} group by 1, 2, 3 order by 1 desc`,
  )

export const byAccount = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<CountedEmails & { senderId: string | null; address: string | null }>`${emails(scope)}
      select l.sender_id, a.from_email as address, ${counts} ${joined}
      left join senders a on a.id = l.sender_id and a.workspace_id = ${scope.workspaceId}
      group by 1, 2 order by counted desc, 1`,
  )

export const byStep = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<CountedEmails & { step: number }>`${emails(scope)} select l.step, ${counts} ${joined} group by 1 order by 1`,
  )

/** Emails by the quarter of an hour they were sent in, counted since 1970: clocks everywhere go by whole quarters. */
export const bySending = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<CountedEmails & { quarter: number }>`${emails(scope)}
      select floor(extract(epoch from l.sent_at) / 900)::int as quarter, ${counts} ${joined} group by 1`,
  )

/** What people and machines did, by the quarter of an hour it happened in. */
export const byMoment = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<{ quarter: number; human: number; machine: number }>`${emails(scope)}
      select floor(extract(epoch from e.at) / 900)::int as quarter, coalesce(sum(e.times) filter (where e.class = 'human'), 0)::int as human,
        coalesce(sum(e.times) filter (where e.class = 'machine'), 0)::int as machine
      from emails l join events e on e.message_id = l.id
      where l.counted and e.workspace_id = ${scope.workspaceId} and e.kind = ${scope.kind} group by 1`,
  )

/** When the first email of each campaign was sent, and its counts. */
export const firstEmails = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<CountedEmails & { id: string; name: string; firstAt: Date }>`${emails(scope)}
      select l.campaign_id as id, l.campaign as name, min(l.sent_at) as first_at, ${counts} ${joined} group by 1, 2 order by 1`,
  )

/** What people did in each stretch of so many seconds since their campaign's first email; `engaged`: for the first time with their email. */
export const sinceFirst = (db: Db, scope: Scope, seconds: number) =>
  selectRows(
    db,
    sql<{ id: string; stretch: number; engaged: number; times: number }>`${emails(scope)}, starts as (
        select campaign_id, min(sent_at) as first_at from emails group by 1
      ), did as (
        select l.campaign_id, e.at, e.times, row_number() over (partition by e.message_id order by e.at, e.id) = 1 as is_first
        from emails l join events e on e.message_id = l.id
        where l.counted and e.workspace_id = ${scope.workspaceId} and e.kind = ${scope.kind} and e.class = 'human'
      )
      select d.campaign_id as id, greatest(0, floor(extract(epoch from d.at - s.first_at) / ${seconds}))::int as stretch,
        count(*) filter (where d.is_first)::int as engaged, sum(d.times)::int as times
      from did d join starts s on s.campaign_id = d.campaign_id group by 1, 2 order by 1, 2`,
  )

/** Destinations by the emails they were clicked in; the same one in several campaigns is one. */
export const byLink = (db: Db, scope: Scope) =>
  selectRows(
    db,
    sql<{ url: string; emails: number; human: number; machine: number }>`${emails(scope)}
      select k.url, count(distinct e.message_id) filter (where e.class = 'human')::int as emails,
        coalesce(sum(e.times) filter (where e.class = 'human'), 0)::int as human, coalesce(sum(e.times) filter (where e.class = 'machine'), 0)::int as machine
      from emails l join events e on e.message_id = l.id and e.workspace_id = ${scope.workspaceId} and e.kind = 'click'
      join campaign_links k on k.workspace_id = e.workspace_id and k.campaign_id = l.own_id and k.link = e.link
      where l.counted group by 1 order by 2 desc, 3 desc, 4 desc, 1 limit 100`,
  )

export interface RecipientRow {
  messageId: string
  address: string
  name: string | null
  campaignId: string
  campaign: string
  step: number
  account: string | null
  sentAt: Date
  firstAt: Date
  lastAt: Date
  times: number
  machine: number
  links: string[]
}

/** Emails that people opened or clicked, the newest first, before the one with that id. */
export const listRecipients = (db: Db, scope: Scope, page: { limit: number; before?: string | undefined }) =>
  selectRows(
    db,
    sql<RecipientRow>`${emails(scope)}
      select l.id as message_id, l.address, p.name, l.campaign_id, l.campaign, l.step, a.from_email as account, l.sent_at,
        s.first_at, s.last_at, s.human as times, s.machine,
        ${
          scope.kind === 'click'
            ? sql`array(select distinct k.url from events e join campaign_links k on k.workspace_id = e.workspace_id and k.campaign_id = l.own_id and k.link = e.link
                where e.message_id = l.id and e.workspace_id = ${scope.workspaceId} and e.kind = 'click' and e.class = 'human' order by 1 limit 50)`
            : sql`array[]::text[]`
        } as links
      from emails l join seen s on s.message_id = l.id and s.human > 0
      left join contacts p on p.id = l.contact_id and p.workspace_id = ${scope.workspaceId}
      left join senders a on a.id = l.sender_id and a.workspace_id = ${scope.workspaceId}
      ${page.before ? sql`where l.id < ${page.before}` : sql``}
      order by l.id desc limit ${page.limit}`,
  )

/** What can be asked for: campaigns that sent something, accounts they went through, steps there are. */
export async function choices(db: Db, workspaceId: string) {
  const campaigns = await selectRows(
    db,
    sql<{ id: string; name: string; steps: number[] }>`select c.id, c.name,
        array(select f.step from campaigns f where f.workspace_id = c.workspace_id and f.parent_id = c.id order by 1) as steps
      from campaigns c where c.workspace_id = ${workspaceId} and c.channel = 'gmail' and c.parent_id is null
        and c.deleted_at is null and c.started_at is not null order by c.id desc limit 200`,
  )
  const accounts = await selectRows(
    db,
    sql<{ senderId: string; address: string }>`select id as sender_id, from_email as address from senders
      where workspace_id = ${workspaceId} and kind = 'gmail' order by from_email limit 200`,
  )
  const steps = [...new Set([1, ...campaigns.flatMap((one) => one.steps)])].toSorted((a, b) => a - b)
  return { campaigns: campaigns.map(({ id, name }) => ({ id, name })), accounts, steps }
}
