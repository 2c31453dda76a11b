import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { sharedApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'

test('WhatsApp draft: number, template and variables are stored, and foreign ids are refused', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const [ada, eve] = [await t.person(), await t.person()]
  const { account } = await world.connect(ada)
  const template = await until(async () => {
    const { items } = await ada.api(whatsappTemplates.list, { query: { accountId: account.id } })
    return items.find((one) => one.name === 'order_update')
  }, 'templates')
  const made = await ada.api(campaigns.create, { body: { name: 'Orders', channel: 'whatsapp' } })
  expect(made).toMatchObject({ whatsapp: { accountId: null, templateId: null, variables: {} }, senderId: null })
  const whatsapp = {
    accountId: account.id,
    templateId: template.id,
    variables: {
      'body.1': { from: 'field' as const, field: 'first_name', fallback: 'there' },
      'body.2': { from: 'text' as const, text: 'A-1042' },
    },
  }
  const changed = await ada.api(campaigns.update, { params: { id: made.id }, body: { whatsapp } })
  expect(changed).toMatchObject({
    whatsapp,
    whatsappTemplate: { id: template.id, name: 'order_update', language: 'en_US', status: 'APPROVED' },
    delivery: { tried: 0, delivered: 0, read: 0, failed: 0, replied: 0 },
  })
  expect((await ada.api(campaigns.list, { query: { channel: 'whatsapp' } })).items.map(({ id }) => id)).toEqual([
    made.id,
  ])
  expect((await ada.api(campaigns.list, { query: { channel: 'email' } })).items).toEqual([])
  await expect(
    eve.api(campaigns.create, { body: { name: 'Theirs', channel: 'whatsapp', whatsapp } }),
  ).rejects.toMatchObject({ status: 400, details: [{ field: 'whatsapp.accountId' }] })
  await expect(ada.api(campaigns.create, { body: { name: 'Mail', whatsapp } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'whatsapp' }],
  })
  const mail = await ada.api(campaigns.create, { body: { name: 'Mail' } })
  expect(mail).toMatchObject({ whatsapp: null, whatsappTemplate: null, delivery: null })
})
