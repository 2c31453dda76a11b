import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const named = (field: string) => expect.objectContaining({ status: 400, details: [expect.objectContaining({ field })] })

test('suppressed domain: nobody of it is written to, also who is added later, and others are', async () => {
  const person = await t.person()
  const { api } = person
  const list = await api(lists.create, { body: { name: 'News' } })
  const add = (email: string) => api(contacts.create, { body: { email, lists: [list.id] } })
  const rival = await add('ann@rival.example')
  await add('ben@rival.example.com')
  await add('cleo@sub.rival.example')
  const gone = await add('dan@rival.example')
  await api(suppressions.create, { body: { address: 'dan@rival.example', reason: 'unsubscribe' } })
  const domain = await api(suppressions.create, { body: { domain: 'Rival.example' } })
  expect(domain).toMatchObject({ address: '@rival.example', channel: 'email', reason: 'manual' })
  await add('eve@rival.example')
  const show = (id: string) => api(contacts.get, { params: { id } })
  expect(await show(rival.id)).toMatchObject({ status: 'suppressed', suppressed: 'manual' })
  // Their own word says more than the domain's.
  expect(await show(gone.id)).toMatchObject({ status: 'unsubscribed', suppressed: 'unsubscribe' })
  const found = async (status: 'subscribed' | 'suppressed') =>
    (await api(contacts.list, { query: { status } })).items.map(({ email }) => email).sort()
  expect(await found('suppressed')).toEqual(['ann@rival.example', 'eve@rival.example'])
  expect(await found('subscribed')).toEqual(['ben@rival.example.com', 'cleo@sub.rival.example'])
  const filter = { op: 'and' as const, items: [{ field: 'channel', is: 'equal', value: 'email' }] }
  expect(await api(segments.preview, { body: { filter } })).toMatchObject({ count: 2 })
  const draft = await draftTo(person, list.id)
  await api(campaigns.send, { params: { id: draft.id }, body: {} })
  expect((await untilState(person, draft.id, ['sent'])).counts).toMatchObject({ sent: 2, suppressed: 2 })
  await api(suppressions.remove, { params: { id: domain.id } })
  expect(await show(rival.id)).toMatchObject({ status: 'subscribed', suppressed: null })
})

test('suppressed domain: what is no domain, two things at once and nothing are refused', async () => {
  const { api } = await t.person()
  for (const domain of ['nonsense', 'ann@example.com', 'exa mple.com', '127.0.0.1'])
    await expect(api(suppressions.create, { body: { domain } }), domain).rejects.toEqual(named('domain'))
  const both = { domain: 'example.com', address: 'a@example.com' }
  await expect(api(suppressions.create, { body: both })).rejects.toEqual(named('address'))
  await expect(api(suppressions.create, { body: {} })).rejects.toEqual(named('address'))
  await expect(api(suppressions.create, { body: { phone: '12' } })).rejects.toEqual(named('phone'))
  expect(await api(suppressions.create, { body: { phone: '+49 30 123456' } })).toMatchObject({
    address: '+4930123456',
    channel: 'whatsapp',
  })
})
