import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { whatsappStats } from '#contracts/whatsapp/reports.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { sharedApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'

test('WhatsApp report: sent, delivered, read, replied, failed, opt-outs and costs add up', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person()
  const { number, account } = await world.connect(ada)
  const template = await until(async () => {
    const { items } = await ada.api(whatsappTemplates.list, { query: { accountId: account.id } })
    return items.find((one) => one.name === 'order_update')
  }, 'templates')
  const people = ['+447400300001', '+447400300002', '+447700900126', '+14155550123', '+85291234567']
  for (const phone of people) {
    const { id } = await ada.api(contacts.create, { body: { phone } })
    await ada.api(whatsappConsents.create, {
      body: {
        contactIds: [id],
        how: 'purchase',
        purpose: 'orders',
        covers: ['utility'],
        givenAt: '2026-01-01T00:00:00Z',
      },
    })
    await ada.api(whatsappConversations.start, {
      body: {
        accountId: account.id,
        contactId: id,
        templateId: template.id,
        variables: { 'body.1': 'A', 'body.2': 'B' },
      },
    })
  }
  await world.act(number.phoneNumberId, '447400300001', { act: 'read' })
  await world.says(number.phoneNumberId, '447400300001', 'Thank you')
  await world.says(number.phoneNumberId, '447400300002', 'STOP')
  const stats = await until(async () => {
    const found = await ada.api(whatsappStats.show, { query: { accountId: account.id } })
    return found.totals.delivered === 5 && found.totals.failed === 1 && found.totals.optedOut === 1 && found
  }, 'everything told')
  // Five templates, one of which failed, and the confirmation of the opt-out.
  // What failed is not among what was sent, and who opted out did not reply.
  expect(stats.totals).toEqual({
    tried: 6,
    sent: 5,
    delivered: 5,
    read: 1,
    failed: 1,
    waiting: 0,
    received: 2,
    replied: 1,
    optedOut: 1,
  })
  expect(stats.timeline.reduce((sum, one) => sum + one.sent, 0)).toBe(5)
  expect(stats.failures).toEqual([{ code: 131026, messages: 1, reason: expect.stringContaining('not on WhatsApp') }])
  expect(stats.templates).toEqual([
    { name: 'order_update', tried: 5, sent: 4, delivered: 4, read: 1, failed: 1, cost: null },
  ])
  expect(stats.cost).toMatchObject({
    currency: 'USD',
    total: null,
    unpriced: 1,
    byCategory: [{ category: 'utility', messages: 4, cost: null }],
  })
  expect(stats.cost.byCountry).toEqual(
    expect.arrayContaining([
      { country: 'GB', messages: 2, cost: 0.044 },
      { country: 'US', messages: 1, cost: 0.0034 },
      { country: 'HK', messages: 1, cost: null },
    ]),
  )
  // Of a template only its own messages; a reply to it counts, the confirmation of the opt-out does not.
  const ofTemplate = await ada.api(whatsappStats.show, { query: { template: 'order_update' } })
  expect(ofTemplate.totals).toMatchObject({ sent: 4, failed: 1, replied: 1, optedOut: 1 })
  expect((await ada.api(whatsappStats.show, { query: { template: 'another' } })).totals).toMatchObject({
    sent: 0,
    optedOut: 0,
  })
  const csv = await (await ada.api(whatsappStats.export, { query: { table: 'countries' } })).text()
  expect(csv).toMatch(/^"country","messages","cost estimate USD, prices of \d{4}-\d\d"\r\n/)
  expect(csv).toContain('"GB","2","0.044"\r\n')
  expect(csv).toContain('"HK","1",""\r\n')
  // The delivered share of the page is of what was handed over.
  const byTemplate = await (await ada.api(whatsappStats.export, { query: { table: 'templates' } })).text()
  expect(byTemplate).toContain('"template","handed over","sent","delivered","read","failed"')
  expect(byTemplate).toContain('"order_update","5","4","4","1","1"')
  const stranger = await t.person()
  expect((await stranger.api(whatsappStats.show, { query: {} })).totals).toMatchObject({
    sent: 0,
    received: 0,
    optedOut: 0,
  })
  await expect(ada.api(whatsappStats.show, { query: { since: '2020-01-01T00:00:00Z' } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'since' }],
  })
})

test('WhatsApp report: every day of the requested time zone is listed, over clock changes', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person()
  const { account } = await world.connect(ada)
  // 01:30 in Berlin is still the day before in London and New York; on 29 March the clocks go forward in Berlin.
  for (const at of ['2026-03-28T00:30:00Z', '2026-03-29T22:30:00Z', '2026-03-30T23:30:00Z'])
    await t.services.db
      .insertInto('whatsappMessages')
      .values({
        workspaceId: ada.workspaceId,
        accountId: account.id,
        person: '447400300001',
        direction: 'out',
        kind: 'text',
        status: 'sent',
        sentAt: new Date(at),
        at: new Date(at),
      })
      .execute()
  const range = { since: '2026-03-27T23:00:00Z', until: '2026-03-31T12:00:00Z' }
  const days = async (timeZone?: string) =>
    (await ada.api(whatsappStats.show, { query: { ...range, ...(timeZone && { timeZone }) } })).timeline.map(
      ({ at, sent }) => [at.slice(0, 16), sent],
    )
  expect(await days('Europe/Berlin')).toEqual([
    ['2026-03-27T23:00', 1],
    ['2026-03-28T23:00', 0],
    ['2026-03-29T22:00', 1],
    ['2026-03-30T22:00', 1],
  ])
  expect(await days('America/New_York')).toEqual([
    ['2026-03-27T04:00', 1],
    ['2026-03-28T04:00', 0],
    ['2026-03-29T04:00', 1],
    ['2026-03-30T04:00', 1],
    ['2026-03-31T04:00', 0],
  ])
  expect(await days()).toEqual([
    ['2026-03-27T00:00', 0],
    ['2026-03-28T00:00', 1],
    ['2026-03-29T00:00', 1],
    ['2026-03-30T00:00', 1],
    ['2026-03-31T00:00', 0],
  ])
  const csv = await ada.api(whatsappStats.export, { query: { ...range, table: 'timeline', timeZone: 'Europe/Berlin' } })
  expect(
    (await csv.text())
      .split('\r\n')
      .slice(1, 5)
      .map((line) => line.slice(0, 12)),
  ).toEqual(['28', '29', '30', '31'].map((day) => `"2026-03-${day}"`))
  for (const timeZone of ['Mars/Olympus', '+05:00', ''])
    await expect(days(timeZone || ' '), timeZone).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'timeZone' }],
    })
})

test('WhatsApp report: a person who is known by a number and a scoped id opts out once', async () => {
  const t = await sharedApp()
  const world = await whatsAppWorld(t)
  const ada = await t.person()
  const { account } = await world.connect(ada)
  const { workspaceId } = ada
  const [phone, bsuid] = ['+447400300001', 'GB.1349120865530274']
  await t.services.db
    .insertInto('whatsappConversations')
    .values({ workspaceId, accountId: account.id, waId: phone.slice(1), phone, bsuid })
    .execute()
  for (const key of [phone, bsuid, 'GB.77'])
    await t.services.db
      .insertInto('suppressions')
      .values({ workspaceId, channel: 'whatsapp', address: key, addressKey: key, reason: 'unsubscribe' })
      .execute()
  expect((await ada.api(whatsappStats.show, { query: {} })).totals.optedOut).toBe(2)
})
