import { setTimeout as wait } from 'node:timers/promises'

const POLL_INTERVAL_MS = 25

/**
 * Looks until something truthy is there and returns it: for what has no event to wait for. Throws after `seconds` with
 * what was waited for; where it tells more then than before, `what` is a function.
 */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  what: string | (() => string),
  seconds = 100,
  intervalMs = POLL_INTERVAL_MS,
): Promise<T> {
  const deadline = performance.now() + seconds * 1_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > deadline)
      throw new Error(`not within ${seconds} s: ${typeof what === 'string' ? what : what()}`)
    await wait(intervalMs)
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
