import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState, whilePaused } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const DAY_MS = 24 * 3_600_000
const EMAIL = 'spread@gmail.com'

/** Hours that are open now: nine to five where it is noon at this time, today and the day after tomorrow. */
function hoursAroundNow() {
  const ahead = 12 - new Date().getUTCHours()
  const timeZone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  const local = Date.now() + ahead * 3_600_000
  const days = [0, 2].map((n) => ((new Date(local + n * DAY_MS).getUTCDay() + 6) % 7) + 1)
  const next = new Date(local + 2 * DAY_MS).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })
  return { window: { days, from: '09:00', to: '17:00', timeZone }, next }
}

test('spread: after the share of a day nothing is sent until the hours of the next day', async () => {
  const ada = await t.person()
  const senderId = await gmailVisitor(t, ada).account(EMAIL, { perDay: 2 })
  const { window, next } = hoursAroundNow()
  const listId = await listWith(t.services, ada, 3)
  const { id } = await draftTo(ada, listId, { channel: 'gmail', senderIds: [senderId], window, spread: true })
  const { db } = t.services
  const show = () => ada.api(campaigns.get, { params: { id } })
  let last: Awaited<ReturnType<typeof show>> | undefined
  const isSent = async (count: number) => {
    last = await show()
    return last.counts.sent === count
  }
  const sent = (count: number) =>
    until(
      () => isSent(count),
      () => `${count} sent; ${last?.state} ${JSON.stringify(last?.counts)} ${last?.stateText}`,
    )
  const says = (text: string) => until(async () => (await show()).stateText.includes(text) && show(), text)
  const received = async () => (await gmailControl(t, { email: EMAIL })).messages.length
  /** The pause until the next message, hours long, is said to be over. */
  const pausePassed = (change = async (): Promise<unknown> => undefined) =>
    whilePaused(ada, id, async () => {
      await db.updateTable('senders').set({ paceAt: new Date() }).where('id', '=', senderId).execute()
      await change()
    })
  const before = (await ada.api(campaigns.check, { params: { id } })).forecast
  expect(Date.parse(before?.lastAt ?? '') - Date.now()).toBeGreaterThan(DAY_MS)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await sent(1)
  const { paceAt } = await db
    .selectFrom('senders')
    .where('id', '=', senderId)
    .select('paceAt')
    .executeTakeFirstOrThrow()
  // Two messages in eight hours: four hours and more between them.
  expect((paceAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3.9 * 3_600_000)
  // It says so: the next one after the pause, the last one when the day of the first two is over.
  const { forecast } = await show()
  expect(forecast).toMatchObject({ nextStep: 1, lastFollowUpAt: null, isShared: false, timeZone: window.timeZone })
  expect(Date.parse(forecast?.nextAt ?? '')).toBeGreaterThanOrEqual(paceAt?.getTime() ?? 0)
  expect(Date.parse(forecast?.lastAt ?? '') - Date.now()).toBeGreaterThan(DAY_MS)
  await pausePassed()
  await sent(2)
  await pausePassed()
  const waiting = await says('limit of 2 messages in 24 hours is used up')
  // There is room again tomorrow, when its hours do not open.
  expect(waiting.stateText).toMatch(
    new RegExp(`continues automatically on ${next},? .* 09:00 \\(${window.timeZone.replace('+', '\\+')}\\)`),
  )
  expect(waiting).toMatchObject({ state: 'sending', counts: { sent: 2, queued: 1, failed: 0 } })
  expect(await received()).toBe(2)
  // The day passes, and its hours are not open: still nothing.
  const hours = (days: number[]) =>
    db
      .updateTable('campaigns')
      .set({ sendingWindow: JSON.stringify({ ...window, days }) })
      .where('id', '=', id)
      .execute()
  await pausePassed(async () => {
    await db
      .updateTable('senderUsage')
      .set({ bucket: sql<Date>`(bucket at time zone 'utc' - interval '25 hours') at time zone 'utc'` })
      .where('senderId', '=', senderId)
      .execute()
    await hours(window.days.slice(1))
  })
  await says('sending hours')
  expect(await received()).toBe(2)
  await pausePassed(() => hours(window.days))
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(3)
  expect(await received()).toBe(3)
})
