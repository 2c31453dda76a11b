import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { claimMessages } from '../../sending/claims.ts'
import { isLimited, withFrequency } from './frequency.ts'
import { emailReach } from './slice.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
})

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const contactIds = async (listId: string) => {
  const rows = await t.services.db
    .selectFrom('listMembers')
    .where('listId', '=', listId)
    .orderBy('contactId')
    .select('contactId')
    .execute()
  return rows.map((row) => row.contactId)
}

test('frequency: of any emails at any times, a claim takes who had fewer than the limit in seven days', async () => {
  const { db } = t.services
  const { workspaceId } = person
  const listId = await listWith(t.services, person, 120, (n) => `f${n}@example.com`)
  const ids = await contactIds(listId)
  await person.api(accounts.update, { body: { weeklyEmails: 3 } })
  const past = await db
    .insertInto('campaigns')
    .values(Array.from({ length: 6 }, (_, n) => ({ workspaceId, name: `Past ${n}`, audienceAt: new Date() })))
    .returning('id')
    .execute()
  const now = Date.now()
  // None within a minute of the week: time passes until the claim.
  const randomAge = () => {
    const age = Math.random() * 10 * DAY_MS
    return Math.abs(age - 7 * DAY_MS) < MINUTE_MS ? age + 2 * MINUTE_MS : age
  }
  // Random ages around the week, in one state each; the limit of some is their own.
  const states = ['sent', 'sent', 'unconfirmed', 'bounced', 'failed', 'deferred']
  const histories = ids.map((contactId) => ({
    contactId,
    own: Math.random() < 0.3 ? 1 : null,
    emails: past
      .filter(() => Math.random() < 0.6)
      .map(({ id }) => ({
        campaignId: id,
        state: states[Math.floor(Math.random() * states.length)] as string,
        sentAt: new Date(now - randomAge()),
      })),
  }))
  for (const { contactId, own } of histories)
    if (own) await sql`update contacts set weekly_limit = ${own} where id = ${contactId}`.execute(db)
  await db
    .insertInto('messages')
    .values(
      histories.flatMap(({ contactId, emails }) =>
        emails.map((email) => ({ workspaceId, contactId, address: 'x@example.com', ...email })),
      ),
    )
    .execute()
  const { id } = await draftTo(person, listId)
  await db
    .insertInto('messages')
    .values(ids.map((contactId) => ({ workspaceId, campaignId: id, contactId, address: '', dueAt: new Date() })))
    .execute()
  await db
    .insertInto('campaignLists')
    .values({ workspaceId, campaignId: id, listId })
    .onConflict((c) => c.doNothing())
    .execute()
  expect(await isLimited(db, workspaceId)).toBe(true)
  const reach = withFrequency(emailReach, workspaceId, true)
  const campaign = { id, workspaceId, tellsOrigins: false }
  await claimMessages({ db, worker: 'test', home: '/tmp' }, campaign, { reach, limit: 500 })
  const rows = await db.selectFrom('messages').where('campaignId', '=', id).select(['contactId', 'reason']).execute()
  const reasons = new Map(rows.map((row) => [row.contactId, row.reason]))
  for (const { contactId, own, emails } of histories) {
    const had = emails.filter(
      ({ state, sentAt }) => ['sent', 'unconfirmed', 'bounced'].includes(state) && sentAt.getTime() > now - 7 * DAY_MS,
    ).length
    expect([emails, reasons.get(contactId)]).toEqual([emails, had >= (own ?? 3) ? 'frequency_cap' : ''])
  }
  await db.deleteFrom('claims').where('campaignId', '=', id).execute()
})

test('frequency: two campaigns at once reach everybody once, and who paused is skipped', async () => {
  const ada = await t.person()
  const { db } = t.services
  const listId = await listWith(t.services, ada, 40, (n) => `twice${n}@example.com`)
  const [paused = ''] = await contactIds(listId)
  await sql`update contacts set paused_until = now() + interval '1 day' where id = ${paused}`.execute(db)
  await ada.api(accounts.update, { body: { company: 'Lark', postalAddress: '1 Nest Road', weeklyEmails: 1 } })
  const drafts = [await draftTo(ada, listId), await draftTo(ada, listId)]
  const audience = await ada.api(campaigns.audience, { params: { id: drafts[0]?.id ?? '' } })
  expect(audience).toMatchObject({ recipients: 39, excluded: [{ reason: 'paused', people: 1 }] })
  await Promise.all(drafts.map(({ id }) => ada.api(campaigns.send, { params: { id }, body: {} })))
  const done = await Promise.all(drafts.map(({ id }) => untilState(ada, id, ['sent'])))
  expect(done.reduce((sum, { counts }) => sum + counts.sent, 0)).toBe(39)
  const addresses = t.sink.received.flatMap(({ to }) => to).filter((to) => to.startsWith('twice'))
  expect([addresses.length, new Set(addresses).size]).toEqual([39, 39])
  const rows = await db
    .selectFrom('messages')
    .where('workspaceId', '=', ada.workspaceId)
    .where('state', '=', 'suppressed')
    .select('reason')
    .execute()
  expect(rows.map(({ reason }) => reason).toSorted()).toEqual([
    ...Array(39).fill('frequency_cap'),
    ...Array(2).fill('paused'),
  ])
  const third = await draftTo(ada, listId)
  const later = await ada.api(campaigns.audience, { params: { id: third.id } })
  expect(later.recipients).toBe(0)
  expect(later.excluded).toContainEqual({ reason: 'frequency_cap', people: 39 })
  await expect(ada.api(accounts.update, { body: { weeklyEmails: 0 } })).rejects.toMatchObject({ status: 400 })
})
