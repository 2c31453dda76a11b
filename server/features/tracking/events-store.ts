import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { CLASSIFIER, type Hints, type Judged, type RawEvent, SWEEP_MS, type Verdict } from './classify.ts'

/** A request for a pixel, a link or a web view, as it came in and was judged by itself. */
export interface NewEvent {
  messageId: string
  kind: 'open' | 'click' | 'view'
  link: number | null
  /** Milliseconds. */
  at: number
  network: string
  userAgent: string
  hints: Hints
  verdict: Verdict
}

/** What the database knew about a click. */
export interface KeptClick {
  /** Position in the batch. */
  n: number
  /** The stored destination. */
  url: string
  /** No acceptance by the mail server was known. */
  early: boolean
  /** Different links of the message followed in the last minute before this batch. */
  others: number
}

/** The columns of a batch, as arrays. */
function columnsOf(events: NewEvent[]) {
  const column = <T>(of: (event: NewEvent) => T) => events.map(of)
  return sql`${column((e) => e.messageId)}::bigint[], ${column((e) => e.kind)}::text[], ${column((e) => e.at)}::float8[], ${column((e) => e.network)}::text[],
    ${column((e) => e.userAgent)}::text[], ${column((e) => (e.hints.purpose === undefined ? '{}' : JSON.stringify(e.hints)))}::text[],
    ${column((e) => e.verdict.class)}::text[], ${column((e) => e.verdict.reason)}::text[]`
}

const eventColumns = sql.raw('workspace_id, campaign_id, message_id, kind, at, network, user_agent, hints, class, reason, classifier, link')
const isEarly = sql.raw("m.sent_at is null and m.state <> 'unconfirmed'")
const EARLY = `{"early":true}`

/**
 * Writes opens and views in one statement and answers the messages whose acceptance by the mail server was not known.
 * Workspace and campaign come from the message: what names no message is not written. (`limit 1`: always by the index.
 * Left to itself the planner reads the whole table for a batch.)
 */
export async function insertOpens(db: Db, events: NewEvent[]): Promise<string[]> {
  const { rows } = await sql<{ messageId: string }>`
    with added as (
      insert into events (${eventColumns})
      select m.workspace_id, m.campaign_id, m.id, i.kind, to_timestamp(i.at / 1000), i.network, i.user_agent,
        case when ${isEarly} then i.hints::jsonb || ${EARLY}::jsonb else i.hints::jsonb end, i.class, i.reason, ${CLASSIFIER}::int, null
      from unnest(${columnsOf(events)}) as i (message_id, kind, at, network, user_agent, hints, class, reason)
      cross join lateral (select * from messages where id = i.message_id limit 1) m
      returning message_id, hints
    ) select message_id from added where hints ? 'early'`.execute(db)
  return rows.map((row) => row.messageId)
}

// More clicks of one message in one minute than this are a machine's anyway.
const RECENT_CLICKS = 64

/** Writes clicks in one statement, as insertOpens does; what names a link the campaign does not have is not written either. */
export async function insertClicks(db: Db, events: NewEvent[]): Promise<KeptClick[]> {
  const { rows } = await sql<KeptClick>`
    with given as (
      select i.*, m.workspace_id, m.campaign_id, ${isEarly} as early, l.url, to_timestamp(i.at / 1000) as moment
      from unnest(${columnsOf(events)}, ${events.map((event) => event.link)}::int[])
        with ordinality as i (message_id, kind, at, network, user_agent, hints, class, reason, link, n)
      cross join lateral (select * from messages where id = i.message_id limit 1) m
      cross join lateral (select url from campaign_links where campaign_id = m.campaign_id and link = i.link limit 1) l
    ), added as (
      insert into events (${eventColumns})
      select workspace_id, campaign_id, message_id, kind, moment, network, user_agent,
        case when early then hints::jsonb || ${EARLY}::jsonb else hints::jsonb end, class, reason, ${CLASSIFIER}::int, link
      from given
    )
    select (n - 1)::int as n, url, early, (
      select count(distinct r.link)::int from (
        select e.link from events e
        where e.message_id = given.message_id and e.kind = 'click' and e.at >= given.moment - make_interval(secs => ${SWEEP_MS / 1000})
        order by e.at desc limit ${RECENT_CLICKS}) r
    ) as others
    from given`.execute(db)
  return rows
}

export interface MessageTrace extends Judged {
  messageId: string
  /** It is being handed over at this moment. */
  underWay: boolean
  events: (RawEvent & { class: string; reason: string; classifier: number })[]
}

interface TraceRow {
  id: string
  messageId: string
  kind: string
  link: number | null
  at: Date
  userAgent: string
  hints: Hints
  class: string
  reason: string
  classifier: number
  state: string
  sentAt: Date | null
  links: number
}

/** The opens, clicks and views of these messages, in order; `newest`: at most so many of each message. */
export async function tracesOf(db: Db, messageIds: string[], newest?: number): Promise<MessageTrace[]> {
  const { rows } = await sql<TraceRow>`
    select e.id, e.message_id, e.kind, e.link, e.at, e.user_agent, e.hints, e.class, e.reason, e.classifier, m.state, m.sent_at,
      (select count(*)::int from campaign_links l where l.campaign_id = m.campaign_id) as links
    from messages m
    cross join lateral (
      select * from events where message_id = m.id and kind in ('open', 'click', 'view') order by at desc, id desc limit ${newest ?? null}
    ) e
    where m.id = any(${messageIds}::bigint[])
    order by m.id, e.at, e.id`.execute(db)
  const traces = new Map<string, MessageTrace>()
  for (const { state, sentAt, links, messageId, ...row } of rows) {
    const acceptedAt = state === 'claimed' || state === 'unconfirmed' ? undefined : (sentAt?.getTime() ?? null)
    const trace = traces.get(messageId) ?? { messageId, acceptedAt, underWay: state === 'claimed', links, events: [] }
    trace.events.push({ ...row, at: row.at.getTime() })
    traces.set(messageId, trace)
  }
  return [...traces.values()]
}

/** Writes other verdicts to events already kept. */
export async function rejudge(db: Db, verdicts: (Verdict & { id: string })[]): Promise<void> {
  if (verdicts.length === 0) return
  await sql`
    update events e set class = v.class, reason = v.reason, classifier = ${CLASSIFIER}::int
    from unnest(${verdicts.map((v) => v.id)}::bigint[], ${verdicts.map((v) => v.class)}::text[], ${verdicts.map((v) => v.reason)}::text[]) as v (id, class, reason)
    where e.id = v.id`.execute(db)
}

/** The next ids of a campaign's messages after `after`. */
export async function messageIdsAfter(db: Db, workspaceId: string, campaignId: string, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select('id')
    .execute()
  return rows.map((row) => row.id)
}
