import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { classifyAlone } from './classify.ts'
import { insertClicks, insertOpens, type NewEvent } from './events-store.ts'
import { judgeAgain, judgeBursts, reclassify } from './judge.ts'
import { createStatements, type Run } from './statements.ts'
import { campaignStats } from './stats/stats.ts'
import { CHROME, GMAIL, sentCampaign } from './testing.ts'

let t: TestApp
let person: Person
let run: Run
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
  run = createStatements(t.services.pool)
})

const agents = [CHROME, CHROME, CHROME, GMAIL, 'Mozilla/5.0', '', 'curl/8.5.0']
const visit = fc.record({
  who: fc.nat(2),
  kind: fc.constantFrom('open', 'click', 'click', 'click'),
  link: fc.nat(4),
  gap: fc.oneof(fc.nat(2_000), fc.nat(12_000)),
  agent: fc.constantFrom(...agents),
  purpose: fc.option(fc.constantFrom('prefetch', 'navigation'), { nil: undefined, freq: 6 }),
})

test('judge: counts stored as events arrive equal those computed from all events', async () => {
  const { db } = t.services
  await fc.assert(
    fc.asyncProperty(
      fc.array(visit, { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
      async (visits, sizes) => {
        const sent = await sentCampaign(t.services, person)
        let at = Date.now() - 20_000
        const events = visits.map(({ who, kind, link, gap, agent, purpose }): NewEvent => {
          at += gap
          const hints = purpose ? { purpose } : {}
          const messageId = sent.messages[who]?.id ?? ''
          return {
            messageId,
            kind: kind as 'open' | 'click',
            link: kind === 'click' ? link : null,
            at,
            network: '203.0.113.0/24',
            userAgent: agent,
            hints,
            verdict: classifyAlone({ userAgent: agent, hints }),
          }
        })
        for (let i = 0, turn = 0; i < events.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          const batch = events.slice(i, i + size)
          await insertOpens(
            run,
            batch.filter((event) => event.kind === 'open'),
          )
          await insertClicks(
            run,
            batch.filter((event) => event.kind === 'click'),
          )
          i += size
        }
        await judgeBursts(
          db,
          sent.messages.map((message) => message.id),
        )
        const before = await campaignStats(db, person.workspaceId, sent.id)
        expect(before.opens.total + before.clicks.total).toBe(events.length)
        expect(before.links.reduce((sum, link) => sum + link.clicks, 0)).toBe(before.clicks.human)
        expect(await reclassify(db, person.workspaceId, sent.id)).toBe(0)
        expect(await campaignStats(db, person.workspaceId, sent.id)).toEqual(before)
      },
    ),
    { numRuns: 60 },
  )
})

test('judge: computing the classes again corrects wrong ones', async () => {
  const { db } = t.services
  const sent = await sentCampaign(t.services, person)
  const messageId = sent.messages[0]?.id ?? ''
  await insertOpens(run, [
    {
      messageId,
      kind: 'open',
      link: null,
      at: Date.now(),
      network: '',
      userAgent: 'Mozilla/5.0',
      hints: {},
      verdict: { class: 'human', reason: '' },
    },
  ])
  expect((await campaignStats(db, person.workspaceId, sent.id)).opens.human).toBe(1)
  expect(await reclassify(db, person.workspaceId, sent.id)).toBe(1)
  expect((await campaignStats(db, person.workspaceId, sent.id)).opens).toMatchObject({ human: 0, machine: 1 })
})

test('judge: only opens before the mail server accepted the message become machine traffic', async () => {
  const { db } = t.services
  const sent = await sentCampaign(t.services, person, { sentSecondsAgo: null })
  const ids = sent.messages.map((message) => message.id)
  const at = Date.now()
  const open = (messageId: string): NewEvent => ({
    messageId,
    kind: 'open',
    link: null,
    at,
    network: '',
    userAgent: CHROME,
    hints: {},
    verdict: { class: 'human', reason: '' },
  })
  const early = await insertOpens(run, ids.map(open))
  expect(early.sort()).toEqual([...ids].sort())
  await db
    .updateTable('messages')
    .set({ state: 'sent', sentAt: new Date(at - 20) })
    .where('id', '=', ids[0] ?? '')
    .execute()
  await db
    .updateTable('messages')
    .set({ state: 'sent', sentAt: new Date(at + 4_000) })
    .where('id', '=', ids[1] ?? '')
    .execute()
  await db
    .updateTable('messages')
    .set({ state: 'claimed' })
    .where('id', '=', ids[2] ?? '')
    .execute()
  expect(await judgeAgain(db, ids, 'before_acceptance')).toEqual([ids[2]])
  expect((await campaignStats(db, person.workspaceId, sent.id)).opens).toEqual({
    total: 3,
    unique: 2,
    human: 2,
    machine: 1,
  })
  expect(await reclassify(db, person.workspaceId, sent.id)).toBe(0)
})
