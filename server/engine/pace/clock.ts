/** What waits on time takes it from here, so that a test can let it pass. `now` in milliseconds, monotonic. */
export type Clock = { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> }

/** The process's monotonic clock. A sleep is never shorter than asked for by more than a fraction of a millisecond. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(2 ** 31 - 1, Math.max(1, Math.ceil(ms))),
      )
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
