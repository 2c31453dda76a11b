import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { type ConsentPurpose, whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { launchInSlices, untilState } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, templateNamed, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

const agree = (person: Person, contactId: string, covers: ConsentPurpose[]) =>
  person.api(whatsappConsents.create, {
    body: { contactIds: [contactId], how: 'form', purpose: 'as it says', covers, givenAt: '2026-01-01T00:00:00Z' },
  })
const check = (person: Person, id: string) => person.api(campaigns.check, { params: { id } })
const rows = async (person: Person, id: string) =>
  (await person.api(campaigns.messages, { params: { id }, query: { limit: 200 } })).items.map((row) => [
    row.address,
    row.state,
    row.reason,
  ])
const OFFER = {
  header: { from: 'text' as const, text: 'https://example.com/offer.png' },
  'body.first_name': { from: 'text' as const, text: 'there' },
  'body.company': { from: 'text' as const, text: 'You' },
  'button.2': { from: 'text' as const, text: 'x' },
}

test('WhatsApp audience: only contacts with consent for the category are sent to, others have reasons', async () => {
  const ada = await t.person({ plan: 'business' })
  const { account } = await world.connect(ada)
  const { id: listId } = await ada.api(lists.create, { body: { name: 'Everybody' } })
  const [news = '', orders = '', both = '', old = '', none = '', out = ''] = phones(6)
  const ids = new Map<string, string>()
  for (const phone of [news, orders, both, old, none, out])
    ids.set(phone, (await ada.api(contacts.create, { body: { phone, name: 'Grace', lists: [listId] } })).id)
  await ada.api(contacts.create, { body: { email: 'no-number@example.com', lists: [listId] } })
  await agree(ada, ids.get(news) ?? '', ['marketing'])
  await agree(ada, ids.get(orders) ?? '', ['utility', 'authentication'])
  await agree(ada, ids.get(both) ?? '', ['utility'])
  await agree(ada, ids.get(both) ?? '', ['marketing'])
  await agree(ada, ids.get(out) ?? '', ['marketing'])
  await ada.api(suppressions.create, { body: { address: out, channel: 'whatsapp', reason: 'unsubscribe' } })
  // Of before kinds were told apart: it goes on to cover what it covered.
  await t.services.db
    .insertInto('whatsappConsents')
    .values({
      workspaceId: ada.workspaceId,
      contactId: ids.get(old) ?? '',
      phone: old,
      how: 'form',
      purpose: 'anything',
      givenAt: new Date(),
    })
    .execute()
  expect(await ada.api(whatsappConsents.state, { query: { listIds: listId } })).toMatchObject({
    consented: 4,
    covers: { marketing: 3, utility: 3, authentication: 2 },
  })
  const offer = await whatsAppDraft(ada, account.id, [listId], {
    templateId: (await templateNamed(ada, account.id, 'seasonal_offer')).id,
    variables: OFFER,
  })
  const left = [
    { reason: 'other_purpose', people: 1 },
    { reason: 'no_consent', people: 1 },
    { reason: 'opted_out', people: 1 },
    { reason: 'no_phone', people: 1 },
  ]
  const checked = await check(ada, offer.id)
  expect(checked).toMatchObject({ ok: true, recipients: 3 })
  expect(checked.excluded).toHaveLength(4)
  expect(checked.excluded).toEqual(expect.arrayContaining(left))
  expect(checked.problems.find(({ code }) => code === 'other_purpose')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('does not cover marketing'),
  })
  const update = await whatsAppDraft(ada, account.id, [listId], {
    variables: { 'body.1': { from: 'text', text: 'Ada' }, 'body.2': { from: 'text', text: 'A-1' } },
  })
  expect(await check(ada, update.id)).toMatchObject({ recipients: 3 })
  await ada.api(campaigns.send, { params: { id: offer.id }, body: {} })
  await untilState(ada, offer.id, ['sent'])
  expect(await rows(ada, offer.id)).toEqual(
    expect.arrayContaining([
      [news, 'sent', ''],
      [both, 'sent', ''],
      [old, 'sent', ''],
      [orders, 'suppressed', 'other_purpose'],
      [none, 'suppressed', 'no_consent'],
      [out, 'suppressed', 'unsubscribe'],
    ]),
  )
  const start = (templateId: string, variables: Record<string, string>) =>
    ada.api(whatsappConversations.start, {
      body: { accountId: account.id, contactId: ids.get(news) ?? '', templateId, variables },
    })
  const { id: utility } = await templateNamed(ada, account.id, 'order_update')
  await expect(start(utility, { 'body.1': 'A', 'body.2': 'B' })).rejects.toMatchObject({
    status: 409,
    code: 'other_purpose',
  })
  // Nobody is left: an error instead of a warning.
  const { id: few } = await ada.api(lists.create, { body: { name: 'Few' } })
  await ada.api(contacts.update, { params: { id: ids.get(orders) ?? '' }, body: { lists: [listId, few] } })
  await ada.api(campaigns.update, {
    params: { id: update.id },
    body: { listIds: [few], whatsapp: offer.whatsapp ?? undefined },
  })
  expect(await check(ada, update.id)).toMatchObject({
    ok: false,
    recipients: 0,
    problems: [expect.objectContaining({ severity: 'error', code: 'other_purpose' })],
  })
})

