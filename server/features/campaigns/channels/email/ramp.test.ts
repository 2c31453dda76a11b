import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { foresee } from './outlook.ts'

const HOUR = 3_600_000

test('ramp plan: a campaign larger than the day stops at its limit, says when it goes on, and ends once the plan is stopped', async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const eve = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const params = { id: sender?.id ?? '' }
  const started = await ada.api(senders.startRamp, { params, body: { days: 14 } })
  expect(started.rampPlan).toMatchObject({ days: 14, day: 1, limit: 50, startedAt: null })
  expect(started.rampPlan?.curve).toHaveLength(14)
  await expect(eve.api(senders.startRamp, { params, body: { days: 14 } })).rejects.toMatchObject({ status: 404 })
  await expect(ada.api(senders.startRamp, { params, body: { days: 15 as 14 } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'days' }],
  })
  const { id } = await draftTo(ada, await listWith(t.services, ada, 180))
  const check = await ada.api(campaigns.check, { params: { id } })
  expect(check.recipients).toBe(180)
  const inDays = (iso: string | null | undefined) => Math.round((Date.parse(iso ?? '') - Date.now()) / (24 * HOUR))
  // 50 today, 75 more tomorrow at the most, the rest on the third day.
  expect(inDays(check.forecast?.lastAt)).toBe(2)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  const shown = await until(async () => {
    const shown = await ada.api(campaigns.get, { params: { id } })
    return shown.counts.sent === 50 && shown.stateText !== '' && shown
  }, 'the limit of the day')
  expect(shown.counts).toMatchObject({ sent: 50, queued: 130 })
  expect(shown.stateText).toMatch(
    /^Waiting: the limit of 50 messages in 24 hours is used up\. It continues automatically on /,
  )
  expect(inDays(shown.forecast?.nextAt)).toBe(1)
  expect((await ada.api(senders.get, { params })).rampPlan?.startedAt).toEqual(expect.any(String))
  /** A day passes: all that happened is a day and an hour older. */
  const passDay = async () => {
    const { db, live } = t.services
    await sql`update senders set ramp_from = (ramp_from at time zone 'utc' - interval '25 hours') at time zone 'utc' where id = ${params.id}`.execute(
      db,
    )
    await sql`update sender_usage set bucket = (bucket at time zone 'utc' - interval '25 hours') at time zone 'utc' where sender_id = ${params.id}`.execute(
      db,
    )
    await sql`update messages set bounced_at = (bounced_at at time zone 'utc' - interval '25 hours') at time zone 'utc' where campaign_id = ${id} and bounced_at is not null`.execute(
      db,
    )
    live.publish('sending', id)
  }
  const untilLimit = (sent: number) =>
    until(async () => {
      const { counts } = await ada.api(campaigns.get, { params: { id } })
      return counts.sent + counts.bounced === sent && (await ada.api(senders.get, { params })).rampPlan
    }, `${sent} sent`)
  await sql`update messages set state = 'bounced', reason = 'hard', bounced_at = now() where id in (
    select id from messages where campaign_id = ${id} and state = 'sent' order by id limit 4)`.execute(t.services.db)
  await passDay()
  expect(await untilLimit(100)).toMatchObject({
    ...{ day: 1, limit: 50 },
    held: { text: 'Held at 50 a day: 8% of the emails of that day bounced, because the addresses do not exist.' },
  })
  await passDay()
  expect(await untilLimit(175)).toMatchObject({ day: 2, limit: 75, held: null })
  expect((await ada.api(senders.stopRamp, { params })).rampPlan).toBeNull()
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ sent: 176, bounced: 4 })
})

test('forecast: parts of days follow limits, releases and sending hours', () => {
  const start = Date.parse('2026-11-23T08:00:00Z')
  const ahead = {
    ...{ from: start, perSecond: 10, releases: [], window: null, risesAt: () => null },
    limitAt: (): number | null => 100,
  }
  const days = (emails: number) => ((foresee({ ...ahead, emails })?.lastAt ?? 0) - start) / (24 * HOUR)
  expect(days(100)).toBeLessThan(0.01)
  expect(days(250)).toBeCloseTo(2, 1)
  const used = { ...ahead, emails: 1, releases: [{ at: start + 3 * HOUR, count: 100 }] }
  expect(foresee(used)?.nextAt).toBe(start + 3 * HOUR)
  expect(foresee({ ...used, limitAt: () => null })?.nextAt).toBe(start)
  const window = { days: [1, 2, 3, 4, 5], from: '09:00', to: '10:00', timeZone: 'UTC' }
  const paced = foresee({ ...ahead, emails: 40_000, limitAt: () => null, window })
  expect(paced).toEqual({ nextAt: start + HOUR, lastAt: start + 25 * HOUR + 400_000 })
})
