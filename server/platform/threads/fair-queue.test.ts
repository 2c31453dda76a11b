import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

test('fair queue: a workspace waits for one task of another workspace, not for all of them', () => {
  const queue = new FairQueue<string>(10)
  for (let i = 0; i < 8; i++) queue.add({ workspaceId: 'busy' }, `busy ${i}`)
  expect(queue.take()?.item).toBe('busy 0')
  queue.spend('busy', 5_000)
  queue.add({ workspaceId: 'other' }, 'other')
  expect(queue.take()?.item).toBe('other')
  queue.spend('other', 10)
  expect(queue.take()?.item).toBe('busy 1')
})

test('fair queue: tasks of a workspace are limited, and its launches go first and are never refused', () => {
  const queue = new FairQueue<string>(2)
  expect(queue.add({ workspaceId: '1' }, 'first')).toBe(true)
  expect(queue.add({ workspaceId: '1' }, 'second')).toBe(true)
  expect(queue.add({ workspaceId: '1' }, 'third')).toBe(false)
  expect(queue.add({ workspaceId: '1', isOwn: true }, 'own')).toBe(true)
  expect(queue.add({ workspaceId: '2' }, 'of another')).toBe(true)
  expect([queue.take()?.item, queue.take()?.item]).toEqual(['own', 'first'])
  expect(queue.add({ workspaceId: '1' }, 'fourth')).toBe(true)
})

test('fair queue: the time a workspace used is forgotten a minute after its last task', () => {
  let now = 0
  const queue = new FairQueue<string>(5, () => now)
  queue.add({ workspaceId: 'busy' }, 'x')
  queue.take()
  queue.spend('busy', 60_000)
  now = 61_000
  queue.add({ workspaceId: 'other' }, 'other')
  queue.take()
  queue.spend('other', 1)
  queue.add({ workspaceId: 'other' }, 'other')
  queue.add({ workspaceId: 'busy' }, 'busy')
  expect(queue.take()?.item).toBe('busy')
})

test('fair queue: who comes late takes turns with somebody who worked for long, and does not go before them', () => {
  const queue = new FairQueue<string>(9)
  const work = (ms: number) => {
    const next = queue.take()
    queue.spend(next?.workspaceId ?? '', ms)
    return next?.item
  }
  for (let i = 0; i < 100; i++) {
    queue.add({ workspaceId: 'ada' }, 'ada')
    work(100)
  }
  for (let i = 0; i < 6; i++) queue.add({ workspaceId: 'mallory' }, 'mallory')
  queue.add({ workspaceId: 'ada' }, 'ada')
  // A task of Mallory's, five seconds long, may run before; then it is Ada's turn, however often she comes.
  const order = [work(5_000), work(100)]
  for (let i = 0; i < 4; i++) {
    queue.add({ workspaceId: 'ada' }, 'ada')
    order.push(work(100))
  }
  expect(order).toEqual(['mallory', ...Array(5).fill('ada')])
})

test('fair queue: every task is taken once, and the workspace that used the least time is next', () => {
  const step = fc.record({
    workspaceId: fc.constantFrom('1', '2', '3'),
    isOwn: fc.boolean(),
    ms: fc.nat(100),
    takes: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<number>(4, () => 0)
      const waiting = new Map<string, Set<number>>()
      const used = new Map<string, number>()
      let least = 0
      steps.forEach(({ workspaceId, isOwn, ms, takes }, i) => {
        const items = waiting.get(workspaceId) ?? new Set()
        const isFirst = items.size === 0
        if (queue.add({ workspaceId, isOwn }, i)) {
          waiting.set(workspaceId, items.add(i))
          if (isFirst) used.set(workspaceId, Math.max(used.get(workspaceId) ?? 0, least))
        }
        if (!takes) return
        const next = queue.take()
        if (!next) return
        expect(waiting.get(next.workspaceId)?.delete(next.item)).toBe(true)
        for (const [other, items] of waiting)
          if (items.size > 0) expect(used.get(next.workspaceId) ?? 0).toBeLessThanOrEqual(used.get(other) ?? 0)
        least = Math.max(least, used.get(next.workspaceId) ?? 0)
        queue.spend(next.workspaceId, ms)
        used.set(next.workspaceId, (used.get(next.workspaceId) ?? 0) + ms)
      })
      expect(queue.drain().length).toBe([...waiting.values()].reduce((sum, { size }) => sum + size, 0))
    }),
  )
})
