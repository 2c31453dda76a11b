import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { sharedApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, templateNamed } from '#server/testing/whatsapp-campaign.ts'

test('suppression: a number suppressed by hand is not said to have opted out', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person()
  const { account, number } = await world.connect(ada)
  const [byHand = '', own = ''] = phones(2)
  const listId = await phonesList(t.services, ada, [byHand, own])
  for (const [address, reason] of [
    [byHand, 'manual'],
    [own, 'unsubscribe'],
  ] as const)
    await ada.api(suppressions.create, { body: { address, channel: 'whatsapp', reason } })
  const { id: templateId } = await templateNamed(ada, account.id, 'order_update')
  const variables = { 'body.1': 'A', 'body.2': 'B' }
  const people = (await ada.api(contacts.list, { query: { listId } })).items
  const start = (phone: string) =>
    ada.api(whatsappConversations.start, {
      body: {
        accountId: account.id,
        contactId: people.find((one) => one.phone === phone)?.id ?? '',
        templateId,
        variables,
      },
    })
  await expect(start(byHand)).rejects.toMatchObject({
    status: 409,
    code: 'suppressed',
    message: expect.stringContaining('on your suppression list'),
  })
  await expect(start(own)).rejects.toMatchObject({ status: 409, code: 'opted_out' })
  const lapsed = async (phone: string) => {
    const contactId = people.find((one) => one.phone === phone)?.id ?? ''
    return (await ada.api(whatsappConsents.list, { query: { contactId } })).items.map(({ counts, lapsed }) => [
      counts,
      lapsed,
    ])
  }
  expect([await lapsed(byHand), await lapsed(own)]).toEqual([[[false, 'suppressed']], [[false, 'opted_out']]])
  for (const phone of [byHand, own]) await world.says(number.phoneNumberId, phone.slice(1), 'Hello')
  const conversations = await until(async () => {
    const { items } = await ada.api(whatsappConversations.list, { query: {} })
    return items.length === 2 && items
  }, 'both conversations')
  const states = Object.fromEntries(
    conversations.map(({ phone, optedOut, suppressed }) => [phone, { optedOut, suppressed }]),
  )
  expect(states).toEqual({
    [byHand]: { optedOut: false, suppressed: true },
    [own]: { optedOut: true, suppressed: false },
  })
})
