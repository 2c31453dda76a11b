import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { sandboxWhatsApp } from '#contracts/sandbox/whatsapp.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { whatsappStats } from '#contracts/whatsapp/reports.ts'
import { findRandomFate } from '#sandbox/graph/magic.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { letTimePass, untilState, whilePaused } from '#server/testing/campaign.ts'
import { isLong } from '#server/testing/long.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, templateNamed, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

/** A person with a connected number and a draft to these people. */
async function ready(to: string[], traits: Parameters<typeof world.connect>[1] = {}) {
  const ada = await t.person({ plan: 'business' })
  const { number, account } = await world.connect(ada, traits)
  const listId = await phonesList(t.services, ada, to)
  const { id } = await whatsAppDraft(ada, account.id, [listId])
  return { ada, number, account, listId, id, send: () => ada.api(campaigns.send, { params: { id }, body: {} }) }
}
const show = (person: Person, id: string) => person.api(campaigns.get, { params: { id } })
const check = (person: Person, id: string) => person.api(campaigns.check, { params: { id } })
const rows = async (person: Person, id: string) =>
  (await person.api(campaigns.messages, { params: { id }, query: { limit: 200 } })).items
const codes = (checked: Awaited<ReturnType<typeof check>>, severity: string) =>
  checked.problems.filter((one) => one.severity === severity).map(({ code }) => code)
const met = (person: Person, id: string, test: (campaign: Awaited<ReturnType<typeof show>>) => boolean, what: string) =>
  until(async () => {
    const campaign = await show(person, id)
    return test(campaign) && campaign
  }, what)

test('WhatsApp campaign: each recipient with consent gets the template once, and statuses are counted', async () => {
  const { ada, number, account, listId, id, send } = await ready(phones(3))
  // The same number again, under another contact: they get no second one.
  await ada.api(contacts.create, { body: { email: 'twin@example.com', phone: '+447400000001', lists: [listId] } })
  const stranger = await phonesList(t.services, ada, phones(1, 77), false)
  await ada.api(campaigns.update, { params: { id }, body: { listIds: [listId, stranger] } })
  const checked = await check(ada, id)
  expect(checked).toMatchObject({ ok: true, recipients: 3 })
  expect(codes(checked, 'warning')).toEqual(['no_consent'])
  await send()
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ recipients: 4, sent: 3, suppressed: 1 })
  expect((await rows(ada, id)).find(({ state }) => state === 'suppressed')).toMatchObject({ reason: 'no_consent' })
  const [first] = await world.chat(number.phoneNumberId, '447400000001')
  expect(first).toMatchObject({ kind: 'template', text: 'Hi Person, your order A-1 is on its way.' })
  expect(await world.chat(number.phoneNumberId, '447400000001')).toHaveLength(1)
  await world.act(number.phoneNumberId, '447400000001', { act: 'read' })
  await world.says(number.phoneNumberId, '447400000001', 'Thank you')
  await met(
    ada,
    id,
    ({ delivery }) => delivery?.delivered === 3 && delivery.read === 1 && delivery.replied === 1,
    'delivered, read and replied',
  )
  const stats = await ada.api(whatsappStats.show, { query: { accountId: account.id } })
  expect(stats.campaigns).toEqual([
    expect.objectContaining({ id, sent: 3, delivered: 3, read: 1, replied: 1, failed: 0 }),
  ])
  expect(stats.templates).toEqual([expect.objectContaining({ name: 'order_update', sent: 3, delivered: 3 })])
  expect((await rows(ada, id)).filter(({ deliveredAt }) => deliveredAt !== null)).toHaveLength(3)
})

