import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { billing } from '#contracts/billing/billing.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { ApiError } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'
import { reserveQuota, reserveQuotaUpTo } from './index.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const free = () => t.person({ plan: 'Free' })
const fetchUsage = async (person: Person) => (await person.api(billing.status)).usage
const catchRefusal = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error(`it was not refused but answered ${error}`)
  return error
}
const send = (person: Person, id: string, body: { at?: string } = {}) =>
  person.api(campaigns.send, { params: { id }, body })
/** Uses up this month's emails but for `left`. */
const leave = (person: Person, left: number) =>
  t.services.db.transaction().execute((db) => reserveQuota(t.services, db, person.workspaceId, 'emails', 1_000 - left))

test('limit: the status returns limits and usage of the plan, whatever the case of its name', async () => {
  const person = await free()
  await person.api(contacts.create, { body: { email: 'ada@example.com' } })
  expect(await person.api(billing.status)).toMatchObject({
    currentPlan: 'Free',
    usage: { contacts: 1, emails: 0, senders: 1, pages: 0, whatsappMessages: 0, seats: 1 },
    limits: { contacts: 500, emails: 1_000, senders: 2, pages: 0, whatsappMessages: 250, seats: 1 },
  })
  const paid = await t.person({ plan: 'PRO' })
  expect((await paid.api(billing.status)).limits).toMatchObject({ contacts: 100_000, emails: 500_000 })
  const other = await t.person({ plan: 'Enterprise' })
  expect((await other.api(billing.status)).limits).toMatchObject({ contacts: 10_000, pages: 10_000 })
})

test('limit: a campaign over the limit is refused with numbers and a date, and stays a draft', async () => {
  const person = await free()
  await leave(person, 5)
  const draft = await draftTo(person, await listWith(t.services, person, 6))
  const refusal = await catchRefusal(send(person, draft.id))
  expect([refusal.status, refusal.code]).toEqual([402, 'quota_used_up'])
  expect(refusal.message).toMatch(
    /needs 6 emails, and 5 of your 1,000 emails for this month are left, until 1 \w+ 20\d\d/,
  )
  expect(Object.fromEntries(refusal.details.map(({ field, message }) => [field, message]))).toMatchObject({
    what: 'emails',
    limit: '1000',
    left: '5',
    wanted: '6',
    until: expect.stringMatching(/-01T00:00:00.000Z$/),
  })
  expect((await person.api(campaigns.get, { params: { id: draft.id } })).state).toBe('draft')
  const checked = await person.api(campaigns.check, { params: { id: draft.id } })
  expect([checked.ok, checked.problems.map((problem) => problem.code)]).toEqual([
    false,
    expect.arrayContaining(['quota_used_up']),
  ])
})

test('limit: concurrent campaigns reserve no more than what is left', async () => {
  const person = await free()
  await leave(person, 25)
  const list = await listWith(t.services, person, 10, (n) => `atonce${n}@example.com`)
  const drafts = await Promise.all(Array.from({ length: 5 }, () => draftTo(person, list)))
  const results = await Promise.allSettled(drafts.map((draft) => send(person, draft.id)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2)
  for (const answer of results) if (answer.status === 'rejected') expect((answer.reason as ApiError).status).toBe(402)
  expect((await fetchUsage(person)).emails).toBe(995)
  for (const [i, draft] of drafts.entries())
    if (results[i]?.status === 'fulfilled') await untilState(person, draft.id, ['sent'])
  expect((await fetchUsage(person)).emails).toBe(995)
})

test('limit: emails that a canceled campaign did not send are released', async () => {
  const person = await free()
  const draft = await draftTo(person, await listWith(t.services, person, 40, (n) => `cancel${n}@example.com`))
  const [sender] = (await person.api(senders.list, { query: {} })).items
  await person.api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perDay: 3 } } })
  await send(person, draft.id)
  await untilPasses(async () =>
    expect((await person.api(campaigns.get, { params: { id: draft.id } })).counts.sent).toBe(3),
  )
  expect((await fetchUsage(person)).emails).toBe(40)
  // The day of the sender is used up for tests too.
  const { id: templateId } = await person.api(templates.create, { body: { name: 'News', html: '<p>Hello</p>' } })
  const tests = [
    person.api(campaigns.test, { params: { id: draft.id }, body: { to: person.email } }),
    person.api(templates.test, { params: { id: templateId }, body: {} }),
    person.api(senders.test, { params: { id: sender?.id ?? '' }, body: { to: person.email } }),
  ]
  for (const { status } of await Promise.all(tests.map(catchRefusal))) expect(status).toBe(429)
  expect((await fetchUsage(person)).emails).toBe(40)
  await person.api(campaigns.cancel, { params: { id: draft.id } })
  expect((await fetchUsage(person)).emails).toBe(3)
})

test('limit: a scheduled campaign over the limit becomes a draft with the reason at its time', async () => {
  const person = await free()
  const draft = await draftTo(person, await listWith(t.services, person, 8, (n) => `later${n}@example.com`))
  await send(person, draft.id, { at: new Date(Date.now() + 3_600_000).toISOString() })
  await leave(person, 7)
  await sql`update campaigns set scheduled_at = now() where id = ${draft.id}`.execute(t.services.db)
  const back = await untilState(person, draft.id, ['draft', 'sent', 'failed'])
  expect([back.state, back.counts.recipients]).toEqual(['draft', 0])
  expect(back.stateText).toContain('The campaign did not start. This needs 8 emails, and 7 of your 1,000')
  expect((await fetchUsage(person)).emails).toBe(993)
})

