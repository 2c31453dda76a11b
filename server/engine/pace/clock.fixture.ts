/** The shortest sleep, in ms. A real timer waits at least as long; a sleep of nothing would never let time go on. */
const TICK = 1e-3

/** Virtual time: everything that sleeps is woken in order, nothing waits for real. */
export function virtualTime() {
  let now = 0
  const sleepers: { at: number; wake: () => void }[] = []
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: now + Math.max(TICK, ms), wake })
    })
  // Everything that follows from a wake-up without waiting for time has happened then.
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    sleep,
    async run(until: number) {
      await settle()
      while (sleepers.length > 0 && now < until) {
        sleepers.sort((a, b) => a.at - b.at)
        const next = sleepers.shift() as { at: number; wake: () => void }
        now = Math.max(now, next.at)
        next.wake()
        await settle()
      }
    },
  }
}

/** The most moments that any half-open window of this length holds; the moments in order. */
export const worstWindow = (times: number[], length: number) => {
  let worst = 0
  for (let i = 0, j = 0; i < times.length; i++) {
    while ((times[i] as number) - (times[j] as number) >= length) j++
    worst = Math.max(worst, i - j + 1)
  }
  return worst
}