test('WhatsApp audience: a person with a scoped id only becomes a contact, gets campaigns and opts out', async () => {
  const ada = await t.person({ plan: 'business' })
  const { account, number } = await world.connect(ada)
  const bsuid = 'GB.1349120865530274'
  await world.says(number.phoneNumberId, bsuid, 'Hello', 'Grace')
  const conversation = await until(
    async () => (await ada.api(whatsappConversations.list, { query: { accountId: account.id } })).items[0],
    'the conversation',
  )
  expect(conversation).toMatchObject({ phone: null, bsuid, name: 'Grace', contactId: null })
  const { id: listId } = await ada.api(lists.create, { body: { name: 'Readers' } })
  const saved = await ada.api(whatsappConversations.save, {
    params: { id: conversation.id },
    body: { lists: [listId] },
  })
  const contactId = saved.contactId ?? ''
  expect(await ada.api(contacts.get, { params: { id: contactId } })).toMatchObject({
    phone: null,
    bsuid,
    name: 'Grace',
  })
  await expect(ada.api(contacts.create, { body: { bsuid } })).rejects.toMatchObject({ code: 'address_taken' })
  await expect(ada.api(contacts.create, { body: { bsuid: '13491' } })).rejects.toMatchObject({
    details: [{ field: 'bsuid' }],
  })
  const variables = {
    'body.1': { from: 'text' as const, text: 'Grace' },
    'body.2': { from: 'text' as const, text: 'A-1' },
  }
  const first = await whatsAppDraft(ada, account.id, [listId], { variables })
  expect(await check(ada, first.id)).toMatchObject({ recipients: 0, excluded: [{ reason: 'no_consent', people: 1 }] })
  expect(await agree(ada, contactId, ['utility', 'marketing', 'authentication'])).toMatchObject({
    recorded: 1,
    skipped: [],
  })
  expect(await ada.api(whatsappConsents.state, { query: { listIds: listId } })).toMatchObject({
    withPhone: 0,
    scopedOnly: 1,
    consented: 1,
  })
  expect(await check(ada, first.id)).toMatchObject({ ok: true, recipients: 1, excluded: [] })
  await ada.api(campaigns.send, { params: { id: first.id }, body: {} })
  await until(
    async () => (await ada.api(campaigns.get, { params: { id: first.id } })).delivery?.delivered === 1,
    'its delivery',
  )
  expect(await rows(ada, first.id)).toEqual([[bsuid, 'sent', '']])
  expect((await world.chat(number.phoneNumberId, bsuid)).at(-1)).toMatchObject({
    kind: 'template',
    text: 'Hi Grace, your order A-1 is on its way.',
  })
  // An authentication template cannot go to them, and that is said before.
  const { id: templateId } = await templateNamed(ada, account.id, 'order_update')
  const category = (category: string) =>
    t.services.db.updateTable('whatsappTemplates').set({ category }).where('id', '=', templateId).execute()
  await category('AUTHENTICATION')
  const code = await whatsAppDraft(ada, account.id, [listId], { variables })
  expect(await check(ada, code.id)).toMatchObject({ ok: false, excluded: [{ reason: 'needs_number', people: 1 }] })
  const start = ada.api(whatsappConversations.start, {
    body: { accountId: account.id, contactId, templateId, variables: { 'body.1': 'A', 'body.2': 'B' } },
  })
  await expect(start).rejects.toMatchObject({ status: 409, code: 'needs_number' })
  await category('UTILITY')
  expect(
    await ada.api(whatsappConversations.start, {
      body: { accountId: account.id, contactId, templateId, variables: { 'body.1': 'Grace', 'body.2': 'B-2' } },
    }),
  ).toMatchObject({ id: conversation.id, bsuid, phone: null })
  await world.says(number.phoneNumberId, bsuid, 'STOP')
  await until(
    async () => (await ada.api(whatsappConversations.get, { params: { id: conversation.id } })).optedOut,
    'the stop',
  )
  const last = await whatsAppDraft(ada, account.id, [listId], { variables })
  expect(await check(ada, last.id)).toMatchObject({ recipients: 0, excluded: [{ reason: 'opted_out', people: 1 }] })
  expect(await agree(ada, contactId, ['utility'])).toMatchObject({ recorded: 0, skipped: [{ reason: 'opted_out' }] })
  await world.says(number.phoneNumberId, bsuid, 'START')
  await until(async () => (await check(ada, last.id)).recipients === 1, 'their return')
})

