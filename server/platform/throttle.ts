import { sql } from 'kysely'
import { hashToken } from './crypto.ts'
import type { Db } from './db/database.ts'
import { toNetwork } from './network.ts'

/**
 * Counts one use of `key` and says whether it is still within `limit` uses in `seconds` (a fixed window that starts
 * with the first use). Stored in the database: it holds over processes and restarts. `wait` is in seconds.
 */
export async function throttle(
  db: Db,
  key: string,
  limit: number,
  seconds: number,
): Promise<{ ok: boolean; wait: number }> {
  const ends = sql<Date>`now() + make_interval(secs => ${seconds})`
  const row = await db
    .insertInto('throttles')
    .values({ key, count: 1, resetsAt: ends })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when throttles.resets_at <= now() then 1 else throttles.count + 1 end`,
        resetsAt: sql<Date>`case when throttles.resets_at <= now() then ${ends} else throttles.resets_at end`,
      }),
    )
    .returning(['count', sql<number>`extract(epoch from resets_at - now())::float8`.as('wait')])
    .executeTakeFirstOrThrow()
  return { ok: row.count <= limit, wait: row.wait }
}

/** A visitor in the key of a limit. Addresses are stored as hashes, and only for that time. */
export function hashVisitor(secretKey: string, address: string): string {
  const isMapped = address.startsWith('::ffff:')
  return hashToken(secretKey + (address.includes(':') && !isMapped ? toNetwork(address) : address))
}

/**
 * Counts one use of a public form: of the visitor's address (IPv6 by its /48, of which one visitor has many addresses)
 * and of everybody. `who` used it too often when it is not `ok`; `wait` is in seconds.
 */
export async function throttleVisitor(
  db: Db,
  secretKey: string,
  form: string,
  address: string,
  limits: { visitor: number; everybody: number },
  seconds: number,
): Promise<{ ok: boolean; wait: number; who: 'visitor' | 'everybody' }> {
  const visitor = await throttle(db, `${form}:${hashVisitor(secretKey, address)}`, limits.visitor, seconds)
  if (!visitor.ok) return { ...visitor, who: 'visitor' }
  return { ...(await throttle(db, form, limits.everybody, seconds)), who: 'everybody' }
}

/** Seconds until `key` may be used again; 0 while it is within `limit`. Counts nothing. */
export async function remainingWait(db: Db, key: string, limit: number): Promise<number> {
  const row = await db
    .selectFrom('throttles')
    .where('key', '=', key)
    .where('count', '>=', limit)
    .select(sql<number>`extract(epoch from resets_at - now())::float8`.as('wait'))
    .executeTakeFirst()
  return Math.max(0, row?.wait ?? 0)
}

/** Forgets the uses of a key: the right password was given. */
export async function clearThrottle(db: Db, key: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', key).execute()
}

/** Forgets the uses of these keys, and of all keys that end so. */
export async function clearThrottles(db: Db, keys: string[], ending: string): Promise<void> {
  await sql`delete from throttles where right(key, ${ending.length}) = ${ending} or key = any(${keys}::text[])`.execute(
    db,
  )
}

/** Forgets counters whose time is over. */
export async function deleteExpiredThrottles(db: Db): Promise<void> {
  await db.deleteFrom('throttles').where('resetsAt', '<', sql<Date>`now()`).execute()
}
