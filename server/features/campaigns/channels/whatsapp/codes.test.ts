import { beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { letTimePass } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'
import { fatedNumber, fetchRecipients, showCampaign, type When } from '#server/testing/whatsapp-fates.ts'
import { settleMessages } from './statuses.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

const ready = (traits?: Parameters<typeof fatedNumber>[2]) => fatedNumber(t, world, traits)

/** Of one message only: its state at the end, by what was in the answer and in a failed status, and the tries it took. */
const ONE: [code: number, state: string, reason: string, attempts: number, when?: When, times?: number][] = [
  ...[131051, 131008, 131009, 100, 33, 132005, 132007, 132012, 132018].map((code): (typeof ONE)[number] => [
    code,
    'failed',
    'message',
    1,
  ]),
  ...[131021, 135000, 131999].map((code): (typeof ONE)[number] => [code, 'failed', 'refused', 1]),
  [131026, 'failed', 'no_whatsapp', 1],
  [131030, 'failed', 'not_on_test_list', 1],
  [131047, 'failed', 'window_closed', 1],
  [131049, 'failed', 'marketing_limit', 1],
  [130472, 'failed', 'experiment', 1],
  [131050, 'suppressed', 'unsubscribe', 1],
  // Passing: again, and taken the second time.
  ...[1, 2, 131016, 133004, 131057, 2494100, 134101, 131056].map((code): (typeof ONE)[number] => [
    code,
    'sent',
    '',
    2,
    undefined,
    1,
  ]),
  [131000, 'sent', '', 2, 'answer', 1],
  // Meta may have delivered it all the same.
  [131000, 'failed', 'refused', 1, 'webhook', 1],
  ...[4, 80007, 130429, 132069].map((code): (typeof ONE)[number] => [code, 'sent', '', 2, 'webhook', 1]),
  // Files: again once, and then not.
  [131052, 'sent', '', 2, undefined, 1],
  [131053, 'sent', '', 2, undefined, 1],
  [131052, 'failed', 'once', 2, 'answer', 1_000],
  [131053, 'failed', 'refused', 2, 'webhook', 1_000],
]

test('error codes: each code of a message has its documented effect, in a reply and in a status', async () => {
  const { person, send, account } = await ready()
  const cases = ONE.flatMap(([code, state, reason, attempts, when, times = 1_000]) =>
    (['answer', 'webhook'] as const)
      .filter((one) => when === undefined || one === when)
      .map((one) => ({ fate: { code, when: one, times }, state, reason, attempts })),
  ).map((one, at) => ({ ...one, phone: phones(1, 1_000 + at)[0] ?? '' }))
  const plain = phones(12).map((phone) => ({ phone }))
  const id = await send([...plain, ...cases])
  const expected = (state: string) => cases.filter((one) => one.state === state).length
  const done = await until(async () => {
    await letTimePass(t.services, id)
    const { counts } = await showCampaign(person, id)
    const isEnd =
      counts.sent === expected('sent') + plain.length &&
      counts.failed === expected('failed') &&
      counts.suppressed === expected('suppressed')
    return isEnd && counts
  }, 'everybody’s end')
  expect(done).toMatchObject({ queued: 0, deferred: 0, unconfirmed: 0 })
  const rows = await fetchRecipients(person, id)
  const told = cases.map(({ phone, fate }) => {
    const row = rows.get(phone)
    return [fate.code, fate.when, row?.state, row?.reason, row?.attempts]
  })
  expect(told).toEqual(
    cases.map(({ fate, state, reason, attempts }) => [fate.code, fate.when, state, reason, attempts]),
  )
  const { items } = await person.api(suppressions.list, { query: { limit: 200 } })
  expect(items.map(({ address }) => address).sort()).toEqual(
    cases
      .filter(({ state }) => state === 'suppressed')
      .map(({ phone }) => phone)
      .sort(),
  )
  expect((await person.api(whatsappNumbers.get, { params: { id: account.id } })).state).toBe('working')
  // Trying again what Meta held back would keep the person blocked for another day.
  await person.api(campaigns.retry, { params: { id }, body: { states: ['failed'] } })
  const again = await fetchRecipients(person, id)
  for (const { phone, fate } of cases)
    if (fate.code === 131049) expect(again.get(phone)).toMatchObject({ state: 'failed', reason: 'marketing_limit' })
}, 600_000)

test('error codes: a late failure does not resume a sent campaign of a suspended account', async () => {
  const [root, { person, send }] = [await t.person({ role: 'admin' }), await ready()]
  const id = await send(phones(2, 5_000).map((phone) => ({ phone })))
  await until(async () => (await showCampaign(person, id)).state === 'sent', 'the end')
  await root.api(admin.changeUser, { params: { id: person.id }, body: { suspended: true } })
  const { rows } = await t.services.pool.query<{ id: string }>(
    `update whatsapp_messages w set status = 'failed', error_code = 130429, error_text = 'Too many' from messages m
     where m.workspace_id = $2 and w.workspace_id = $2 and m.id = w.message_id and m.campaign_id = $1 returning m.id`,
    [id, person.workspaceId],
  )
  const ids = rows.map((row) => row.id)
  await t.services.db.transaction().execute((db) => settleMessages(db, person.workspaceId, ids))
  const campaign = await t.services.pool.query('select state, state_text from campaigns where id = $1', [id])
  expect(campaign.rows).toEqual([{ state: 'paused', state_text: expect.stringContaining('suspended') }])
})

test('error codes: a refused country is not tried again, and equal refusals pause the campaign', async () => {
  const { person, number, send } = await ready({ perSecond: 1 })
  const [first, second] = ['+393331234567', '+393331234568']
  const id = await send([
    { phone: first, fate: { code: 130497, when: 'answer', times: 9 } },
    ...phones(4).map((phone) => ({ phone })),
    { phone: second },
  ])
  await until(async () => (await showCampaign(person, id)).state === 'sent', 'the end')
  const rows = await fetchRecipients(person, id)
  expect(rows.get(first)).toMatchObject({ state: 'failed', reason: 'country', errorCode: 130497 })
  expect(rows.get(second)).toMatchObject({ state: 'failed', response: expect.stringContaining('this country') })
  expect((await showCampaign(person, id)).counts).toMatchObject({ sent: 4, failed: 2 })
  await expect(world.chat(number.phoneNumberId, second.slice(1))).rejects.toMatchObject({ status: 404 })
  const alike = await ready()
  const refused = await alike.send(
    phones(12).map((phone) => ({ phone, fate: { code: 131009, when: 'answer' as const, times: 9 } })),
  )
  await until(async () => (await showCampaign(alike.person, refused)).state === 'paused', 'the pause')
  expect((await showCampaign(alike.person, refused)).stateText).toContain('refused 12 messages in a row')
}, 600_000)

test('error codes: a number that two campaigns could not reach is excluded from the next one', async () => {
  const person = await t.person({ plan: 'business' })
  const [gone = ''] = phones(1, 900)
  const { id } = await person.api(contacts.create, { body: { phone: gone } })
  await t.services.db
    .insertInto('whatsappConsents')
    .values({
      workspaceId: person.workspaceId,
      contactId: id,
      phone: gone,
      how: 'form',
      purpose: 'orders',
      givenAt: new Date(),
    })
    .execute()
  const { number, account } = await world.connect(person)
  await world.act(number.phoneNumberId, gone.slice(1), { act: 'fate', code: 131026, when: 'webhook', times: 9 })
  const list = await t.services.db
    .insertInto('lists')
    .values({ workspaceId: person.workspaceId, name: 'One' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.services.db
    .insertInto('listMembers')
    .values({ workspaceId: person.workspaceId, listId: list.id, contactId: id })
    .execute()
  for (const turn of [1, 2, 3]) {
    const draft = await whatsAppDraft(person, account.id, [list.id], {
      variables: { 'body.1': { from: 'text', text: 'Ada' }, 'body.2': { from: 'text', text: 'A-1' } },
    })
    const checked = await person.api(campaigns.check, { params: { id: draft.id } })
    if (turn === 3) {
      expect(checked).toMatchObject({ ok: false, recipients: 0, excluded: [{ reason: 'unreachable', people: 1 }] })
      continue
    }
    await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
    await until(async () => (await showCampaign(person, draft.id)).counts.failed === 1, `failure ${turn}`)
  }
})
