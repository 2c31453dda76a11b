/** Processes that were started together must not look together for ever. */
const PHASE_MS = Math.random() * 3_600_000

/**
 * Milliseconds to the next tick of the process: a multiple of the interval, by a clock of its own, that is half an interval
 * away at least. Whatever looks every second, or every few, looks in the same moment and can ask in one statement.
 */
export function untilTick(intervalMs: number): number {
  const now = performance.now() + PHASE_MS
  return Math.ceil(now / intervalMs + 0.5) * intervalMs - now
}
