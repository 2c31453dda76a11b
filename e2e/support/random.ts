import { randomInt } from 'node:crypto'

/** Returns random whole numbers from `min` to below `max`. Its seed is printed; TEST_SEED repeats a run. */
export function seededRandom(): (min: number, max: number) => number {
  const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 32))
  console.log(`random moments: TEST_SEED=${seed}`)
  let state = seed >>> 0
  // Mulberry32.
  return (min, max) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return min + Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (max - min))
  }
}
