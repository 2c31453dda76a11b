import { expect, test } from 'vitest'
import { untilPasses } from '#server/testing/until.ts'
import { SupervisedThread } from './supervised.ts'

/** What happens in a test happens by what is posted. */
const RARELY = { pollMs: 600_000, restMs: 600_000 }

/** A supervised thread and what it told, one after the other. */
function testThread(whileNeeded?: { hasWork: () => Promise<boolean>; pollMs: number; restMs: number }) {
  const told: unknown[] = []
  let next = Promise.withResolvers<unknown>()
  const tell = (what: unknown) => {
    told.push(what)
    next.resolve(what)
    next = Promise.withResolvers()
  }
  const starts: string[] = []
  const thread = new SupervisedThread<string>(
    {
      log: { error: (_: unknown, text?: string) => tell(text) },
      queue: { enqueue: async ({ name }, payload) => tell([name, payload]) },
    },
    {
      name: 'test',
      file: new URL('./supervised.fixture.ts', import.meta.url),
      workerData: { word: 'well' },
      stopMs: 10_000,
      onMessage: tell,
      ...(whileNeeded && { whileNeeded }),
      onStart() {
        starts.push('start')
        return () => starts.push('gone')
      },
    },
  )
  return { thread, starts, hear: () => next.promise }
}

test('supervised thread: a thread that ends with an error is restarted, and its jobs are queued', async () => {
  const { thread, starts, hear } = testThread()
  expect(await hear()).toBe('started well')
  let heard = hear()
  thread.post('queue')
  expect(await heard).toEqual(['test.job', { n: 1 }])
  heard = hear()
  thread.post('broken')
  expect(await heard).toBe('the test thread ended with an error')
  expect(await hear()).toBe('started well')
  await thread.stop()
  expect(starts).toEqual(['start', 'gone', 'start', 'gone'])
})

test('supervised thread: a thread stopped before its restart is not started again', async () => {
  const { thread, starts, hear } = testThread()
  await hear()
  thread.post('broken')
  await untilPasses(async () => expect(starts).toEqual(['start', 'gone']))
  await thread.stop()
  expect(starts).toEqual(['start', 'gone'])
})

test('supervised thread: a thread that waits for work is started with the first', async () => {
  let [asked, hasWork] = [0, false]
  const { thread, starts, hear } = testThread({
    hasWork: async () => {
      asked++
      return hasWork
    },
    ...RARELY,
  })
  thread.post('news')
  await untilPasses(async () => expect(asked).toBe(2))
  expect(starts).toEqual([])
  hasWork = true
  const heard = hear()
  thread.post('news')
  expect(await heard).toBe('started well')
  await thread.stop()
  expect(starts).toEqual(['start', 'gone'])
})

test('supervised thread: a thread whose work cannot be asked for is started, and one that is stopped is not', async () => {
  const lost = testThread({ hasWork: () => Promise.reject(new Error('no database')), ...RARELY })
  expect(await lost.hear()).toBe('started well')
  await lost.thread.stop()
  const asked = Promise.withResolvers<boolean>()
  const stopped = testThread({ hasWork: () => asked.promise, ...RARELY })
  await stopped.thread.stop()
  asked.resolve(true)
  // Whatever follows from the reply has happened then.
  await new Promise(setImmediate)
  expect(stopped.starts).toEqual([])
})

test('supervised thread: a thread without work ends, and is started again with the next work', async () => {
  let hasWork = true
  const { thread, starts, hear } = testThread({ hasWork: async () => hasWork, pollMs: 600_000, restMs: 100 })
  expect(await hear()).toBe('started well')
  hasWork = false
  await untilPasses(async () => expect(starts).toEqual(['start', 'gone']))
  expect(thread.post('news')).toBe(false)
  hasWork = true
  const heard = hear()
  thread.look()
  expect(await heard).toBe('started well')
  await thread.stop()
  expect(starts).toEqual(['start', 'gone', 'start', 'gone'])
})
