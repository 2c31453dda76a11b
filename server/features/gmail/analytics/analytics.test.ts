import { beforeAll, expect, test } from 'vitest'
import type { Input } from '#contracts/endpoint.ts'
import { gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const DAY = 86_400_000
/** Ten in the morning of yesterday, UTC. */
const TEN = new Date(Math.floor(Date.now() / DAY) * DAY - DAY + 10 * 3_600_000)
const after = (minutes: number) => new Date(TEN.getTime() + minutes * 60_000)

type Change = { trackOpens?: boolean; parentId?: string; step?: number; channel?: string }

async function campaign({ workspaceId }: Person, name: string, change: Change = {}): Promise<string> {
  const row = { workspaceId, name, channel: 'gmail', state: 'sent', startedAt: TEN, ...change }
  return (await t.services.db.insertInto('campaigns').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function account({ workspaceId }: Person, fromEmail: string): Promise<string> {
  const row = { workspaceId, kind: 'gmail', name: fromEmail, fromEmail }
  return (await t.services.db.insertInto('senders').values(row).returning('id').executeTakeFirstOrThrow()).id
}

let readers = 0

/** An email that was sent through an account; returns its id. */
async function email({ workspaceId }: Person, campaignId: string, senderId: string, name = 'Reader', sentAt = TEN) {
  const { db } = t.services
  const email = `reader${++readers}@example.com`
  const contact = await db
    .insertInto('contacts')
    .values({ workspaceId, email, emailKey: email, name, attributes: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = { workspaceId, campaignId, contactId: contact.id, address: email, state: 'sent', senderId, sentAt }
  return (await db.insertInto('messages').values(values).returning('id').executeTakeFirstOrThrow()).id
}

type Did = { kind?: string; by?: string; at?: Date; link?: number }

async function happened({ workspaceId }: Person, campaignId: string, messageId: string, did: Did = {}) {
  const { kind = 'open', by = 'human', at = after(30), link = null } = did
  const row = { workspaceId, campaignId, messageId, kind, class: by, at, link }
  await t.services.db.insertInto('events').values(row).execute()
}

const show = (person: Person, query: Input<typeof gmailAnalytics.show>['query'] = {}) =>
  person.api(gmailAnalytics.show, { query })

test('Gmail analytics: an opened email counts once, without machines, and untracked ones are unknown', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const [first, second] = [await account(ada, 'ada@gmail.com'), await account(ada, 'sales@gmail.com')]
  const [spring, quiet] = [await campaign(ada, 'Spring'), await campaign(ada, 'Quiet', { trackOpens: false })]
  const one = await email(ada, spring, first)
  await happened(ada, spring, one)
  await happened(ada, spring, one, { at: after(90) })
  await happened(ada, spring, await email(ada, spring, second), { by: 'machine' })
  await email(ada, quiet, second)
  const result = await show(ada)
  expect(result.totals).toEqual({ counted: 2, unknown: 1, engaged: 1, human: 2, machine: 1, rate: 0.5 })
  expect(result.campaigns.map(({ name, rate }) => [name, rate])).toEqual([
    ['Quiet', null],
    ['Spring', 0.5],
  ])
  expect(Object.fromEntries(result.accounts.map(({ address, rate }) => [address, rate]))).toEqual({
    'ada@gmail.com': 1,
    'sales@gmail.com': 0,
  })
  // Clicks of the same emails are another matter, and another workspace's nobody's.
  expect((await show(ada, { kind: 'click' })).totals).toMatchObject({ counted: 3, engaged: 0, rate: 0 })
  expect((await show(eve, { campaigns: spring })).totals).toMatchObject({ counted: 0, rate: null })
  expect((await show(eve)).choices).toEqual({ campaigns: [], accounts: [], steps: [1] })
})

test('Gmail analytics: a follow-up counts for its campaign and as a step, and filters apply', async () => {
  const ada = await t.person()
  const [first, second] = [await account(ada, 'a@gmail.com'), await account(ada, 'b@gmail.com')]
  const [root, other] = [await campaign(ada, 'Root'), await campaign(ada, 'Other')]
  const next = await campaign(ada, 'Root, step 2', { parentId: root, step: 2 })
  await email(ada, root, first)
  await happened(ada, next, await email(ada, next, second))
  await email(ada, other, second)
  const all = await show(ada)
  expect(all.campaigns.map(({ id, counted, engaged }) => [id, counted, engaged])).toEqual([
    [other, 1, 0],
    [root, 2, 1],
  ])
  expect(all.steps.map(({ step, rate }) => [step, rate])).toEqual([
    [1, 0],
    [2, 1],
  ])
  expect(all.choices).toMatchObject({ steps: [1, 2], campaigns: [{ id: other }, { id: root }] })
  expect((await show(ada, { campaigns: `${root},${other}`, step: 1 })).totals.counted).toBe(2)
  expect((await show(ada, { senderId: second })).totals).toMatchObject({ counted: 2, engaged: 1 })
  expect((await show(ada, { until: after(-1).toISOString() })).totals.counted).toBe(0)
})

test('Gmail analytics: days and hours use the requested time zone', async () => {
  const ada = await t.person()
  const [sender, id] = [await account(ada, 'c@gmail.com'), await campaign(ada, 'Clock')]
  await happened(ada, id, await email(ada, id, sender), { at: after(45) })
  const utc = await show(ada)
  expect(utc.hours[10]).toMatchObject({ counted: 1, engaged: 1, human: 1, rate: 1 })
  expect(utc.days.filter((day) => day.emails > 0)).toEqual([
    { day: TEN.toISOString().slice(0, 10), emails: 1, human: 1, machine: 0 },
  ])
  expect(utc.days.length).toBeGreaterThanOrEqual(30)
  // Half an hour off the full one: sent at 15:30 there, opened at 16:15.
  const india = await show(ada, { timeZone: 'Asia/Kolkata' })
  expect([india.hours[15]?.counted, india.hours[15]?.human, india.hours[16]?.human]).toEqual([1, 0, 1])
  const weekday = TEN.getUTCDay() || 7
  expect([utc.week, india.week]).toEqual([[{ weekday, hour: 10, human: 1 }], [{ weekday, hour: 16, human: 1 }]])
})

test('Gmail analytics: compared campaigns are aligned at their first email and end at the present', async () => {
  const ada = await t.person()
  const sender = await account(ada, 'e@gmail.com')
  const [old, young] = [await campaign(ada, 'Old'), await campaign(ada, 'Young')]
  const one = await email(ada, old, sender)
  await happened(ada, old, one, { at: after(30) })
  await happened(ada, old, one, { at: after(90) })
  await happened(ada, old, await email(ada, old, sender, 'Late', after(10)), { at: after(150) })
  await happened(ada, old, await email(ada, old, sender), { by: 'machine' })
  await email(ada, young, sender, 'New', new Date(Date.now() - 90 * 60_000))
  const curves = (query: { unit?: 'hour' | 'day'; since?: string } = {}) =>
    ada.api(gmailAnalytics.curves, { query: { campaigns: `${old},${young}`, ...query } })
  const [first, second] = (await curves()).campaigns
  expect(first).toMatchObject({ name: 'Old', firstAt: TEN.toISOString(), counted: 3, engaged: 2, human: 3, machine: 1 })
  expect(first?.curve.slice(0, 4)).toEqual([
    { after: 1, engaged: 1, times: 1 },
    { after: 2, engaged: 1, times: 2 },
    { after: 3, engaged: 2, times: 3 },
    { after: 4, engaged: 2, times: 3 },
  ])
  expect(first?.curve.length).toBeLessThan(72)
  expect(second?.curve).toEqual([1, 2].map((after) => ({ after, engaged: 0, times: 0 })))
  const byDay = await curves({ unit: 'day' })
  expect(byDay.campaigns[0]?.curve[0]).toEqual({ after: 1, engaged: 2, times: 3 })
  expect((await curves({ since: after(1).toISOString() })).campaigns[0]).toMatchObject({ counted: 1 })
})

test('Gmail analytics: links are ranked by emails, and recipients are listed as pages and as CSV', async () => {
  const ada = await t.person()
  const [sender, id] = [await account(ada, 'd@gmail.com'), await campaign(ada, 'Links')]
  const urls = ['https://example.com/a?c={{ name | postlark_url }}', 'https://example.com/b']
  const { db } = t.services
  await db
    .insertInto('campaignLinks')
    .values(urls.map((url, link) => ({ workspaceId: ada.workspaceId, campaignId: id, link, url })))
    .execute()
  const [one, two] = [await email(ada, id, sender, '=1+1'), await email(ada, id, sender)]
  await happened(ada, id, one, { kind: 'click', link: 1 })
  await happened(ada, id, two, { kind: 'click', link: 1, at: after(31) })
  await happened(ada, id, two, { kind: 'click', link: 0, at: after(60) })
  await happened(ada, id, await email(ada, id, sender), { kind: 'click', link: 0, by: 'machine' })
  expect((await show(ada, { kind: 'click' })).links).toEqual([
    { url: 'https://example.com/b', emails: 2, human: 2, machine: 0 },
    { url: 'https://example.com/a?c={{ name }}', emails: 1, human: 1, machine: 1 },
  ])
  const page = await ada.api(gmailAnalytics.recipients, { query: { kind: 'click', limit: 1 } })
  expect(page).toMatchObject({ total: 2, nextCursor: two })
  expect(page.items[0]).toMatchObject({
    messageId: two,
    campaign: 'Links',
    account: 'd@gmail.com',
    times: 2,
    firstAt: after(31).toISOString(),
    lastAt: after(60).toISOString(),
    links: ['https://example.com/a?c={{ name }}', 'https://example.com/b'],
  })
  const rest = await ada.api(gmailAnalytics.recipients, { query: { kind: 'click', cursor: page.nextCursor ?? '' } })
  expect(rest.items.map(({ messageId }) => messageId)).toEqual([one])
  const csv = await (await ada.api(gmailAnalytics.exportRecipients, { query: { kind: 'click' } })).text()
  expect(csv.trim().split('\r\n')).toHaveLength(3)
  expect(csv).toContain(`"'=1+1","Links","1","d@gmail.com","${TEN.toISOString()}"`)
})

test('Gmail analytics: an invalid filter is refused by name', async () => {
  const ada = await t.person()
  const refused = async (query: Record<string, string>) => {
    const response = await fetch(`${t.address}/api/gmail/analytics?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    return [response.status, JSON.stringify(await response.json())] as const
  }
  for (const [field, value] of [
    ['kind', 'bounce'],
    ['campaigns', '1,x'],
    ['senderId', '-1'],
    ['step', '0'],
    ['timeZone', 'Mars/Base'],
    ['since', '2999-01-01T00:00:00Z'],
    ['until', 'tomorrow'],
    ['until', '0000-01-01T00:00:00Z'],
  ] as const) {
    const [status, text] = await refused({ [field]: value })
    expect([field, status], text).toEqual([field, 400])
    expect(text).toContain(field)
  }
})
