import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { whatsappStats } from '#contracts/whatsapp/reports.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilState } from '#server/testing/campaign.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

/** A campaign that was sent to these people. */
async function sentTo(to: string[]) {
  const ada = await t.person({ plan: 'business' })
  const { number, account } = await world.connect(ada)
  const { id } = await whatsAppDraft(ada, account.id, [await phonesList(t.services, ada, to)])
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const says = (person = '', text: string) => world.says(number.phoneNumberId, person.slice(1), text)
  return { ada, account, id, says, show: () => ada.api(campaigns.get, { params: { id } }) }
}
const found = async (person: Person, id: string, event: 'replied' | 'unsubscribed') =>
  (await person.api(campaigns.messages, { params: { id }, query: { event } })).items

test('WhatsApp replies: the list and the export say when somebody replied first', async () => {
  const [first = '', second = ''] = phones(2)
  const { ada, id, says, show } = await sentTo([first, second])
  await says(first, 'Thank you')
  await until(async () => (await show()).delivery?.replied === 1, 'the reply')
  const [replied, ...others] = await found(ada, id, 'replied')
  expect(replied).toMatchObject({ address: first, unsubscribedAt: null, repliedAt: expect.any(String) })
  expect(others).toEqual([])
  await says(first, 'One more question')
  const received = () => ada.api(whatsappStats.show, { query: { campaignId: id } })
  await until(async () => (await received()).totals.replied === 1, 'the figures')
  const csv = await (await ada.api(campaigns.exportMessages, { params: { id }, query: {} })).text()
  const [header = '', ...rows] = csv.split('\r\n')
  const column = header.split(',').indexOf('"repliedAt"')
  expect(rows.filter(Boolean).map((row) => row.split(',')[column])).toEqual([`"${replied?.repliedAt}"`, '""'])
  expect((await found(ada, id, 'replied'))[0]?.repliedAt).toBe(replied?.repliedAt)
  // What happened to one of them, in order.
  const { items } = await ada.api(campaigns.messageEvents, { params: { id, messageId: replied?.id ?? '' } })
  expect(items.map(({ kind }) => kind)).toEqual(['queued', 'sent', 'delivered', 'reply'])
  // The time of the last activity does not depend on the order of the list.
  const [byAdded, byActivity] = await Promise.all(
    (['added', 'activity'] as const).map(
      async (sort) => (await ada.api(campaigns.messages, { params: { id }, query: { sort } })).items,
    ),
  )
  const times = (rows = byAdded) => Object.fromEntries((rows ?? []).map((row) => [row.address, row.activityAt]))
  expect(times(byAdded)).toEqual(times(byActivity))
})

test('WhatsApp replies: an opt-out is of the campaign whose message came last, and within 72 hours', async () => {
  const [person = ''] = phones(1)
  const { ada, account, id: first, says } = await sentTo([person])
  const back = sql`interval '4 days'`
  await sql`update whatsapp_messages set at = at - ${back} where workspace_id = ${ada.workspaceId}`.execute(
    t.services.db,
  )
  await sql`update campaigns set started_at = started_at - ${back} where id = ${first}`.execute(t.services.db)
  const listIds = (await ada.api(campaigns.get, { params: { id: first } })).listIds
  const { id: second } = await whatsAppDraft(ada, account.id, listIds)
  await ada.api(campaigns.send, { params: { id: second }, body: {} })
  await untilState(ada, second, ['sent'])
  await says(person, 'STOP')
  const optedOut = async (campaignId: string) =>
    (await ada.api(whatsappStats.show, { query: { campaignId } })).totals.optedOut
  await until(async () => (await optedOut(second)) === 1, 'the opt-out')
  expect(await optedOut(first)).toBe(0)
  expect(await found(ada, first, 'unsubscribed')).toEqual([])
  const { items } = await ada.api(suppressions.list, { query: {} })
  expect(items).toMatchObject([{ address: person, reason: 'unsubscribe', campaign: { id: second } }])
  // The first campaign was yesterday.
  await sql`update whatsapp_messages set at = now() - interval '1 day' where campaign_id = ${first}`.execute(
    t.services.db,
  )
  expect([await optedOut(first), await optedOut(second)]).toEqual([0, 1])
  expect(await found(ada, first, 'unsubscribed')).toEqual([])
  await says(person, 'START')
  await until(async () => (await optedOut(second)) === 0, 'the return')
  expect(await found(ada, second, 'replied')).toEqual([])
})

test('WhatsApp replies: an opt-out is no reply, and counts as unsubscribed only', async () => {
  const [stops = '', asks = '', both = '', silent = ''] = phones(4)
  const { ada, account, id, says, show } = await sentTo([stops, asks, both, silent])
  await says(stops, 'STOP')
  await says(asks, 'When does it arrive?')
  await says(both, 'Who is this?')
  await says(both, 'Please stop sending me messages')
  const stats = () => ada.api(whatsappStats.show, { query: { campaignId: id, accountId: account.id } })
  await untilPasses(async () => expect((await stats()).totals).toMatchObject({ optedOut: 2, replied: 2 }))
  expect((await show()).delivery).toMatchObject({ tried: 4, replied: 2 })
  expect((await stats()).campaigns).toMatchObject([{ id, replied: 2 }])
  const addresses = async (event: 'replied' | 'unsubscribed') =>
    (await found(ada, id, event)).map(({ address }) => address).sort()
  expect(await addresses('replied')).toEqual([asks, both].sort())
  expect(await addresses('unsubscribed')).toEqual([both, stops].sort())
  const rows = (await ada.api(campaigns.messages, { params: { id }, query: {} })).items
  const moments = Object.fromEntries(
    rows.map(({ address, repliedAt, unsubscribedAt }) => [address, [repliedAt !== null, unsubscribedAt !== null]]),
  )
  expect(moments).toEqual({
    [stops]: [false, true],
    [asks]: [true, false],
    [both]: [true, true],
    [silent]: [false, false],
  })
  const { last } = await ada.api(dashboard.activity, { query: { channel: 'whatsapp' } })
  expect(last).toMatchObject({ id, figures: { sent: 4, replied: 2, delivered: expect.any(Number) } })
})
