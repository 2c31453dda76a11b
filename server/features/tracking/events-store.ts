import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isSpread, onNode } from '#server/platform/db/spread.ts'
import { CLASSIFIER, type Hints, type Judged, type RawEvent, SWEEP_MS, type Verdict } from './classify.ts'
import { insertSpread } from './spread-events.ts'
import type { Run } from './statements.ts'

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
export interface StoredClick {
  /** Position in the batch. */
  n: number
  /** The stored destination. */
  url: string
  /** No acceptance by the mail server was known. */
  early: boolean
}

/** A batch as one JSON parameter: cheaper to write and to read than an array for each column. */
const toBatch = (events: NewEvent[]) =>
  JSON.stringify(
    events.map(({ messageId, kind, link, at, network, userAgent, hints, verdict }, n) => ({
      n,
      message: messageId,
      kind,
      link,
      at,
      network,
      agent: userAgent,
      hints,
      ...verdict,
    })),
  )

// `limit 1`: always by the index. Left to itself the planner reads the whole table for a batch.
const given = `
  select i.*, to_timestamp(i.at / 1000) as moment, m.workspace_id, m.campaign_id, m.sent_at is null and m.state <> 'unconfirmed' as early
  from jsonb_to_recordset($1::jsonb) as i (n int, message bigint, kind text, link int, at float8, network text, agent text, hints jsonb, class text, reason text)
  cross join lateral (select workspace_id, campaign_id, sent_at, state from messages where id = i.message limit 1) m`
const insert = `
  insert into events (workspace_id, campaign_id, message_id, kind, link, at, network, user_agent, hints, class, reason, classifier)
  select workspace_id, campaign_id, message, kind, link, moment, network, agent, case when early then hints || '{"early":true}' else hints end, class, reason, ${CLASSIFIER}
  from given`

const openStatement = `
  with added as (${insert.replace('given', `(${given}) as given`)} returning message_id, hints)
  select message_id as id from added where hints ? 'early'`

const clickStatement = `
  with given as materialized (
    select g.*, l.url from (${given}) as g
    cross join lateral (select url from campaign_links where workspace_id = g.workspace_id and campaign_id = g.campaign_id and link = g.link limit 1) l
  ), added as (${insert})
  select json_agg(json_build_array(n, url, early)) as stored from given`

/**
 * Writes opens and views in one statement and returns the messages whose acceptance by the mail server was not known.
 * Workspace and campaign come from the message: what names no message is not written.
 */
export async function insertOpens(run: Run, events: NewEvent[]): Promise<string[]> {
  if (isSpread()) return (await insertSpread(run, events)).flatMap(({ messageId, early }) => (early ? messageId : []))
  const rows = await run<{ id: string }>('opens', openStatement, [toBatch(events)])
  return rows.map((row) => row.id)
}

/** Writes clicks in one statement, as insertOpens does; what names a link the campaign does not have is not written either. */
export async function insertClicks(run: Run, events: NewEvent[]): Promise<StoredClick[]> {
  if (isSpread()) return insertSpread(run, events)
  // One row of JSON: taking apart a row for each click costs several times as much.
  const [row] = await run<{ stored: [number, string, boolean][] | null }>('clicks', clickStatement, [toBatch(events)])
  return (row?.stored ?? []).map(([n, url, early]) => ({ n, url, early }))
}

/** Which of these messages had at least so many different links followed lately. */
export async function messagesWithLinks(db: Db, messageIds: string[], atLeast: number): Promise<string[]> {
  const { rows } = await sql<{ messageId: string }>`
    select message_id from events
    where message_id = any(${messageIds}::bigint[]) and kind = 'click' and at >= now() - make_interval(secs => ${(2 * SWEEP_MS) / 1000})
    group by message_id having count(distinct link) >= ${atLeast}`.execute(db)
  return rows.map((row) => row.messageId)
}

export interface MessageTrace extends Judged {
  messageId: string
  /** It is being handed over at this moment. */
  underWay: boolean
  events: (RawEvent & { workspaceId: string; class: string; reason: string; classifier: number })[]
}

interface TraceRow {
  id: string
  workspaceId: string
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

/** The opens, clicks and views of these messages that retention did not merge, in order; `newest`: at most so many of each message. */
export async function listTraces(db: Db, messageIds: string[], newest?: number): Promise<MessageTrace[]> {
  const { rows } = await sql<TraceRow>`
    select e.id, e.workspace_id, e.message_id, e.kind, e.link, e.at, e.user_agent, e.hints, e.class, e.reason, e.classifier, m.state, m.sent_at,
      (select count(*)::int from campaign_links l where l.workspace_id = m.workspace_id and l.campaign_id = m.campaign_id) as links
    from messages m
    cross join lateral (
      select * from events where message_id = m.id ${onNode('events.workspace_id', sql`m.workspace_id`)} and kind in ('open', 'click', 'view') and not merged order by at desc, id desc limit ${newest ?? null}
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

/** Writes other verdicts to events already stored. */
export async function rejudge(db: Db, verdicts: (Verdict & { id: string; workspaceId: string })[]): Promise<void> {
  if (verdicts.length === 0) return
  await sql`
    update events e set class = v.class, reason = v.reason, classifier = ${CLASSIFIER}::int
    from unnest(${verdicts.map((v) => v.workspaceId)}::bigint[], ${verdicts.map((v) => v.id)}::bigint[], ${verdicts.map((v) => v.class)}::text[], ${verdicts.map((v) => v.reason)}::text[]) as v (workspace_id, id, class, reason)
    where e.workspace_id = v.workspace_id and e.id = v.id`.execute(db)
}

/** The next ids of a campaign's messages after `after`. */
export async function messageIdsAfter(
  db: Db,
  workspaceId: string,
  campaignId: string,
  after: string,
  limit: number,
): Promise<string[]> {
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

/** Takes what could tell a person from the events of some messages; that they happened stays. */
export async function clearEvents(db: Db, workspaceId: string, messageIds: string[]): Promise<void> {
  await sql`update events set network = '', user_agent = '', hints = '{}'
    where workspace_id = ${workspaceId} and message_id = any(${messageIds}::bigint[])`.execute(db)
}

/** Deletes the events of messages that are deleted. */
export async function deleteMessageEvents(db: Db, workspaceId: string, messageIds: string[]): Promise<void> {
  await sql`delete from events where workspace_id = ${workspaceId} and message_id = any(${messageIds}::bigint[])`.execute(
    db,
  )
}

/** Deletes up to `limit` events of a campaign; returns how many. */
export async function deleteSomeEvents(
  db: Db,
  workspaceId: string,
  campaignId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where workspace_id = ${workspaceId} and id = any(array(
      select id from events where workspace_id = ${workspaceId} and campaign_id = ${campaignId} limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