test('limit: one email each is sent at 80 and 100 percent of the emails of a month', async () => {
  const person = await free()
  const used = (amount: number) =>
    t.services.db.transaction().execute((db) => reserveQuota(t.services, db, person.workspaceId, 'emails', amount))
  await used(799)
  await used(1)
  expect((await t.sink.mailTo(person.email)).subject).toBe('You have used 800 of 1,000 emails this month')
  await used(150)
  await used(50)
  const emails = () => t.sink.received.filter((mail) => mail.to.includes(person.email))
  await untilPasses(async () => expect(emails().length).toBe(2))
  expect(String(emails()[1]?.raw)).toContain('You have used all 1,000 emails this month')
})

test('limit: concurrent imports and contacts fill the plan exactly, and every row is counted', async () => {
  const person = await free()
  const { id: listId } = await person.api(lists.create, { body: { name: 'All' } })
  await listWith(t.services, person, 380, (n) => `before${n}@example.com`)
  const start = async (name: string) => {
    const rows = Array.from({ length: 90 }, (_, n) => `${name}${n}@example.com`)
    const form = new FormData()
    form.set('listId', listId)
    form.set('mapping', JSON.stringify({ Email: 'email' }))
    form.set('file', new Blob([['Email', ...rows, ''].join('\n')]), `${name}.csv`)
    return (await person.api(contacts.import, { form })).importId
  }
  const [ids, single] = await Promise.all([
    Promise.all([start('one'), start('two')]),
    Promise.allSettled(
      Array.from({ length: 5 }, (_, n) => person.api(contacts.create, { body: { email: `single${n}@example.com` } })),
    ),
  ])
  const show = (id: string) => person.api(imports.get, { params: { id } })
  await untilPasses(async () =>
    expect((await Promise.all(ids.map(show))).map(({ state }) => state)).toEqual(['done', 'done']),
  )
  const done = await Promise.all(ids.map(show))
  for (const { total, imported, updated, skipped } of done)
    expect([total, imported + updated + skipped]).toEqual([90, 90])
  const taken = single.filter(({ status }) => status === 'fulfilled').length
  expect(done.reduce((sum, { imported }) => sum + imported, 0) + taken).toBe(120)
  expect((await fetchUsage(person)).contacts).toBe(500)
  const subjects = () => t.sink.received.filter((mail) => mail.to.includes(person.email)).map(({ raw }) => String(raw))
  await untilPasses(async () => expect(subjects().join()).toContain('You have used all 500 contacts in your plan'))
})

test('limit: one email each is sent at 80 and 100 percent of the contacts of the plan', async () => {
  const person = await free()
  await listWith(t.services, person, 398, (n) => `kept${n}@example.com`)
  const add = (email: string) => person.api(contacts.create, { body: { email } })
  await add('a@example.com')
  await add('b@example.com')
  expect((await t.sink.mailTo(person.email)).subject).toBe('You have used 400 of 500 contacts')
  await listWith(t.services, person, 99, (n) => `more${n}@example.com`)
  await add('c@example.com')
  const emails = () => t.sink.received.filter((mail) => mail.to.includes(person.email)).map(({ raw }) => String(raw))
  await untilPasses(async () => expect(emails().length).toBe(2))
  expect(emails()[1]).toContain('You have used all 500 contacts in your plan')
})

test('limit: a sender over the limit is refused, and concurrent contacts stop at the limit', async () => {
  const person = await free()
  const server = {
    kind: 'smtp' as const,
    host: 'mail.example.com',
    port: 587,
    secure: 'starttls' as const,
    fromName: 'Ada',
    fromEmail: 'ada@example.com',
  }
  await person.api(senders.create, { body: server })
  const refusal = await catchRefusal(person.api(senders.create, { body: server }))
  expect([refusal.status, refusal.message]).toEqual([
    402,
    'Your plan includes 2 senders, and all of them are used. Remove one or choose a larger plan.',
  ])
  await listWith(t.services, person, 497, (n) => `full${n}@example.com`)
  const added = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => person.api(contacts.create, { body: { email: `more${i}@example.com` } })),
  )
  expect(added.filter((one) => one.status === 'fulfilled')).toHaveLength(3)
  expect((await fetchUsage(person)).contacts).toBe(500)
})

test('limit: concurrent use and release of pages count exactly and within the limit', async () => {
  const take = (person: Person, amount: number) =>
    t.services.db.transaction().execute((db) => reserveQuotaUpTo(t.services, db, person.workspaceId, 'pages', amount))
  const step = fc.record({
    amount: fc.integer({ min: 0, max: 6_000 }),
    back: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const person = await t.person({ plan: 'starter' })
      const kept = await Promise.all(
        steps.map(async ({ amount, back }) => {
          const taken = await take(person, amount)
          const needed = taken.amount - Math.floor(taken.amount * back)
          await taken.settle(t.services.db, needed)
          return needed
        }),
      )
      const used = (await fetchUsage(person)).pages
      expect(used).toBe(kept.reduce((sum, one) => sum + one, 0))
      expect(used).toBeLessThanOrEqual(10_000)
    }),
    { numRuns: 15 },
  )
})