test('WhatsApp campaign: missing values and an unusable template are found before sending', async () => {
  const { ada, account, listId, id, send } = await ready(phones(2))
  const bare = await ada.api(contacts.create, { body: { phone: '+447400000009', lists: [listId] } })
  await t.services.db
    .insertInto('whatsappConsents')
    .values({
      workspaceId: ada.workspaceId,
      contactId: bare.id,
      phone: '+447400000009',
      how: 'form',
      purpose: 'orders',
      givenAt: new Date(),
    })
    .execute()
  const empty = await check(ada, id)
  expect(empty.problems).toEqual([
    expect.objectContaining({ code: 'variable_empty', message: expect.stringContaining('1 of 3 people') }),
  ])
  await expect(send()).rejects.toMatchObject({ status: 409, code: 'not_ready' })
  const variables = {
    'body.1': { from: 'field' as const, field: 'first_name', fallback: '' },
    'body.2': { from: 'text' as const, text: 'A-1' },
  }
  const named = await whatsAppDraft(ada, account.id, [listId], { variables })
  const storeFirstName = (first_name: string) =>
    ada.api(contacts.update, { params: { id: bare.id }, body: { attributes: { first_name } } })
  await storeFirstName(' ')
  expect(codes(await check(ada, named.id), 'error')).toEqual(['variable_empty'])
  await storeFirstName('Grace')
  expect(codes(await check(ada, named.id), 'error')).toEqual([])
  const templateId = (await templateNamed(ada, account.id, 'seasonal_offer')).id
  const whatsapp = { accountId: account.id, templateId, variables: {} }
  await ada.api(campaigns.update, { params: { id }, body: { whatsapp } })
  const missing = (await check(ada, id)).problems.filter(({ code }) => code === 'variable_missing')
  expect(missing.map(({ message }) => /“([^”]+)”/.exec(message)?.[1])).toEqual([
    'header',
    'body.first_name',
    'body.company',
    'button.2',
  ])
  await ada.api(campaigns.update, {
    params: { id },
    body: { listIds: [], whatsapp: { accountId: null, templateId: null, variables: {} } },
  })
  expect(codes(await check(ada, id), 'error')).toEqual(['no_account', 'no_template', 'no_lists'])
})

test('WhatsApp campaign: a test goes to the number of a contact with consent only', async () => {
  const { ada, number, id } = await ready(phones(1))
  const tryTo = (to: string) => ada.api(campaigns.test, { params: { id }, body: { to } })
  expect(await tryTo('+44 7400 000001')).toEqual({
    ok: true,
    message: 'Sent to +447400000001.',
    response: 'WhatsApp accepted it.',
  })
  const chat = await world.chat(number.phoneNumberId, '447400000001')
  expect(chat.map(({ text }) => text)).toEqual(['Hi Person, your order A-1 is on its way.'])
  expect((await show(ada, id)).counts).toMatchObject({ recipients: 0, sent: 0 })
  await ada.api(contacts.create, { body: { phone: '+447400000002' } })
  for (const to of ['+447400000002', '+447400000003'])
    await expect(tryTo(to), to).rejects.toMatchObject({ status: 409, code: 'no_consent' })
  await expect(tryTo('ada@example.com')).rejects.toMatchObject({ status: 400 })
  await t.services.db
    .insertInto('suppressions')
    .values({
      workspaceId: ada.workspaceId,
      channel: 'whatsapp',
      address: '+447400000001',
      addressKey: '+447400000001',
      reason: 'unsubscribe',
    })
    .execute()
  await expect(tryTo('+447400000001')).rejects.toMatchObject({ status: 409, code: 'opted_out' })
  expect(await world.chat(number.phoneNumberId, '447400000001')).toHaveLength(1)
})

