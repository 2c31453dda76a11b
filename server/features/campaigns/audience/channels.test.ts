import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { HTML, untilState } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

/**
 * Contacts made by `toAddress` and the choice of a campaign: the list brings 0 to 2, the segment 3 and 4; 1 is on an excluded
 * list, and 2 and 4 are in an excluded segment. So 0 and 3 are recipients.
 */
async function chooseAmong({ api }: Person, toAddress: (n: number) => { email: string } | { phone: string }) {
  const add = async (name: string) => (await api(lists.create, { body: { name } })).id
  const [news, customers] = [await add('News'), await add('Customers')]
  const mark = async (name: string) => (await api(tags.create, { body: { name } })).id
  const [vip, old] = [await mark('VIP'), await mark('Old')]
  const store = async (name: string, value: string) =>
    (
      await api(segments.create, {
        body: { name, filter: { op: 'and', items: [{ field: 'tag', is: 'equal', value }] } },
      })
    ).id
  const choice = {
    listIds: [news],
    segmentIds: [await store('VIP', vip)],
    excludeListIds: [customers],
    excludeSegmentIds: [await store('Old', old)],
  }
  const ids: string[] = []
  for (const [n, [on, has]] of [
    [[news], []],
    [[news, customers], []],
    [[news], [old]],
    [[], [vip]],
    [[], [vip, old]],
  ].entries())
    ids.push((await api(contacts.create, { body: { ...toAddress(n), name: 'Ann', lists: on, tags: has } })).id)
  return { choice, ids }
}

/** Sends a campaign to the choice, and returns who got it and who did not, by their place among the contacts. */
async function sendTo(person: Person, id: string, { choice, ids }: Awaited<ReturnType<typeof chooseAmong>>) {
  const { api } = person
  expect(await api(campaigns.update, { params: { id }, body: choice })).toMatchObject(choice)
  expect(await api(campaigns.audience, { params: { id } })).toMatchObject({
    recipients: 2,
    excluded: [{ reason: 'excluded', people: 3 }],
  })
  await api(campaigns.send, { params: { id }, body: {} })
  expect((await untilState(person, id, ['sent'])).counts).toMatchObject({ recipients: 5, sent: 2, suppressed: 3 })
  // What the report names.
  expect(await api(campaigns.get, { params: { id } })).toMatchObject(choice)
  expect(await api(campaignReports.duplicate, { params: { id } })).toMatchObject(choice)
  const { items } = await api(campaigns.messages, { params: { id }, query: {} })
  return items.map((row) => [ids.indexOf(row.contactId ?? ''), row.reason]).toSorted()
}
const RESULT = [
  [0, ''],
  [1, 'excluded'],
  [2, 'excluded'],
  [3, ''],
  [4, 'excluded'],
]

test('audience: a Gmail campaign goes to lists and segments without excluded lists and segments', async () => {
  const person = await t.person()
  const email = 'excluding@gmail.com'
  const senderIds = [await gmailVisitor(t, person).account(email)]
  const chosen = await chooseAmong(person, (n) => ({ email: `g${n}@example.com` }))
  const { id } = await person.api(campaigns.create, {
    body: { name: 'News', channel: 'gmail', subject: 'News', html: HTML, senderIds },
  })
  expect(await sendTo(person, id, chosen)).toEqual(RESULT)
  const { messages } = await gmailControl(t, { email })
  expect(messages.map(({ raw }) => /^To:.*<([^>]+)>/m.exec(raw)?.[1]).toSorted()).toEqual([
    'g0@example.com',
    'g3@example.com',
  ])
})

test('audience: a WhatsApp campaign goes to lists and segments without excluded lists and segments', async () => {
  const person = await t.person({ plan: 'business' })
  const world = await whatsAppWorld(t)
  const { number, account } = await world.connect(person)
  const to = phones(5, 880_001)
  const chosen = await chooseAmong(person, (n) => ({ phone: to[n] ?? '' }))
  const consent = { how: 'form' as const, purpose: 'orders', givenAt: '2026-01-01T00:00:00Z' }
  await person.api(whatsappConsents.create, { body: { contactIds: chosen.ids, covers: ['utility'], ...consent } })
  const variables = {
    'body.1': { from: 'text' as const, text: 'there' },
    'body.2': { from: 'text' as const, text: 'A-1' },
  }
  const { id } = await whatsAppDraft(person, account.id, [], { variables })
  expect(await sendTo(person, id, chosen)).toEqual(RESULT)
  const got = []
  for (const phone of to)
    got.push(
      await world.chat(number.phoneNumberId, phone.slice(1)).then(
        ({ length }) => length,
        () => 0,
      ),
    )
  expect(got).toEqual([1, 0, 0, 1, 0])
})
