/** How fast a sender may send to receivers: by its owner's limits, and as they asked for less. */
import { sql } from 'kysely'
import type { ReceiverLimit, SlowedReceiver } from '#contracts/senders/receivers.ts'
import { type ReceiverLimits, type SlowDown, slowDownMore, slowedRate, slowedUntil } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ReceiverPause } from './pauses.ts'

/** What holds for one receiver; `slowed`: null, unless it asked for less and that has not ended. */
export interface ReceiverPace extends ReceiverLimits {
  receiver: string
  slowed: (SlowDown & { perHour: number; response: string }) | null
}

/** What there is to know of the receivers of a sender before it sends. */
export interface ReceiverStates {
  pauses: ReceiverPause[]
  /** Of receivers with a limit, or that asked for less. */
  paces: ReceiverPace[]
}

interface StateRow extends ReceiverLimits {
  receiver: string
  until: Date | null
  refusal: string | null
  slowedTo: number | null
  slowedFrom: number | null
  slowedAt: number | null
  response: string | null
  now: number
}

function readSlowDown({ slowedTo, slowedFrom, slowedAt, response, now }: StateRow): ReceiverPace['slowed'] {
  if (slowedTo === null || slowedFrom === null || slowedAt === null) return null
  const slowDown = { to: slowedTo, from: slowedFrom, at: slowedAt }
  const perHour = slowedRate(slowDown, now)
  return perHour === null ? null : { ...slowDown, perHour, response: response ?? '' }
}

/** The pauses and paces of a sender's receivers at this moment, in one look. */
export async function readReceiverStates(db: Db, workspaceId: string, senderId: string): Promise<ReceiverStates> {
  const { rows } = await sql<StateRow>`
    select receiver, p.paused_until as until, p.response as refusal, r.connections, r.per_second, r.per_hour, r.slowed_to, r.slowed_from,
      extract(epoch from r.slowed_at)::float8 * 1000 as slowed_at, r.response, extract(epoch from now())::float8 * 1000 as now
    from (select receiver, paused_until, response from receiver_pauses
      where workspace_id = ${workspaceId} and sender_id = ${senderId} and paused_until > now()) p
    full join (select * from receiver_paces where workspace_id = ${workspaceId} and sender_id = ${senderId}) r using (receiver)
    order by p.paused_until, receiver`.execute(db)
  return {
    pauses: rows.flatMap(({ receiver, until, refusal }) =>
      until ? [{ receiver, until, response: refusal ?? '' }] : [],
    ),
    paces: rows.flatMap((row) => {
      const { receiver, connections, perSecond, perHour } = row
      const slowed = readSlowDown(row)
      const isLimited = connections !== null || perSecond !== null || perHour !== null || slowed !== null
      return isLimited ? [{ receiver, connections, perSecond, perHour, slowed }] : []
    }),
  }
}

/** The paces of a sender as the contract has them. */
export function presentPaces(paces: readonly ReceiverPace[]): {
  receiverLimits: ReceiverLimit[]
  slowedReceivers: SlowedReceiver[]
} {
  return {
    receiverLimits: paces.flatMap(({ receiver, connections, perSecond, perHour }) =>
      connections === null && perSecond === null && perHour === null
        ? []
        : [{ receiver, connections, perSecond, perHour }],
    ),
    slowedReceivers: paces.flatMap(({ receiver, slowed }) =>
      slowed
        ? [
            {
              receiver,
              perHour: slowed.perHour,
              usual: slowed.from,
              until: new Date(slowedUntil(slowed)).toISOString(),
              response: slowed.response,
            },
          ]
        : [],
    ),
  }
}

/** Sets the limits of a sender's receivers, and no others, in the transaction `db`. What receivers asked for stays. */
export async function writeReceiverLimits(
  db: Db,
  workspaceId: string,
  senderId: string,
  limits: readonly ReceiverLimit[],
): Promise<void> {
  await sql`update receiver_paces set connections = null, per_second = null, per_hour = null
    where workspace_id = ${workspaceId} and sender_id = ${senderId}`.execute(db)
  for (const { receiver, connections, perSecond, perHour } of limits)
    await sql`
      insert into receiver_paces (workspace_id, sender_id, receiver, connections, per_second, per_hour)
      values (${workspaceId}, ${senderId}, ${receiver}, ${connections}, ${perSecond}, ${perHour})
      on conflict (workspace_id, sender_id, receiver) do update set connections = excluded.connections,
        per_second = excluded.per_second, per_hour = excluded.per_hour`.execute(db)
  await sql`delete from receiver_paces where workspace_id = ${workspaceId} and sender_id = ${senderId}
    and connections is null and per_second is null and per_hour is null and slowed_at is null`.execute(db)
}

/**
 * Slows a sender down for a receiver that asks for it, in the transaction `db`: to half of its pace, or half of what `countSent`
 * counts in the last hour. Once for all that is refused within five minutes.
 */
export async function slowReceiver(
  db: Db,
  at: { workspaceId: string; senderId: string; receiver: string },
  response: string,
  countSent: () => Promise<number>,
): Promise<void> {
  const { workspaceId, senderId, receiver } = at
  await sql`insert into receiver_paces (workspace_id, sender_id, receiver) values (${workspaceId}, ${senderId}, ${receiver})
    on conflict (workspace_id, sender_id, receiver) do nothing`.execute(db)
  const { rows } = await sql<StateRow>`
    select per_hour, slowed_to, slowed_from, extract(epoch from slowed_at)::float8 * 1000 as slowed_at, response,
      extract(epoch from clock_timestamp())::float8 * 1000 as now
    from receiver_paces where workspace_id = ${workspaceId} and sender_id = ${senderId} and receiver = ${receiver} for update`.execute(
    db,
  )
  const [row] = rows
  if (!row) return
  const current = readSlowDown(row)
  const sent = current ? 0 : await countSent()
  const next = slowDownMore(
    current,
    Math.min(row.perHour ?? Number.POSITIVE_INFINITY, sent || (row.perHour ?? 0)),
    row.now,
  )
  if (next === current) return
  await sql`update receiver_paces set slowed_to = ${next.to}, slowed_from = ${next.from}, slowed_at = to_timestamp(${next.at}::float8 / 1000),
      response = ${response}
    where workspace_id = ${workspaceId} and sender_id = ${senderId} and receiver = ${receiver}`.execute(db)
}
