import fc from 'fast-check'
import { expect, test } from 'vitest'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { fairShare, keepShares, leaveShares, renewShare } from './shares-store.ts'

test('share: fair shares add up to the total and differ by at most one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 40 }), (total, workers) => {
      const shares = Array.from({ length: workers }, (_, place) => fairShare(total, place, workers, 0))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      expect(shares[0]).toBeGreaterThan(0)
      expect(fairShare(total, 0, workers, total)).toBe(0)
    }),
  )
})

test("share: workers never hold more than the sender has, soon hold all, and a dead one's returns", async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const { db } = t.services
  const id = sender?.id ?? ''
  const total = { connections: 3, permits: 7 }
  const workers = ['a', 'b', 'c', 'd'].map((name) => ({ name, using: { connections: 0, permits: 0 } }))
  const dead = new Set<string>()
  const held = () =>
    workers
      .filter(({ name }) => !dead.has(name))
      .reduce(
        (sum, { using }) => ({
          connections: sum.connections + using.connections,
          permits: sum.permits + using.permits,
        }),
        {
          connections: 0,
          permits: 0,
        },
      )
  const renew = async (worker: (typeof workers)[number], cooldownMs = 0) => {
    const wish = { total, using: worker.using, cooldownMs }
    const granted = await renewShare(db, worker.name, id, wish, (name) => dead.has(name))
    // Only this test asks, so nobody is in the way.
    worker.using = granted ?? worker.using
    expect(held().connections).toBeLessThanOrEqual(3)
    expect(held().permits).toBeLessThanOrEqual(7)
  }
  const [a, b, c, d] = workers as [(typeof workers)[0], (typeof workers)[0], (typeof workers)[0], (typeof workers)[0]]
  await renew(a)
  expect(a.using).toEqual(total)
  await renew(b)
  expect(b.using).toEqual({ connections: 0, permits: 0 })
  for (let i = 0; i < 3; i++) for (const worker of workers) await renew(worker)
  expect(workers.map(({ using }) => using.connections)).toEqual([1, 1, 1, 0])
  expect(workers.map(({ using }) => using.permits)).toEqual([2, 2, 2, 1])
  expect(await keepShares(db, 'a', [id])).toEqual([{ senderId: id, isShared: true }])
  dead.add('a')
  // Its permits rest for a while; its connections end with it, or a moment later.
  await untilPasses(async () => {
    for (const worker of [b, c, d]) await renew(worker, 60_000)
    expect([b, c, d].map(({ using }) => using.connections)).toEqual([1, 1, 1])
  })
  expect(held().permits).toBe(5)
  for (let i = 0; i < 3; i++) for (const worker of [b, c, d]) await renew(worker)
  expect(held()).toEqual(total)
  for (const worker of [c, d]) {
    await leaveShares(db, worker.name, [id])
    dead.add(worker.name)
  }
  await untilPasses(async () => {
    await renew(b)
    expect(b.using).toEqual(total)
  })
})
