import { expect, test } from 'vitest'
import { SupervisedThread } from './supervised.ts'

/** A supervised thread and what it told, one after the other. */
function testThread() {
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
  await expect.poll(() => starts).toEqual(['start', 'gone'])
  await thread.stop()
  expect(starts).toEqual(['start', 'gone'])
})
