import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { activeJourney, manual } from '#server/testing/journey.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

let lists = 0
async function sent(person: Person, people: number, change: Record<string, unknown> = {}) {
  const list = ++lists
  const address = (n: number) => `r${n}.l${list}@example.com`
  const { id } = await draftTo(person, await listWith(t.services, person, people, address), change)
  await person.api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  const rows = await t.services.db.selectFrom('messages').where('campaignId', '=', id).select('id').execute()
  return { id, messages: rows.map((row) => row.id) }
}

const event = (person: Person, campaignId: string, messageId: string, kind: string, by: string) =>
  t.services.db
    .insertInto('events')
    .values({ workspaceId: person.workspaceId, campaignId, messageId, kind, class: by })
    .execute()

test('dashboard: the first steps are done as their objects are made, in the own workspace only', async () => {
  const [person, other] = [await t.person(), await t.person()]
  await sent(other, 2)
  const steps = async () => (await person.api(dashboard.show)).steps
  expect(await person.api(dashboard.show)).toMatchObject({ sent: 0, opened: 0, clicked: 0, found: 0, next: null })
  expect(await steps()).toEqual({ template: false, recipients: false, campaign: false, sent: false })
  await person.api(templates.create, { body: { name: 'News', html: '<p>News</p>' } })
  expect(await steps()).toEqual({ template: true, recipients: false, campaign: false, sent: false })
  await person.api(contacts.create, { body: { email: 'reader@example.com' } })
  expect(await steps()).toEqual({ template: true, recipients: true, campaign: false, sent: false })
  await person.api(campaigns.create, { body: { name: 'Orders', channel: 'whatsapp' } })
  expect((await steps()).campaign).toBe(false)
  await person.api(campaigns.create, { body: { name: 'First' } })
  expect(await steps()).toEqual({ template: true, recipients: true, campaign: true, sent: false })
})

test('dashboard: the figures count recipients of the last 30 days, without machine events', async () => {
  const person = await t.person()
  const [one, two] = [await sent(person, 3), await sent(person, 2)]
  const [a = '', b = ''] = one.messages
  const [c = ''] = two.messages
  for (const message of [a, a, b]) await event(person, one.id, message, 'open', 'human')
  await event(person, one.id, one.messages[2] ?? '', 'open', 'machine')
  await event(person, two.id, c, 'open', 'human')
  await event(person, two.id, c, 'click', 'human')
  expect(await person.api(dashboard.show)).toMatchObject({
    sent: 5,
    opened: 3,
    clicked: 1,
    steps: { template: true, recipients: true, campaign: true, sent: true },
  })
  // A month later they are history.
  await t.services.db
    .updateTable('campaigns')
    .set({ startedAt: new Date(Date.now() - 31 * 86_400_000) })
    .where('workspaceId', '=', person.workspaceId)
    .execute()
  expect(await person.api(dashboard.show)).toMatchObject({ sent: 0, opened: 0, steps: { sent: true } })
})

test('dashboard: opens are unknown for campaigns without open tracking', async () => {
  const person = await t.person()
  await sent(person, 1, { trackOpens: false })
  expect(await person.api(dashboard.show)).toMatchObject({ sent: 1, opened: null, clicked: 0 })
})

test('dashboard: the scheduled campaign that starts next is named', async () => {
  const person = await t.person()
  const listId = await listWith(t.services, person, 1)
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const [name, days] of [
    ['Later', 5],
    ['Sooner', 2],
  ] as const) {
    const { id } = await draftTo(person, listId, { name })
    await person.api(campaigns.send, { params: { id }, body: { at: at(days) } })
  }
  expect((await person.api(dashboard.show)).next).toMatchObject({ name: 'Sooner' })
})

test('dashboard: activity is compared with the period before, by channel and day, and names what needs attention', async () => {
  const [person, other] = [await t.person(), await t.person()]
  await sent(other, 1)
  const now = await sent(person, 2, { name: 'This month' })
  const before = await sent(person, 3, { name: 'Last month' })
  await event(person, now.id, now.messages[0] ?? '', 'open', 'human')
  await event(person, now.id, now.messages[1] ?? '', 'open', 'machine')
  await event(person, before.id, before.messages[0] ?? '', 'click', 'human')
  await t.services.db
    .updateTable('campaigns')
    .set({ startedAt: new Date(Date.now() - 40 * 86_400_000) })
    .where('id', '=', before.id)
    .execute()
  await person.api(campaigns.create, { body: { name: '<b>Draft</b>' } })
  const journey = await activeJourney(person, manual([{ id: 'leave', kind: 'exit' }]), 'Welcome')
  const stateText = 'A filter takes too long.'
  await t.services.db.updateTable('journeys').set({ stateText }).where('id', '=', journey.id).execute()
  const activity = await person.api(dashboard.activity, { query: {} })
  expect(activity).toMatchObject({
    figures: { sent: 2, opened: 1, clicked: 0, replied: null },
    previous: { sent: 3, opened: 0, clicked: 1 },
    last: { id: now.id, channel: 'email', figures: { sent: 2, opened: 1 } },
    next: null,
    attention: [
      { kind: 'journey', id: journey.id, name: 'Welcome', detail: stateText },
      { kind: 'draft', name: '<b>Draft</b>', channel: 'email' },
    ],
  })
  expect(activity.trend).toHaveLength(30)
  expect(activity.trend.at(-1)).toMatchObject({ sent: 2, opened: 1 })
  expect(activity.trend.reduce((total, day) => total + day.previousSent, 0)).toBe(3)
  const quarter = await person.api(dashboard.activity, { query: { days: '90' } })
  expect(quarter.figures.sent).toBe(5)
  expect(await person.api(dashboard.activity, { query: { channel: 'whatsapp' } })).toMatchObject({
    figures: { sent: 0, clicked: null, replied: 0, delivered: 0 },
    last: null,
  })
  await expect(person.api(dashboard.activity, { query: { days: '31' as never } })).rejects.toMatchObject({
    status: 400,
  })
})
