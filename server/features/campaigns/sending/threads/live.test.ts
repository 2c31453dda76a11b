import { expect, test } from 'vitest'
import { thisOwner } from '#server/engine/index.ts'
import { addThread, FIRST, hasRecovered, hasThread, isGone, newLiveThreads, noteRecovered, SECOND } from './live.ts'

const own = (thread: number) => ({ ...thisOwner(), thread })

test('live threads: one that is there has not ended, and one that is not there any more has', () => {
  const threads = newLiveThreads()
  const removeFirst = addThread(threads, FIRST, 7)
  addThread(threads, SECOND, 8)
  expect([7, 8, 9, 0].map((id) => isGone(threads, own(id)))).toEqual([false, false, true, true])
  removeFirst()
  addThread(threads, FIRST, 10)
  expect([7, 8, 10].map((id) => isGone(threads, own(id)))).toEqual([true, false, false])
})

test('live threads: what cannot be seen has ended only where no other process can send', () => {
  const threads = newLiveThreads()
  addThread(threads, FIRST, 7)
  const elsewhere = [{ namespace: 'pid:[1]' }, { boot: 'another boot' }].map((other) => ({ ...own(7), ...other }))
  expect(elsewhere.map((owner) => isGone(threads, owner))).toEqual([false, false])
  expect(elsewhere.map((owner) => isGone(threads, owner, true))).toEqual([true, true])
  expect([7, 8].map((id) => isGone(threads, own(id), true))).toEqual([false, true])
})

test('live threads: the second begins only after the first has settled what was left behind, each time anew', () => {
  const threads = newLiveThreads()
  const remove = addThread(threads, FIRST, 7)
  expect([hasThread(threads, FIRST), hasRecovered(threads)]).toEqual([true, false])
  noteRecovered(threads)
  expect(hasRecovered(threads)).toBe(true)
  remove()
  addThread(threads, FIRST, 8)
  expect([hasThread(threads, FIRST), hasRecovered(threads)]).toEqual([true, false])
})
