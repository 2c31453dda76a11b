import { expect, test } from 'vitest'
import { PeriodicClock, type PeriodicWork } from './periodic.ts'

const silent = { error: () => undefined }
const work = (run: PeriodicWork['run'], intervalMs = 1): PeriodicWork => ({
  name: 'test',
  per: 'process',
  intervalMs,
  run,
})

test('periodic work: it runs repeatedly and never twice at once', async () => {
  const clock = new PeriodicClock(silent)
  const { promise, resolve } = Promise.withResolvers<void>()
  let [runs, running, most] = [0, 0, 0]
  clock.start(
    work(async () => {
      most = Math.max(most, ++running)
      await new Promise((next) => setImmediate(next))
      running--
      if (++runs === 5) resolve()
    }),
  )
  await promise
  await clock.stop()
  expect(most).toBe(1)
})

test('periodic work: work that fails runs again at its interval and is logged once a minute', async () => {
  const lines: unknown[][] = []
  const clock = new PeriodicClock({ error: (...line: unknown[]) => void lines.push(line) })
  const { promise, resolve } = Promise.withResolvers<void>()
  const failure = new Error('no database')
  let runs = 0
  clock.start(
    work(async () => {
      if (++runs === 5) resolve()
      throw failure
    }),
  )
  await promise
  await clock.stop()
  expect(lines).toEqual([[{ err: failure, work: 'test' }, 'periodic work failed']])
})

test('periodic work: stop aborts the current run, waits for it and starts no other', async () => {
  const clock = new PeriodicClock(silent)
  const started = Promise.withResolvers<void>()
  let [runs, ended] = [0, 0]
  clock.start(
    work(async (signal) => {
      runs++
      started.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended++
    }),
  )
  await started.promise
  await clock.stop()
  expect([runs, ended]).toEqual([1, 1])
})

test('periodic work: stop does not wait for the next run', async () => {
  const clock = new PeriodicClock(silent)
  clock.start(work(() => Promise.reject(new Error('must not run')), 3_600_000))
  await clock.stop()
})
