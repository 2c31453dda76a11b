import { type RawBuilder, sql } from 'kysely'
import { receiverColumn } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isSpread } from '#server/platform/db/spread.ts'
import { withFigures } from '../rollups/counts-store.ts'
import { BY_RECEIVER, OUTCOMES } from '../rollups/outcomes.ts'

export interface ReceiverRow {
  receiver: string
  accepted: number
  deferred: number
  bounced: number
  blocked: number
  complained: number
  opened: number
  clicked: number
}

/** Messages whose figures have one of these names after `domain-`. */
const addUp = (names: readonly string[]) =>
  sql`coalesce(sum(messages) filter (where dimension = any(${names.map((name) => `domain-${name}`)}::text[])), 0)`

/**
 * Figures by domain, read by themselves: joined with a table that is not spread, their parts would be read one after the other, and what is
 * added to the rollup in between be counted twice.
 */
async function readFirst(db: Db, byDomain: RawBuilder<unknown>): Promise<RawBuilder<unknown>> {
  const { rows } = await byDomain.execute(db)
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (domain text, tried bigint, accepted bigint, deferred bigint,
    bounced bigint, blocked bigint, complained bigint, opened bigint, clicked bigint)`
}

/** What became of a campaign's emails at each receiver, the largest `most` and one row `other` for the rest. */
export async function countReceivers(
  db: Db,
  workspaceId: string,
  campaignId: string,
  most: number,
): Promise<ReceiverRow[]> {
  const byDomain = sql`
    with ${withFigures(workspaceId, [campaignId], ['domains', 'receivers'])}
    select nullif(name, '') as domain, ${addUp(OUTCOMES)} as tried, ${addUp(BY_RECEIVER.accepted)} as accepted, ${addUp(BY_RECEIVER.deferred)} as deferred,
      ${addUp(BY_RECEIVER.bounced)} as bounced, ${addUp(BY_RECEIVER.blocked)} as blocked, ${addUp(['complained'])} as complained,
      ${addUp(['opened'])} as opened, ${addUp(['clicked'])} as clicked
    from figures group by name having ${addUp(OUTCOMES)} > 0`
  const { rows } = await sql<ReceiverRow>`
    with domains as (
      ${isSpread() ? await readFirst(db, byDomain) : byDomain}
    ), named as (
      select case when domain is null then 'other' else ${receiverColumn} end as receiver, sum(tried) as tried,
        sum(accepted) as accepted, sum(deferred) as deferred, sum(bounced) as bounced, sum(blocked) as blocked,
        sum(complained) as complained, sum(opened) as opened, sum(clicked) as clicked
      from domains left join receiver_domains using (domain) group by 1
    ), placed as (
      select *, row_number() over (order by receiver = 'other', tried desc, receiver) as place from named
    )
    select case when place <= ${most} then receiver else 'other' end as receiver, sum(accepted)::int as accepted,
      sum(deferred)::int as deferred, sum(bounced)::int as bounced, sum(blocked)::int as blocked, sum(complained)::int as complained,
      sum(opened)::int as opened, sum(clicked)::int as clicked
    from placed group by 1 order by min(place)`.execute(db)
  return rows
}

/** Notes once that a person reported a message as spam, or asked for no more by their mailbox. Returns whether it is new. */
export async function noteReported(
  db: Db,
  workspaceId: string,
  messageId: string,
  { kind, classifier }: { kind: 'complaint' | 'unsubscribe'; classifier: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into events (workspace_id, campaign_id, message_id, kind, class, reason, classifier)
    select workspace_id, campaign_id, id, ${kind}, 'human', '', ${classifier}::int from messages m
    where workspace_id = ${workspaceId} and id = ${messageId}
      and not exists (select 1 from events e where e.workspace_id = m.workspace_id and e.message_id = m.id and e.kind = ${kind})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}
