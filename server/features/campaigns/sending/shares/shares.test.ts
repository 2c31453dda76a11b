import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
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
  const shared = { senderId: sender?.id ?? '', receiver: '' }
  // The limits of a receiver are shared apart from those of the sender.
  const google = { ...shared, receiver: 'google' }
  expect(
    await renewShare(
      db,
      'z',
      google,
      { total: { connections: 1, permits: 1 }, using: { connections: 0, permits: 0 }, cooldownMs: 0 },
      () => false,
    ),
  ).toEqual({ connections: 1, permits: 1 })
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
    const granted = await renewShare(db, worker.name, shared, wish, (name) => dead.has(name))
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
  expect(await keepShares(db, 'a', [shared, google])).toEqual([{ ...shared, isShared: true }])
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
    await leaveShares(db, worker.name, [shared])
    dead.add(worker.name)
  }
  await untilPasses(async () => {
    await renew(b)
    expect(b.using).toEqual(total)
  })
})

const PER_SECOND = 20
const COUNT = 160

test('pace: two campaigns through one sender never exceed its limit per second', async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  await ada.api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
  const ids = []
  for (const name of ['first', 'second']) {
    const list = await listWith(t.services, ada, COUNT / 2, (n) => `${name}${n}@example.com`)
    ids.push((await draftTo(ada, list)).id)
  }
  for (const id of ids) await ada.api(campaigns.send, { params: { id }, body: {} })
  for (const id of ids) await untilState(ada, id, ['sent'])
  const { rows } = await t.services.pool.query(
    'select extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds, count(*)::int from messages where campaign_id = any($1)',
    [ids],
  )
  const [{ seconds, count }] = rows
  expect(count).toBe(COUNT)
  // Not one more than a limit of any second allows. How much of it is used is shown on a virtual clock (permits.test.ts).
  expect(COUNT / seconds).toBeLessThanOrEqual((PER_SECOND * COUNT) / (COUNT - PER_SECOND))
})
