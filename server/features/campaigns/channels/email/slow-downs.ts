import { sql } from 'kysely'
import { asksToSlowDown } from '#server/engine/index.ts'
import {
  domainColumn,
  pauseReceiver,
  readReceivers,
  receiverColumn,
  slowReceiver,
} from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Settled } from '../../sending/settle.ts'
import { withoutAddresses } from './refusals.ts'

/** Google asks to stop for ten minutes at it, and to begin again with one connection. */
const STOP = /^4\d\d[ -]4\.7\.28\b/

interface Deferral {
  id: string
  address: string
  senderId: string
}

/** Slows senders down for the receivers that asked for it among messages that were just settled, in the transaction `db`. */
export async function noteSlowDowns(
  db: Db,
  campaign: { id: string; workspaceId: string },
  settled: readonly Settled[],
): Promise<void> {
  const asking = new Map(settled.filter(({ outcome }) => asksToSlowDown(outcome)).map((one) => [one.id, one.outcome]))
  if (asking.size === 0) return
  const { workspaceId, id } = campaign
  const { rows } = await sql<Deferral>`
    select m.id, m.address, s.id as sender_id
    from messages m join campaigns c on c.workspace_id = m.workspace_id and c.id = m.campaign_id
    join senders s on s.workspace_id = m.workspace_id and s.id = coalesce(m.sender_id, c.sender_id) and s.kind = 'smtp'
    where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and m.id = any(${[...asking.keys()]}::bigint[]) order by m.id`.execute(
    db,
  )
  const toReceiver = await readReceivers(
    db,
    rows.map(({ address }) => address),
  )
  // In one order, so that two claims that end at once wait for each other in one direction only.
  const byReceiver = [...Map.groupBy(rows, ({ address }) => toReceiver(address))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  for (const [receiver, [first]] of byReceiver)
    if (first) {
      const response = withoutAddresses(asking.get(first.id)?.response ?? '')
      const at = { workspaceId, senderId: first.senderId, receiver }
      await slowReceiver(db, at, response, () => countSent(db, campaign, receiver))
      if (STOP.test(response)) await pauseReceiver(db, { ...at, response })
    }
}

/** Emails of a campaign that a receiver took within the last hour. */
async function countSent(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  receiver: string,
): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    with taken as materialized (
      select ${domainColumn(sql.ref('address'))} as domain, count(*) as messages from messages
      where workspace_id = ${workspaceId} and campaign_id = ${id} and state = 'sent' and sent_at > now() - interval '1 hour' group by 1
    )
    select coalesce(sum(messages), 0)::int as sent from taken left join receiver_domains using (domain)
    where ${receiverColumn} = ${receiver}`.execute(db)
  return rows[0]?.sent ?? 0
}