test('WhatsApp campaign: a recipient who opts out is skipped, and one without WhatsApp fails', async () => {
  const { ada, id, send } = await ready([...phones(3), '+447700900126', '+447700900150'], { tier: 'TIER_250' })
  await t.services.db
    .updateTable('whatsappNumbers')
    .set({ dailyLimit: 0 })
    .where('workspaceId', '=', ada.workspaceId)
    .execute()
  await send()
  const waiting = await met(ada, id, ({ stateText }) => stateText.includes('messaging limit'), 'the limit')
  expect(waiting).toMatchObject({ state: 'sending', counts: { queued: 5, sent: 0 } })
  await t.services.db
    .insertInto('suppressions')
    .values({
      workspaceId: ada.workspaceId,
      channel: 'whatsapp',
      address: '+447400000002',
      addressKey: '+447400000002',
      reason: 'unsubscribe',
    })
    .execute()
  const limitTo = (dailyLimit: number) =>
    whilePaused(ada, id, () =>
      t.services.db
        .updateTable('whatsappNumbers')
        .set({ dailyLimit })
        .where('workspaceId', '=', ada.workspaceId)
        .execute(),
    )
  await limitTo(2)
  // Two people in 24 hours, and no third.
  await met(ada, id, ({ counts }) => counts.sent === 2 && counts.suppressed <= 1 && counts.queued >= 2, 'two of them')
  await limitTo(250)
  const done = await met(ada, id, ({ counts }) => counts.failed === 1 && counts.suppressed === 2, 'all told')
  expect(done.counts).toMatchObject({ recipients: 5, sent: 2, failed: 1, suppressed: 2, queued: 0 })
  const byAddress = new Map((await rows(ada, id)).map((row) => [row.address, row]))
  expect(byAddress.get('+447700900126')).toMatchObject({ state: 'failed', reason: 'no_whatsapp', errorCode: 131026 })
  expect(byAddress.get('+447700900150')).toMatchObject({ state: 'suppressed', reason: 'unsubscribe' })
  // Every list of figures tells the same: who stopped marketing is suppressed, and the message to them did not fail.
  const stats = await ada.api(whatsappStats.show, { query: { campaignId: id } })
  expect(stats.totals).toMatchObject({ tried: 3, sent: 2, delivered: 2, failed: 1, optedOut: 1 })
  expect(stats.failures).toMatchObject([{ code: 131026, messages: 1 }])
  expect((await show(ada, id)).delivery).toMatchObject({ tried: 3, delivered: 2, failed: 1 })
  expect(byAddress.get('+447400000002')).toMatchObject({ state: 'suppressed', reason: 'unsubscribe', attempts: 0 })
})

test('WhatsApp campaign: a template paused by Meta pauses the campaign until it is approved', async () => {
  const { ada, number, account, id } = await ready(phones(60))
  const own = await whatsAppDraft(ada, account.id, [], {})
  expect(own.whatsappTemplate?.name).toBe('order_update')
  await t.services.db.updateTable('whatsappNumbers').set({ perSecond: 8 }).where('id', '=', account.id).execute()
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await met(ada, id, ({ counts }) => counts.sent >= 2, 'some are sent')
  const review = (status: 'APPROVED' | 'PAUSED') =>
    world.admin.api(sandboxWhatsApp.review, { params: { name: 'order_update' }, body: { status } })
  await review('PAUSED')
  const paused = await met(ada, id, ({ state }) => state === 'paused', 'the pause')
  expect(paused.stateText).toMatch(/paused the template/i)
  expect(paused.counts.failed).toBe(0)
  await expect(ada.api(campaigns.send, { params: { id: own.id }, body: {} })).rejects.toMatchObject({
    status: 409,
    code: 'not_ready',
  })
  // What was under way has come to its end before anything goes on.
  const claims = () => t.services.db.selectFrom('claims').where('campaignId', '=', id).select('id').execute()
  await until(async () => (await claims()).length === 0, 'the end of what was under way')
  await review('APPROVED')
  await until(async () => (await templateNamed(ada, account.id, 'order_update')).sendable, 'the approval')
  await t.services.db.updateTable('whatsappNumbers').set({ perSecond: 80 }).where('id', '=', account.id).execute()
  await ada.api(campaigns.resume, { params: { id } })
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ recipients: 60, sent: 60 })
  for (const phone of [1, 30, 60])
    expect(
      await world.chat(number.phoneNumberId, `447400${String(phone).padStart(6, '0')}`),
      String(phone),
    ).toHaveLength(1)
})

