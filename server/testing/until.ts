import { setTimeout as wait } from 'node:timers/promises'

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
