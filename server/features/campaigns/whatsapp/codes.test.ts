import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns.ts'
import { contacts, suppressions } from '#contracts/contacts.ts'
import { whatsappAccounts } from '#contracts/whatsapp.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { until, whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, templateNamed, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await testApp()
  world = await whatsAppWorld(t)
})
afterAll(() => t[Symbol.asyncDispose]())

type When = 'answer' | 'webhook'
/** What Meta does to a recipient's messages: this code, the first `times` times. */
interface Fate {
  code: number
  when: When
  times: number
}

/** A person with a number of his own, and how campaigns are sent through it to people with fates. */
async function ready(traits: Parameters<typeof world.connect>[1] = {}) {
  const person = await t.person({ plan: 'business' })
  const { number, account } = await world.connect(person, traits)
  await templateNamed(person, account.id, 'order_update')
  return {
    person,
    number,
    account,
    show: () => person.api(whatsappAccounts.get, { params: { id: account.id } }),
    /** Sends to these people; answers the campaign's id. */
    async send(people: { phone: string; fate?: Fate | undefined }[]) {
      for (const { phone, fate } of people)
        if (fate) await world.act(number.phoneNumberId, phone.slice(1), { act: 'fate', ...fate })
      const listId = await phonesList(
        t.services,
        person,
        people.map(({ phone }) => phone),
      )
      const { id } = await whatsAppDraft(person, account.id, [listId])
      await person.api(campaigns.send, { params: { id }, body: {} })
      return id
    },
  }
}

const show = (person: Person, id: string) => person.api(campaigns.get, { params: { id } })
const rowsOf = async (person: Person, id: string) =>
  new Map(
    (await person.api(campaigns.messages, { params: { id }, query: { limit: 200 } })).items.map((row) => [
      row.address,
      row,
    ]),
  )
/** What waits for its next try has its time come. */
const hurry = (id: string) =>
  t.services.db
    .updateTable('messages')
    .set({ dueAt: new Date() })
    .where('campaignId', '=', id)
    .where('state', '=', 'deferred')
    .execute()
const wake = (accountId: string) =>
  t.services.db
    .updateTable('whatsappAccounts')
    .set({ restUntil: null, state: 'working', stateText: '' })
    .where('id', '=', accountId)
    .execute()

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

test('each code that concerns one message does to it what the table says, in an answer and in a status', async () => {
  const { person, send, account } = await ready()
  const cases = ONE.flatMap(([code, state, reason, attempts, when, times = 1_000]) =>
    (['answer', 'webhook'] as const)
      .filter((one) => when === undefined || one === when)
      .map((one) => ({ fate: { code, when: one, times }, state, reason, attempts })),
  ).map((one, at) => ({ ...one, phone: phones(1, 1_000 + at)[0] ?? '' }))
  const plain = phones(12).map((phone) => ({ phone }))
  const id = await send([...plain, ...cases])
  const expected = (state: string) => cases.filter((one) => one.state === state).length
  const done = await until(
    async () => {
      await hurry(id)
      const { counts } = await show(person, id)
      const isEnd =
        counts.sent === expected('sent') + plain.length &&
        counts.failed === expected('failed') &&
        counts.suppressed === expected('suppressed')
      return isEnd && counts
    },
    'everybody’s end',
    90,
  )
  expect(done).toMatchObject({ queued: 0, deferred: 0, unconfirmed: 0 })
  const rows = await rowsOf(person, id)
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
  expect((await person.api(whatsappAccounts.get, { params: { id: account.id } })).state).toBe('working')
  // Trying again what Meta held back would keep the person blocked for another day.
  await person.api(campaigns.retry, { params: { id }, body: { states: ['failed'] } })
  const again = await rowsOf(person, id)
  for (const { phone, fate } of cases)
    if (fate.code === 131049) expect(again.get(phone)).toMatchObject({ state: 'failed', reason: 'marketing_limit' })
}, 120_000)

/** What stops more than one message: the state of the number after it, and what the campaign says. */
const STOPS: [code: number, number: string, text: RegExp][] = [
  [0, 'reconnect', /token/],
  [190, 'reconnect', /token/],
  ...[3, 10, 200, 131005].map((code): (typeof STOPS)[number] => [code, 'restricted', /access token may not do this/]),
  ...[368, 131031].map((code): (typeof STOPS)[number] => [code, 'restricted', /restricted this business account/]),
  ...[131037, 131045, 133010].map((code): (typeof STOPS)[number] => [code, 'restricted', /number is not ready/]),
  [131042, 'restricted', /means of payment/],
  [131048, 'restricted', /blocked or reported/],
  [131064, 'restricted', /wrong category/],
  ...[131063, 134100, 134102, 131055].map((code): (typeof STOPS)[number] => [code, 'restricted', /Paused: /]),
  [132000, 'working', /other variables/],
  [132001, 'working', /does not exist in this language/],
  [132015, 'working', /paused the template/],
  [132016, 'working', /disabled the template/],
  [132068, 'working', /is blocked/],
]