test('WhatsApp campaign: an invalid token pauses it, and a limit of speed makes it wait', async () => {
  const auth = await ready(['+447700900090', ...phones(2)])
  await auth.send()
  const stopped = await met(auth.ada, auth.id, ({ state }) => state === 'paused', 'the pause')
  expect(stopped.stateText).toContain('access token is no longer valid')
  expect(stopped.counts).toMatchObject({ failed: 0, unconfirmed: 0 })
  expect((await auth.ada.api(whatsappNumbers.get, { params: { id: auth.account.id } })).state).toBe('reconnect')
  const busy = await ready(['+447700900029', '+447700900056', '+447700900061', ...phones(4)])
  await busy.send()
  await until(async () => {
    await letTimePass(t.services, busy.id)
    return (await show(busy.ada, busy.id)).state === 'sent'
  }, 'all of them')
  expect((await show(busy.ada, busy.id)).counts).toMatchObject({ recipients: 7, sent: 7 })
})

test('WhatsApp campaign: messages are reserved at the launch and released when it is canceled', async () => {
  const { ada, id, send, account } = await ready(phones(20))
  const used = async () => {
    const row = await t.services.db
      .selectFrom('usageMonths')
      .where('workspaceId', '=', ada.workspaceId)
      .select('whatsappMessages')
      .executeTakeFirst()
    return Number(row?.whatsappMessages ?? 0)
  }
  await t.services.db.updateTable('whatsappNumbers').set({ dailyLimit: 5 }).where('id', '=', account.id).execute()
  await send()
  expect(await used()).toBe(20)
  await met(ada, id, ({ counts }) => counts.sent === 5, 'five of them')
  await ada.api(campaigns.cancel, { params: { id } })
  expect(await used()).toBe(5)
})

const MANY = isLong ? 5_000 : 800

test(`WhatsApp campaign: ${MANY} recipients with random errors add up`, async () => {
  const to = phones(MANY, 100_000)
  const { ada, account, id, send } = await ready(to, { tier: 'TIER_100K', perSecond: 1_000, troubled: 0.08 })
  await send()
  const fates = to.map((phone) => findRandomFate(phone.slice(1), 0.08))
  const count = (match: (fate: NonNullable<(typeof fates)[number]>) => boolean) =>
    fates.filter((fate) => fate && match(fate)).length
  const failed = count((fate) => 'code' in fate && [131026, 131049, 130472].includes(fate.code))
  const suppressed = count((fate) => 'code' in fate && fate.code === 131050)
  const unconfirmed = count((fate) => fate.when === 'wire' && ['silent', 'reset', 'html'].includes(fate.what))
  const expected = { failed, suppressed, unconfirmed, sent: MANY - failed - suppressed - unconfirmed }
  const done = await until(
    async () => {
      await letTimePass(t.services, id)
      const { counts } = await show(ada, id)
      const isSettled = Object.entries(expected).every(([key, value]) => counts[key as keyof typeof expected] === value)
      return isSettled && counts
    },
    JSON.stringify(expected),
    undefined,
    // Looked at now and then: looking costs what sending needs.
    500,
  )
  expect(done).toEqual({ recipients: MANY, queued: 0, deferred: 0, bounced: 0, ...expected })
  await untilState(ada, id, ['sent'])
  const stats = () => ada.api(whatsappStats.show, { query: { accountId: account.id } })
  // The last webhook events come after the campaign is done.
  await untilPasses(async () => expect((await stats()).totals.delivered).toBe(expected.sent))
  const { sent } = expected
  const tried = MANY - suppressed
  expect((await stats()).campaigns[0]).toMatchObject({ id, tried, sent, delivered: sent, failed })
  expect((await show(ada, id)).delivery).toMatchObject({ tried, delivered: sent, failed })
}, 300_000)
