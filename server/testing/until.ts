import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isSpread } from '#server/platform/db/spread.ts'

/** The pause grows with the time waited: what takes seconds is not looked for forty times in each. */
const POLL_INTERVAL_MS = { first: 25, most: 100 }
const WAITED_SHARE = 0.05

/**
 * Looks until something truthy is there and returns it: for what has no event to wait for. Throws after `seconds` with
 * what was waited for; where it tells more then than before, `what` is a function.
 */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  what: string | (() => string),
  seconds = 100,
  intervalMs?: number,
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    const found = await look()
    if (found) return found
    const waitedMs = performance.now() - begun
    if (waitedMs > seconds * 1_000)
      throw new Error(`not within ${seconds} s: ${typeof what === 'string' ? what : what()}`)
    const { first, most } = POLL_INTERVAL_MS
    await wait(intervalMs ?? Math.min(most, Math.max(first, waitedMs * WAITED_SHARE)))
  }
}

/** Runs `check` until it throws nothing, such as a failed `expect`. Throws its last error after `seconds`. */
export async function untilPasses(check: () => Promise<void>, seconds?: number): Promise<void> {
  let failure: unknown
  const passes = () =>
    check().then(
      () => true,
      (error) => {
        failure = error
        return false
      },
    )
  const fail = () => {
    throw failure
  }
  await until(passes, fail, seconds)
}

/** Between two looks at the health: without it, looking would take the processor from what is looked at. */
const HEALTH_PAUSE_MS = 10

/** Looks at a server's health again and again until `work` has ended. Returns how often it was good; throws when it is not. */
export async function healthDuring(address: string, work: Promise<unknown>): Promise<number> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  void work.then(end, end)
  let looks = 0
  for (; !isOver; looks++) {
    const { status } = await fetch(`${address}/healthz`)
    if (status !== 200) throw new Error(`/healthz responded with ${status}`)
    await wait(HEALTH_PAUSE_MS)
  }
  return looks
}

/** Starts `act` while another transaction makes `change`, which it commits once `act` waits for it. Returns what became of `act`. */
export async function whileChanging<T>(db: Db, change: (db: Db) => Promise<unknown>, act: () => Promise<T>) {
  let acting: Promise<T | Error> | undefined
  await db.transaction().execute(async (transaction) => {
    await change(transaction)
    const { rows } = await sql<{ own: number }>`select pg_backend_pid() as own`.execute(transaction)
    const own = rows[0]?.own
    // On a cluster the row is locked on its node.
    const blocked = isSpread()
      ? sql`select from citus_lock_waits w join citus_stat_activity a on a.global_pid = w.waiting_gpid where a.datname = current_database()`
      : sql`select from pg_stat_activity where ${own} = any(pg_blocking_pids(pid))`
    const someoneWaits = async () => (await blocked.execute(db)).rows.length > 0
    acting = act().catch((error: Error) => error)
    await until(someoneWaits, 'the other waits for this transaction')
  })
  return acting
}
