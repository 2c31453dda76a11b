import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PeriodicClock, type PeriodicWork } from './periodic.ts'

const silent = { error: () => undefined }
const noConditions = { holds: () => Promise.reject(new Error('must not be asked')) }
const work = (run: PeriodicWork['run'], intervalMs = 1): PeriodicWork => ({
  name: 'test',
  per: 'process',
  intervalMs,
  run,
})

test('periodic work: it runs repeatedly and never twice at once', async () => {
  const clock = new PeriodicClock(silent, noConditions)
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
  const clock = new PeriodicClock({ error: (...line: unknown[]) => void lines.push(line) }, noConditions)
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
  const clock = new PeriodicClock(silent, noConditions)
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
  const clock = new PeriodicClock(silent, noConditions)
  clock.start(work(() => Promise.reject(new Error('must not run')), 3_600_000))
  await clock.stop()
})

test('periodic work: work with a condition runs only when it holds, and a condition that fails is logged', async () => {
  const lines: unknown[][] = []
  const answers = [false, new Error('no database'), false, true]
  const isDue = sql<boolean>`exists (select 1 from campaigns)`
  const asked: unknown[] = []
  const holds = async (condition: unknown) => {
    asked.push(condition)
    const answer = answers[asked.length - 1]
    if (answer instanceof Error) throw answer
    return answer === true
  }
  const clock = new PeriodicClock({ error: (...line: unknown[]) => void lines.push(line) }, { holds })
  const ran = Promise.withResolvers<number>()
  clock.start({ ...work(async () => ran.resolve(asked.length)), isDue })
  expect(await ran.promise).toBe(answers.length)
  await clock.stop()
  expect(new Set(asked)).toEqual(new Set([isDue]))
  expect(lines).toEqual([[{ err: answers[1], work: 'test' }, 'periodic work failed']])
})
