import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { phones, phonesList, templateNamed, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
})

const usedToday = async (person: Person, id: string) =>
  (await person.api(whatsappNumbers.get, { params: { id } })).usedToday
const limitTo = (accountIds: string[], dailyLimit: number) =>
  t.services.db.updateTable('whatsappNumbers').set({ dailyLimit }).where('id', 'in', accountIds).execute()

test('portfolio: the tiers of Meta are read as daily limits', async () => {
  const ada = await t.person()
  const limits: Record<string, number | null> = {}
  for (const tier of ['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'])
    limits[tier] = (await world.connect(ada, { tier })).account.dailyLimit
  expect(limits).toEqual({
    TIER_50: 50,
    TIER_250: 250,
    TIER_1K: 1_000,
    TIER_2K: 2_000,
    TIER_10K: 10_000,
    TIER_100K: 100_000,
    TIER_UNLIMITED: null,
  })
})

const sent = fc.record({
  /** Two numbers of one portfolio in two workspaces, and one of another portfolio in the first. */
  at: fc.constantFrom(0, 1, 2),
  person: fc.integer({ min: 0, max: 7 }),
  minutesAgo: fc.integer({ min: 0, max: 3_000 }).filter((minutes) => Math.abs(minutes - 1_440) > 3),
  status: fc.constantFrom('accepted', 'sent', 'read', 'failed', 'unconfirmed', 'queued'),
  kind: fc.constantFrom('template', 'template', 'text'),
})

test('portfolio: people written to in 24 hours are counted once, over all workspaces', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const first = await world.connect(ada)
  const shared = await world.connect(eve, { portfolioOf: first.number.phoneNumberId })
  const other = await world.connect(ada)
  const numbers = [first, shared, other].map(({ account }, at) => ({ id: account.id, owner: at === 1 ? eve : ada }))
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 40 }), async (messages) => {
      const ids = numbers.map(({ id }) => id)
      await t.services.db.deleteFrom('whatsappMessages').where('accountId', 'in', ids).execute()
      const rows = messages.map(({ at, person, minutesAgo, status, kind }) => ({
        workspaceId: numbers[at]?.owner.workspaceId ?? '',
        accountId: ids[at] ?? '',
        person: `44740099900${person}`,
        direction: 'out',
        kind,
        status,
        at: new Date(Date.now() - minutesAgo * 60_000),
      }))
      if (rows.length > 0) await t.services.db.insertInto('whatsappMessages').values(rows).execute()
      const counted = messages.filter(
        (one) => one.minutesAgo < 1_440 && one.status !== 'failed' && one.kind === 'template',
      )
      const people = (places: number[]) =>
        new Set(counted.filter(({ at }) => places.includes(at)).map(({ person }) => person)).size
      const told = await Promise.all(numbers.map(({ id, owner }) => usedToday(owner, id)))
      expect(told).toEqual([people([0, 1]), people([0, 1]), people([2])])
    }),
    { numRuns: 25 },
  )
}, 300_000)

test('portfolio: its numbers share one limit, even in two workspaces, and no other portfolio does', async () => {
  const [ada, eve] = [await t.person({ plan: 'business' }), await t.person({ plan: 'business' })]
  const first = await world.connect(ada)
  const shared = await world.connect(eve, { portfolioOf: first.number.phoneNumberId })
  const other = await world.connect(ada)
  await limitTo([first.account.id, shared.account.id, other.account.id], 3)
  const send = async (person: Person, accountId: string, to: string[]) => {
    const { id } = await whatsAppDraft(person, accountId, [await phonesList(t.services, person, to)])
    await person.api(campaigns.send, { params: { id }, body: {} })
    return id
  }
  const met = (person: Person, id: string, count: number, text: string) =>
    until(async () => {
      const campaign = await person.api(campaigns.get, { params: { id } })
      return campaign.counts.sent === count && campaign.stateText.includes(text) && campaign
    }, `${count} sent`)
  const [one = '', two = '', three = '', four = ''] = phones(4, 700)
  await met(ada, await send(ada, first.account.id, [one, two]), 2, '')
  // One of Eve's three is counted already, one more fits, and the third waits.
  const waiting = await met(eve, await send(eve, shared.account.id, [two, three, four]), 2, 'messaging limit')
  expect(waiting).toMatchObject({ state: 'sending', counts: { queued: 1 } })
  expect([await usedToday(ada, first.account.id), await usedToday(eve, shared.account.id)]).toEqual([3, 3])
  await met(ada, await send(ada, other.account.id, phones(3, 720)), 3, '')
  // By hand the same holds: nobody new, and again who is counted.
  const template = await templateNamed(ada, first.account.id, 'order_update')
  const write = async (phone: string) => {
    const { items } = await ada.api(contacts.list, { query: { q: phone } })
    const contact = items[0] ?? (await ada.api(contacts.create, { body: { phone } }))
    await ada.api(whatsappConsents.create, {
      body: {
        contactIds: [contact.id],
        how: 'form',
        purpose: 'orders',
        covers: ['utility'],
        givenAt: '2026-01-01T00:00:00Z',
      },
    })
    return ada.api(whatsappConversations.start, {
      body: {
        accountId: first.account.id,
        contactId: contact.id,
        templateId: template.id,
        variables: { 'body.1': 'A', 'body.2': 'B' },
      },
    })
  }
  await expect(write('+447400999999')).rejects.toMatchObject({ status: 409, code: 'messaging_limit' })
  expect(await write(one)).toMatchObject({ phone: one })
}, 300_000)
