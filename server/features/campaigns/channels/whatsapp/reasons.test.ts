import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { sharedApp } from '#server/testing/app.ts'
import { untilState, whilePaused } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

test('WhatsApp audience: who is suppressed is skipped for the reason they are suppressed for', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person({ plan: 'business' })
  const { account } = await world.connect(ada)
  const [byHand = '', unreachable = '', out = '', gets = ''] = phones(4, 300)
  for (const [address, reason] of [
    [byHand, 'manual'],
    [unreachable, 'hard_bounce'],
    [out, 'unsubscribe'],
  ] as const)
    await ada.api(suppressions.create, { body: { address, channel: 'whatsapp', reason } })
  const listId = await phonesList(t.services, ada, [byHand, unreachable, out, gets])
  const { id } = await whatsAppDraft(ada, account.id, [listId])
  const excluded = expect.arrayContaining([
    { reason: 'suppressed', people: 1 },
    { reason: 'unreachable', people: 1 },
    { reason: 'opted_out', people: 1 },
  ])
  const checked = await ada.api(campaigns.check, { params: { id } })
  expect(checked).toMatchObject({ ok: true, recipients: 1, excluded })
  expect(checked.problems.map(({ message }) => message)).toEqual([
    '3 of 4 people are skipped: 1 opted out, 1 could not be reached before, 1 suppressed by you.',
  ])
  const audience = await ada.api(campaigns.audience, { params: { id } })
  expect(audience).toMatchObject({ recipients: 1, excluded })
  // The preview shows somebody who gets it.
  expect(await ada.api(contacts.get, { params: { id: audience.exampleId ?? '' } })).toMatchObject({ phone: gets })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  // As it is written on paper.
  const q = gets.replace(/^(\+44)(\d{4})/, '$1 $2 ')
  const found = await ada.api(campaigns.messages, { params: { id }, query: { q } })
  expect(found.items.map(({ address }) => address)).toEqual([gets])
  expect((await ada.api(suppressions.list, { query: { q: out.replace('+44', '+44 ') } })).items).toHaveLength(1)
  const shared = await ada.api(campaignReports.share, { params: { id }, body: {} })
  const { verifiedName, displayPhone } = account
  expect(await ada.api(campaignReports.shared, { params: { token: shared.token } })).toMatchObject({
    sender: `${verifiedName}, ${displayPhone}`,
  })
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: {} })
  expect(Object.fromEntries(items.map(({ address, reason }) => [address, reason]))).toEqual({
    [byHand]: 'manual',
    [unreachable]: 'no_whatsapp',
    [out]: 'unsubscribe',
    [gets]: '',
  })
})

test('WhatsApp audience: a number that could not be reached is skipped for that once the campaign runs, too', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person({ plan: 'business' })
  const { account } = await world.connect(ada)
  const [gone = '', gets = ''] = phones(2, 310)
  const limitTo = (dailyLimit: number) =>
    t.services.db.updateTable('whatsappNumbers').set({ dailyLimit }).where('id', '=', account.id).execute()
  await limitTo(0)
  const { id } = await whatsAppDraft(ada, account.id, [await phonesList(t.services, ada, [gone, gets])])
  await ada.api(campaigns.send, { params: { id }, body: {} })
  const show = () => ada.api(campaigns.get, { params: { id } })
  await until(async () => (await show()).stateText.includes('messaging limit'), 'the limit')
  await ada.api(suppressions.create, { body: { address: gone, channel: 'whatsapp', reason: 'hard_bounce' } })
  await whilePaused(ada, id, () => limitTo(250))
  await untilState(ada, id, ['sent'])
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: { state: 'suppressed' } })
  expect(items).toMatchObject([{ address: gone, reason: 'no_whatsapp' }])
})
