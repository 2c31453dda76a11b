import { sql } from 'kysely'
import { domainColumn, receiverColumn } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { withFigures } from '../rollups/counts-store.ts'

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

/** What became of a campaign's emails at each receiver, the largest `most` and one row `other` for the rest. */
export async function countReceivers(
  db: Db,
  workspaceId: string,
  campaignId: string,
  most: number,
): Promise<ReceiverRow[]> {
  const { rows } = await sql<ReceiverRow>`
    with ${withFigures(workspaceId, [campaignId], ['domains'])}, readers as (
      select name as domain, sum(messages) filter (where dimension = 'domain-opened') as opened,
        sum(messages) filter (where dimension = 'domain-clicked') as clicked, sum(messages) filter (where dimension = 'domain-complained') as complained
      from figures group by name
    ), tries as (
      select case when position('@' in address) > 0 then ${domainColumn(sql.ref('address'))} else '' end as domain, count(*) as tried,
        count(*) filter (where state in ('sent', 'bounced')) as accepted, count(*) filter (where state = 'deferred') as deferred,
        count(*) filter (where state = 'bounced' and reason <> 'block' or state = 'failed' and reason in ('hard', 'soft', 'expired')) as bounced,
        count(*) filter (where state in ('failed', 'bounced', 'deferred') and reason = 'block') as blocked
      from messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
        and state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed')
      group by 1
    ), domains as (
      select nullif(domain, '') as domain, tried, accepted, deferred, bounced, blocked, coalesce(complained, 0) as complained, coalesce(opened, 0) as opened, coalesce(clicked, 0) as clicked
      from tries left join readers using (domain)
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
