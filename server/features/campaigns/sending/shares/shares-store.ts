import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'

/** Seconds after which a share that was not renewed is free for others. */
export const SHARE_SECONDS = 15

/** Milliseconds after its end in which the sockets of a killed process may still be open: its threads end one by one. */
const LINGER_MS = 1_000

const KINDS = ['connections', 'permits'] as const
export type Amounts = Record<(typeof KINDS)[number], number>

/** What is shared: the limits of a sender, or those it has for one receiver. */
export interface Shared {
  senderId: string
  /** Empty: the sender's own. */
  receiver: string
}

export interface ShareRequest {
  /** What the sender has. */
  total: Amounts
  /** What this worker may still be using of what it was granted before. */
  using: Amounts
  /** How long after its last message a permit has to rest. */
  cooldownMs: number
}

/**
 * A fair part of `total` for the worker at a place (0: the one that has been there longest) among `workers`, out of what
 * the others do not hold. Who has been there longer never ends with nothing because somebody joined.
 */
export function fairShare(total: number, place: number, workers: number, heldByOthers: number): number {
  const fair = Math.floor(total / workers) + (place < total % workers ? 1 : 0)
  return Math.max(0, Math.min(fair, total - heldByOthers))
}

interface ShareRow extends Amounts {
  worker: string
  since: Date
  /** Milliseconds since it expired; below 0 it is held. */
  over: number
}

/**
 * Asks for a share of a sender and keeps it for SHARE_SECONDS. Returns what may be used from now on, which may be less than
 * is in use: that is written down as held until it is reported as given up. undefined: another worker asks at this moment.
 */
export function renewShare(
  db: Db,
  worker: string,
  { senderId, receiver }: Shared,
  { total, using, cooldownMs }: ShareRequest,
  isGone: (worker: string) => boolean,
): Promise<Amounts | undefined> {
  return db.transaction().execute(async (db) => {
    // A process that is stopped in here must not hold the others up for long.
    const { rows: locks } = await sql<{ isMine: boolean }>`
      select set_config('idle_in_transaction_session_timeout', '5000', true),
        pg_try_advisory_xact_lock(hashtextextended(${`sender share ${senderId} ${receiver}`}, 0)) as is_mine`.execute(
      db,
    )
    if (!locks[0]?.isMine) return undefined
    const { rows } = await sql<ShareRow>`
      select worker, connections, permits, since, extract(epoch from ${timeNow()} - expires_at)::float8 * 1000 as over
      from sender_shares where sender_id = ${senderId} and receiver = ${receiver}`.execute(db)
    const others = rows.filter((row) => row.worker !== worker)
    const ended = others.filter((row) => row.over < 0 && isGone(row.worker))
    const cold = others.filter((row) => row.over >= Math.max(LINGER_MS, cooldownMs))
    await tidy(db, { senderId, receiver }, ended, cold)
    for (const row of ended) row.over = 0
    const live = others.filter((row) => row.over < 0)
    const own = rows.find((row) => row.worker === worker && row.over < 0)
    const place = own ? live.filter((row) => order(row, own) < 0).length : live.length
    const heldByOthers: Amounts = {
      connections: sum(
        others.filter(({ over }) => over < LINGER_MS),
        'connections',
      ),
      // What an ended worker sent last is not known: its permits rest as if it had been at its very end.
      permits: sum(
        others.filter(({ over }) => over < cooldownMs),
        'permits',
      ),
    }
    const granted = {
      connections: fairShare(total.connections, place, live.length + 1, heldByOthers.connections),
      permits: fairShare(total.permits, place, live.length + 1, heldByOthers.permits),
    }
    const held = {
      connections: Math.max(granted.connections, using.connections),
      permits: Math.max(granted.permits, using.permits),
    }
    await sql`
      insert into sender_shares as s (workspace_id, sender_id, receiver, worker, connections, permits, since, expires_at)
      select workspace_id, id, ${receiver}, ${worker}, ${held.connections}, ${held.permits}, ${timeNow()}, ${timeNow()} + make_interval(secs => ${SHARE_SECONDS})
      from senders where id = ${senderId}
      on conflict (workspace_id, sender_id, receiver, worker) do update set connections = excluded.connections, permits = excluded.permits,
        expires_at = excluded.expires_at, since = case when s.expires_at > excluded.since then s.since else excluded.since end`.execute(
      db,
    )
    return granted
  })
}

const sum = (rows: ShareRow[], kind: keyof Amounts) => rows.reduce((all, row) => all + row[kind], 0)

const order = (one: ShareRow, other: ShareRow) =>
  one.since.getTime() - other.since.getTime() || (one.worker < other.worker ? -1 : 1)

async function tidy(db: Db, { senderId, receiver }: Shared, ended: ShareRow[], cold: ShareRow[]): Promise<void> {
  if (ended.length > 0)
    await sql`update sender_shares set expires_at = ${timeNow()}
      where sender_id = ${senderId} and receiver = ${receiver} and worker = any(${ended.map(({ worker }) => worker)})`.execute(
      db,
    )
  if (cold.length > 0)
    await sql`delete from sender_shares
      where sender_id = ${senderId} and receiver = ${receiver} and worker = any(${cold.map(({ worker }) => worker)})`.execute(
      db,
    )
}

const isAmong = (shared: readonly Shared[]) => sql`(sender_id, receiver) in (
  select * from unnest(${shared.map(({ senderId }) => senderId)}::bigint[], ${shared.map(({ receiver }) => receiver)}::text[]))`

/** Keeps shares that have not expired. Returns which those are, and whether others have one in the same limits. */
export async function keepShares(
  db: Db,
  worker: string,
  shared: readonly Shared[],
): Promise<(Shared & { isShared: boolean })[]> {
  const { rows } = await sql<Shared & { isShared: boolean }>`
    update sender_shares s set expires_at = ${timeNow()} + make_interval(secs => ${SHARE_SECONDS})
    where worker = ${worker} and ${isAmong(shared)} and expires_at > ${timeNow()}
    returning sender_id, receiver, exists (select 1 from sender_shares o where o.workspace_id = s.workspace_id and o.sender_id = s.sender_id
      and o.receiver = s.receiver and o.worker <> s.worker) as is_shared`.execute(db)
  return rows
}

/** Ends shares now. Their permits rest for a cooldown before others have them. */
export async function leaveShares(db: Db, worker: string, shared: readonly Shared[]): Promise<void> {
  if (shared.length === 0) return
  await sql`update sender_shares set expires_at = ${timeNow()}
    where worker = ${worker} and ${isAmong(shared)} and expires_at > ${timeNow()}`.execute(db)
}
