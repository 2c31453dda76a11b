import { expect, test } from 'vitest'
import { MakingTime } from './making.ts'

test('making: heavy messages leave four fifths of the thread to others, and nearly nothing where nobody else sends', () => {
  let now = 0
  const time = new MakingTime(() => now)
  const heavy = time.begin('mallory')
  const make = (making: typeof heavy, ms: number) => {
    now += ms
    making.spent(ms)
  }
  for (let i = 0; i < 99; i++) make(heavy, 100)
  expect(heavy.isResting()).toBe(true)
  now += 1
  expect(heavy.isResting()).toBe(false)
  // From the claim on, before its first message is made.
  const light = time.begin('ada')
  make(heavy, 100)
  // Once it took long, as on a busy machine.
  make(light, 20)
  make(light, 0.1)
  now -= 20.1
  expect([heavy.isResting(), light.isResting()]).toEqual([true, false])
  // All claims of a workspace rest together.
  expect(time.begin('mallory').isResting()).toBe(true)
  now += 399
  expect(heavy.isResting()).toBe(true)
  now += 1.1
  expect(heavy.isResting()).toBe(false)
  make(heavy, 100)
  light.end()
  now += 1
  expect(heavy.isResting()).toBe(false)
})

test('making: a rest ends by itself, and at once where sending stops', async () => {
  const time = new MakingTime()
  const making = time.begin('mallory')
  time.begin('ada')
  making.spent(40)
  // Timers may be a little early.
  while (making.isResting()) await making.rest(new AbortController().signal)
  making.spent(60_000)
  await making.rest(AbortSignal.abort())
  expect(making.isResting()).toBe(true)
})