test('WhatsApp audience: a number of contacts in several slices is one recipient, and one that is excluded stays so', async () => {
  const ada = await t.person({ plan: 'business' })
  const { account } = await world.connect(ada)
  const add = async (name: string) => (await ada.api(lists.create, { body: { name } })).id
  const [listId, out] = [await add('News'), await add('Customers')]
  const [shared = '', excluded = '', lone = ''] = phones(3, 60)
  const contact = async (n: number, phone: string, on: string[]) => {
    const { id } = await ada.api(contacts.create, { body: { email: `n${n}@shared.example`, phone, lists: on } })
    await agree(ada, id, ['utility'])
    return id
  }
  const first = await contact(1, shared, [listId])
  const sibling = await contact(2, excluded, [listId])
  await contact(3, shared, [listId])
  const last = await contact(4, lone, [listId])
  await contact(5, excluded, [out])
  const variables = {
    'body.1': { from: 'text' as const, text: 'Grace' },
    'body.2': { from: 'text' as const, text: 'A-1' },
  }
  const { id } = await whatsAppDraft(ada, account.id, [listId], { variables })
  await ada.api(campaigns.update, { params: { id }, body: { excludeListIds: [out] } })
  await launchInSlices(t.services, ada, id, 1)
  await untilState(ada, id, ['sent'])
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: {} })
  expect(items.map(({ contactId, address, reason }) => [contactId, address, reason])).toEqual([
    [first, shared, ''],
    [sibling, excluded, 'excluded'],
    [last, lone, ''],
  ])
})

test('WhatsApp test: own numbers need no consent, are limited, and opted-out ones are refused', async () => {
  const ada = await t.person({ plan: 'business' })
  const { account, number } = await world.connect(ada)
  const { id: listId } = await ada.api(lists.create, { body: { name: 'Nobody yet' } })
  const { id } = await whatsAppDraft(ada, account.id, [listId])
  const tryOn = (to: string, own = true) => ada.api(campaigns.test, { params: { id }, body: { to, own } })
  const mine = phones(7, 30)
  const [first = '', second = '', ...more] = mine
  await expect(tryOn(first, false)).rejects.toMatchObject({ status: 409, code: 'no_consent' })
  expect(await tryOn(first)).toMatchObject({ ok: true, message: `Sent to ${first}.` })
  // What only contacts have is Meta's example of it.
  expect(await world.chat(number.phoneNumberId, first.slice(1))).toMatchObject([
    { kind: 'template', text: 'Hi Robin, your order A-1042 is on its way.' },
  ])
  expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({
    state: 'draft',
    counts: { recipients: 0, sent: 0 },
  })
  expect((await ada.api(contacts.list, { query: {} })).items).toEqual([])
  await ada.api(suppressions.create, { body: { address: second, channel: 'whatsapp', reason: 'unsubscribe' } })
  await expect(tryOn(second)).rejects.toMatchObject({ status: 409, code: 'opted_out' })
  for (const to of more.slice(0, 4)) expect(await tryOn(to)).toMatchObject({ ok: true })
  await expect(tryOn(more[4] ?? '')).rejects.toMatchObject({ status: 429 })
  expect(await tryOn(first)).toMatchObject({ ok: true })
  // The person replies: the test message is part of the conversation that begins.
  await world.says(number.phoneNumberId, first.slice(1), 'Looks good')
  const conversation = await until(
    async () => (await ada.api(whatsappConversations.list, { query: {} })).items[0],
    'the conversation',
  )
  const { items } = await ada.api(whatsappConversations.messages, { params: { id: conversation.id }, query: {} })
  // Meta tells times in whole seconds, so that its time may be before ours.
  expect(items.map(({ direction }) => direction).sort()).toEqual(['in', 'out', 'out'])
})
