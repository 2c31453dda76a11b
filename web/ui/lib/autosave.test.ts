import { expect, test } from 'vitest'
import { untilPasses } from '#server/testing/until.ts'
import { Autosave, type SaveState } from './autosave.ts'

interface Fields {
  title: string
  text: string
}

/** An autosave whose requests are finished by hand, with a delay that never ends by itself. */
function setUp() {
  const requests: { changes: Partial<Fields>; finish: PromiseWithResolvers<void> }[] = []
  const states: SaveState[] = []
  const autosave = new Autosave<Fields>(
    (changes) => {
      const finish = Promise.withResolvers<void>()
      requests.push({ changes, finish })
      return finish.promise
    },
    60_000,
    (state) => states.push(state),
  )
  return { autosave, requests, states }
}

test('autosave: changes made before a save are sent together', async () => {
  const { autosave, requests, states } = setUp()
  autosave.change({ title: 'A' })
  autosave.change({ title: 'AB' })
  autosave.change({ text: 'words' })
  expect(autosave.isSaved).toBe(false)
  const saved = autosave.flush()
  requests[0]?.finish.resolve()
  expect(await saved).toBe(true)
  expect(requests.map(({ changes }) => changes)).toEqual([{ title: 'AB', text: 'words' }])
  expect([autosave.isSaved, states]).toEqual([true, ['unsaved', 'unsaved', 'unsaved', 'saving', 'saved']])
})

test('autosave: of two who wait for a save that fails, neither is told that all is saved', async () => {
  const { autosave, requests } = setUp()
  autosave.change({ title: 'A' })
  const waiting = [autosave.flush(), autosave.flush(), autosave.flush()]
  requests[0]?.finish.reject(new Error('no connection'))
  for (const n of [1, 2]) {
    await untilPasses(async () => expect(requests.length).toBe(n + 1))
    requests[n]?.finish.reject(new Error('no connection'))
  }
  expect(await Promise.all(waiting)).toEqual([false, false, false])
  expect(autosave.isSaved).toBe(false)
})

test('autosave: changes made during a save are sent after it ends', async () => {
  const { autosave, requests, states } = setUp()
  autosave.change({ title: 'A' })
  const first = autosave.flush()
  autosave.change({ text: 'later' })
  const second = autosave.flush()
  expect(requests).toHaveLength(1)
  requests[0]?.finish.resolve()
  expect(await first).toBe(false)
  await untilPasses(async () => expect(requests.length).toBe(2))
  requests[1]?.finish.resolve()
  expect(await second).toBe(true)
  expect(requests[1]?.changes).toEqual({ text: 'later' })
  expect(states.at(-1)).toBe('saved')
})

test('autosave: changes of a failed save are sent with the next one, and newer changes win', async () => {
  const { autosave, requests, states } = setUp()
  autosave.change({ title: 'A', text: 'old' })
  const first = autosave.flush()
  autosave.change({ text: 'new' })
  requests[0]?.finish.reject(new Error('no connection'))
  expect(await first).toBe(false)
  expect([states.at(-1), autosave.isSaved]).toEqual(['failed', false])
  const second = autosave.flush()
  requests[1]?.finish.resolve()
  expect(await second).toBe(true)
  expect(requests[1]?.changes).toEqual({ title: 'A', text: 'new' })
})

test('autosave: changes that were discarded are not sent', async () => {
  const { autosave, requests, states } = setUp()
  autosave.change({ title: 'A' })
  const failed = autosave.flush()
  requests[0]?.finish.reject(new Error('a newer version'))
  await failed
  autosave.change({ text: 'later' })
  autosave.discard()
  expect([await autosave.flush(), autosave.isSaved, requests.length, states.at(-1)]).toEqual([true, true, 1, 'saved'])
})

test('autosave: nothing is sent without a change', async () => {
  const { autosave, requests } = setUp()
  expect([await autosave.flush(), requests]).toEqual([true, []])
})

test('autosave: a change is saved automatically after the delay', async () => {
  const sent: Partial<Fields>[] = []
  const done = Promise.withResolvers<void>()
  const autosave = new Autosave<Fields>(
    async (changes) => sent.push(changes),
    1,
    (state) => state === 'saved' && done.resolve(),
  )
  autosave.change({ title: 'A' })
  await done.promise
  expect(sent).toEqual([{ title: 'A' }])
})