test('each code that concerns the number or the template pauses what it stops, keeps the queue, and says why', async () => {
  for (const [code, state, text] of STOPS) {
    const { person, account, send, show: number } = await ready()
    const [stopped = '', other = ''] = phones(2)
    const id = await send([{ phone: stopped, fate: { code, when: 'answer', times: 1 } }])
    const paused = await until(
      async () => {
        const campaign = await show(person, id)
        return campaign.state === 'paused' && campaign
      },
      `the pause for ${code}`,
      60,
    )
    expect([code, paused.stateText], String(code)).toEqual([code, expect.stringMatching(text)])
    // Nothing is lost: the message waits as if it had never been tried.
    expect(paused.counts, String(code)).toMatchObject({ queued: 1, failed: 0, unconfirmed: 0 })
    expect([code, (await number()).state]).toEqual([code, state])
    if (code === 132015 || code === 132016)
      expect((await templateNamed(person, account.id, 'order_update')).status).toBe(
        code === 132015 ? 'PAUSED' : 'DISABLED',
      )
    if (code === 131048 || code === 131064) {
      // Hours, even when somebody resumes it at once.
      await person.api(campaigns.resume, { params: { id } })
      const resting = await until(async () => {
        const campaign = await show(person, id)
        return campaign.stateText.includes('rests until') && campaign
      }, 'the rest')
      expect(resting).toMatchObject({ state: 'sending', counts: { queued: 1, sent: 0 } })
    }
    if (state === 'working' || code === 0) continue
    await wake(account.id)
    await send([{ phone: other, fate: { code, when: 'webhook', times: 1 } }])
    await until(async () => (await number()).state === state, `the number's state after ${code} by webhook`, 60)
  }
}, 240_000)

test('what stops a number stops all its campaigns, and the limit of calls makes it wait and go on', async () => {
  const { person, number, account, send } = await ready({ perSecond: 3 })
  const long = await send(phones(60).map((phone) => ({ phone })))
  const [last = ''] = phones(1, 500)
  const short = await send([{ phone: last, fate: { code: 131048, when: 'answer', times: 1 } }])
  for (const id of [long, short])
    await until(async () => (await show(person, id)).state === 'paused', 'both pauses', 60)
  expect((await show(person, long)).stateText).toContain('blocked or reported')
  await world.act(number.phoneNumberId, last.slice(1), { act: 'fate', code: 80007, when: 'answer', times: 1 })
  await wake(account.id)
  await person.api(campaigns.resume, { params: { id: short } })
  const waiting = await until(
    async () => {
      const campaign = await show(person, short)
      return campaign.stateText.startsWith('Waiting') && campaign
    },
    'the wait',
    60,
  )
  expect(waiting).toMatchObject({ state: 'sending', counts: { queued: 1, failed: 0 } })
  expect(waiting.stateText).toContain('limit of calls')
  await wake(account.id)
  await person.api(campaigns.pause, { params: { id: short } })
  await person.api(campaigns.resume, { params: { id: short } })
  await until(async () => (await show(person, short)).state === 'sent', 'the end', 60)
}, 200_000)

test('a country Meta refuses once is not tried again in the campaign, and messages refused alike pause it', async () => {
  const { person, number, send } = await ready({ perSecond: 1 })
  const [first, second] = ['+393331234567', '+393331234568']
  const id = await send([
    { phone: first, fate: { code: 130497, when: 'answer', times: 9 } },
    ...phones(4).map((phone) => ({ phone })),
    { phone: second },
  ])
  await until(async () => (await show(person, id)).state === 'sent', 'the end', 90)
  const rows = await rowsOf(person, id)
  expect(rows.get(first)).toMatchObject({ state: 'failed', reason: 'country', errorCode: 130497 })
  expect(rows.get(second)).toMatchObject({ state: 'failed', response: expect.stringContaining('this country') })
  expect((await show(person, id)).counts).toMatchObject({ sent: 4, failed: 2 })
  await expect(world.chat(number.phoneNumberId, second.slice(1))).rejects.toMatchObject({ status: 404 })
  const alike = await ready()
  const refused = await alike.send(
    phones(12).map((phone) => ({ phone, fate: { code: 131009, when: 'answer' as const, times: 9 } })),
  )
  await until(async () => (await show(alike.person, refused)).state === 'paused', 'the pause', 60)
  expect((await show(alike.person, refused)).stateText).toContain('refused 12 messages in a row')
}, 200_000)

test('a number two campaigns could not reach is written to no more', async () => {
  const person = await t.person({ plan: 'business' })
  const [gone = ''] = phones(1, 900)
  const { id } = await person.api(contacts.create, { body: { phone: gone } })
  await t.services.db
    .insertInto('whatsappOptIns')
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
      expect(checked).toMatchObject({ ok: false, recipients: 0, leftOut: [{ reason: 'unreachable', people: 1 }] })
      continue
    }
    await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
    await until(async () => (await show(person, draft.id)).counts.failed === 1, `failure ${turn}`, 60)
  }
})
