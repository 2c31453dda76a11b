import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { reclassify } from '../judge.ts'
import { CHROME, GMAIL, sentCampaign } from '../testing.ts'
import { findCutoff, mergeOldEvents } from './retention.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
})

test('retention: the cutoff is the first of a month, also over the end of a year', () => {
  expect(findCutoff(new Date('2026-11-25T10:00:00Z'), 1).toISOString()).toBe('2026-10-01T00:00:00.000Z')
  expect(findCutoff(new Date('2026-01-31T23:59:00Z'), 13).toISOString()).toBe('2024-12-01T00:00:00.000Z')
})

test('retention: old events become one row a day and kind, every count stays, and recent ones are untouched', async () => {
  const { id, messages } = await sentCampaign(t.services, person)
  const { db, pool } = t.services
  const OLD = new Date('2020-03-02T08:00:00Z').getTime()
  const event = (message: number, kind: string, at: number, more: object = {}) => ({
    workspaceId: person.workspaceId,
    campaignId: id,
    messageId: messages[message]?.id ?? '',
    kind,
    at: new Date(at),
    network: '203.0.113.0/24',
    userAgent: CHROME,
    hints: JSON.stringify({ language: 'en' }),
    class: 'human',
    ...more,
  })
  const HOUR = 3_600_000
  const old = [
    ...[0, 1, 2, 30].map((hours) => event(0, 'open', OLD + hours * HOUR)),
    event(0, 'open', OLD, { userAgent: GMAIL, times: 7 }),
    event(0, 'open', OLD, { class: 'machine', reason: 'proxy' }),
    ...[0, 0, 1].map((link) => event(0, 'click', OLD + HOUR, { link })),
    ...[0, 1].map((hours) => event(1, 'open', OLD + hours * HOUR)),
    event(1, 'unsubscribe', OLD + HOUR),
  ]
  const recent = [0, 1].map((minutes) => event(2, 'open', Date.now() - minutes * 60_000))
  await db
    .insertInto('events')
    .values([...old, ...recent])
    .execute()
  const read = async () => {
    const { timeline, ...rest } = await person.api(campaigns.stats, { params: { id } })
    return rest
  }
  const before = await read()
  expect(before.opens).toMatchObject({ total: 16, unique: 3, human: 15, machine: 1 })
  // Of 12 rows: opens of the first message on two days, by another program and by a machine, two links; and two more kinds.
  expect(await mergeOldEvents(db, 12)).toEqual({ before: 12, after: 8 })
  expect(await read()).toEqual(before)
  const { rows } = await pool.query(
    'select merged, network, hints, count(*)::int as n from events where campaign_id = $1 group by 1, 2, 3 order by 1',
    [id],
  )
  expect(rows).toEqual([
    { merged: false, network: '203.0.113.0/24', hints: { language: 'en' }, n: 2 },
    { merged: true, network: '', hints: {}, n: 8 },
  ])
  // The month is done. What is left of the events is no ground to judge them anew.
  expect(await mergeOldEvents(db, 12)).toEqual({ before: 0, after: 0 })
  await reclassify(db, person.workspaceId, id)
  const { clients, ...counts } = before
  expect(await read()).toMatchObject({ opens: { machine: counts.opens.machine }, clicks: counts.clicks })
})

test('retention: a run that was interrupted is resumed where it was', async () => {
  const { db, pool } = t.services
  const { id, messages } = await sentCampaign(t.services, person)
  await pool.query(
    `insert into events (workspace_id, campaign_id, message_id, kind, at, class, network)
     select $1, $2, $3, 'open', '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 second', 'human', 'n' from generate_series(1, 4500) n`,
    [person.workspaceId, id, messages[0]?.id],
  )
  await pool.query("delete from settings where key = 'events_retention'")
  // Stopped after its first slice.
  let looks = 0
  const stop = {
    get aborted() {
      return looks++ > 0
    },
  } as AbortSignal
  expect((await mergeOldEvents(db, 12, stop)).before).toBeLessThan(5_000)
  expect(looks).toBe(2)
  await mergeOldEvents(db, 12)
  const { rows } = await pool.query(
    'select count(*)::int as n, sum(times)::int as times from events where campaign_id = $1',
    [id],
  )
  expect(rows).toEqual([{ n: 1, times: 4500 }])
})
