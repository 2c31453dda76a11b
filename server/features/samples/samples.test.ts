import { beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { billing } from '#contracts/billing/billing.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { sampleData } from '#contracts/samples/samples.ts'
import { search } from '#contracts/search/search.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { rollWorkspace } from '#server/features/tracking/index.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, HTML, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

/** Adds the sample data, and returns its ids. */
async function addSamples(person: Person) {
  const { campaignId, listId, templateId } = await person.api(sampleData.add)
  if (!campaignId || !listId || !templateId) throw new Error('a part of the sample data is missing')
  return { campaignId, listId, templateId }
}

const sampleContacts = async (person: Person) =>
  (await person.api(contacts.list, { query: { source: 'sample', limit: 200 } })).items

const mailedSamples = () =>
  t.sink.received.flatMap(({ to }) => to).filter((to) => /@[a-z-]+\.example\.(com|org)$/.test(to))

const NOTHING = { isPresent: false, campaignId: null, listId: null, templateId: null }

/** How many rows of a workspace each table has, of those that have any, once its figures are counted. */
async function countRows({ workspaceId }: Person): Promise<Record<string, number>> {
  await rollWorkspace(t.services.db, workspaceId)
  const tables = await t.services.pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables.rows) {
    const { rows } = await t.services.pool.query(`select count(*)::int as n from ${name} where workspace_id = $1`, [
      workspaceId,
    ])
    if (rows[0].n > 0) counts[name] = rows[0].n
  }
  return counts
}

test('sample data: it has a list, a template and a report with people behind its figures', async () => {
  const [person, other] = [await t.person({ plan: 'free' }), await t.person()]
  expect(await person.api(sampleData.get)).toEqual(NOTHING)
  const { campaignId, listId, templateId } = await addSamples(person)
  expect(await person.api(lists.get, { params: { id: listId } })).toMatchObject({
    name: 'Sample contacts',
    contacts: 39,
  })
  expect(await person.api(templates.get, { params: { id: templateId } })).toMatchObject({
    name: 'Sample template',
    problems: [{ code: 'placeholder' }],
  })
  const params = { id: campaignId }
  expect(await person.api(campaigns.get, { params })).toMatchObject({
    ...{ name: 'Sample campaign', state: 'sent', isSample: true, opened: 16, clicked: 8 },
    counts: { recipients: 40, sent: 35, failed: 3, suppressed: 2 },
  })
  const stats = await person.api(campaigns.stats, { params })
  expect(stats.links.map(({ url, unique }) => [url, unique])).toEqual([
    ['https://harbor-coffee.example.com/coffees', 5],
    ['https://harbor-coffee.example.com/coffees/yirgacheffe', 3],
    ['https://harbor-coffee.example.com/coffees/huila', 2],
    ['https://harbor-coffee.example.com/tasting', 1],
    ['https://harbor-coffee.example.com/brewing-guide', 1],
  ])
  for (const [query, people] of [
    [{ event: 'opened' }, 16],
    [{ event: 'opened', machine: 'true' }, 9],
    [{ event: 'clicked', link: 0 }, 5],
    [{ event: 'unsubscribed' }, 1],
    [{ event: 'bounced' }, 3],
    [{ state: 'suppressed' }, 2],
  ] as const)
    expect((await person.api(campaigns.messages, { params, query })).items).toHaveLength(people)
  const email = await person.api(campaignReports.email, { params })
  expect(email.clickMap).toContain('5')
  const [maya] = (await person.api(search.find, { query: { q: 'Maya Chen' } })).contacts
  const timeline = await person.api(contactTimeline.show, { params: { id: maya?.id ?? '' }, query: {} })
  expect(timeline.items.map(({ kind }) => kind)).toEqual([
    ...['click', 'click', 'open', 'message', 'list_joined', 'added'],
  ])
  const statuses = Object.groupBy(await sampleContacts(person), ({ status }) => status)
  expect(
    Object.entries(statuses)
      .map(([status, some]) => [status, some?.length])
      .sort(),
  ).toEqual([
    ['bounced', 3],
    ['subscribed', 34],
    ['suppressed', 2],
    ['unsubscribed', 1],
  ])
  expect(await other.api(sampleData.get)).toEqual(NOTHING)
})

test('sample data: it is counted nowhere', async () => {
  const [person, boss] = [await t.person({ plan: 'free' }), await t.person({ role: 'admin' })]
  await addSamples(person)
  expect(await person.api(dashboard.show)).toMatchObject({
    ...{ sent: 0, opened: 0, clicked: 0, next: null },
    steps: { template: false, recipients: false, campaign: false, sent: false },
  })
  const activity = await person.api(dashboard.activity, { query: {} })
  expect(activity).toMatchObject({ figures: { sent: 0, opened: 0 }, last: null, attention: [] })
  expect(activity.trend.every(({ sent, opened }) => sent + opened === 0)).toBe(true)
  expect((await person.api(billing.status)).usage).toMatchObject({ contacts: 0, emails: 0 })
  expect(await boss.api(admin.user, { params: { id: person.id } })).toMatchObject({
    counts: { contacts: 0, campaigns: 0, sent30Days: 0 },
  })
  // Neither does it enter the averages that a later campaign is compared with.
  const list = await person.api(lists.create, { body: { name: 'Readers' } })
  await person.api(contacts.create, { body: { email: 'reader@example.net', lists: [list.id] } })
  const { id } = await draftTo(person, list.id)
  await person.api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  expect(await person.api(campaignReports.averages, { params: { id } })).toMatchObject({ campaigns: 0 })
  expect((await person.api(billing.status)).usage).toMatchObject({ contacts: 1, emails: 1 })
})

test('sample data: a full plan has room for it, and it leaves the room that the plan has', async () => {
  const person = await t.person({ plan: 'free' })
  const limit = (await person.api(billing.status)).limits.contacts ?? 0
  await t.services.pool.query(
    `insert into contacts (workspace_id, email, email_key)
     select $1, 'n' || n || '@full.example', 'n' || n || '@full.example' from generate_series(1, $2::int) n`,
    [person.workspaceId, limit - 1],
  )
  await addSamples(person)
  await person.api(contacts.create, { body: { email: 'last@full.example' } })
  await expect(person.api(contacts.create, { body: { email: 'over@full.example' } })).rejects.toMatchObject({
    status: 402,
  })
})

test('sample data: no campaign goes to sample contacts, whatever list they are on', async () => {
  const person = await t.person()
  const { campaignId, listId } = await addSamples(person)
  const [sample] = (await sampleContacts(person)).filter(({ status }) => status === 'subscribed')
  const { id: mixed } = await person.api(lists.create, { body: { name: 'Mixed' } })
  await person.api(contacts.create, { body: { email: 'real@example.net', lists: [mixed] } })
  await person.api(contacts.update, { params: { id: sample?.id ?? '' }, body: { lists: [mixed] } })
  const { id } = await draftTo(person, mixed)
  const check = await person.api(campaigns.check, { params: { id } })
  expect(check).toMatchObject({ ok: true, recipients: 1 })
  expect(check.problems).toContainEqual({
    ...{ severity: 'warning', code: 'sample_contacts' },
    message: 'One of 2 contacts is skipped: it is a sample contact.',
  })
  await person.api(campaigns.send, { params: { id }, body: {} })
  const done = await untilState(person, id, ['sent'])
  expect(done.counts).toMatchObject({ recipients: 1, sent: 1 })
  expect(mailedSamples()).toEqual([])

  const only = await draftTo(person, listId)
  const refused = { status: 409, code: 'not_ready', details: [{ field: 'sample_contacts' }] }
  for (const body of [{}, { at: new Date(Date.now() + 86_400_000).toISOString() }])
    await expect(person.api(campaigns.send, { params: { id: only.id }, body })).rejects.toMatchObject(refused)
  const { items: own } = await person.api(senders.list, { query: {} })
  const params = { id: campaignId }
  const copy = await person.api(campaignReports.duplicate, { params })
  const again = await person.api(campaignReports.resend, { params, body: { subject: 'Again', to: 'no_response' } })
  for (const one of [copy, again]) {
    expect(one).toMatchObject({ isSample: false, state: 'draft' })
    const change = { html: HTML, templateId: null, senderId: own[0]?.id ?? '' }
    await person.api(campaigns.update, { params: { id: one.id }, body: change })
    await expect(person.api(campaigns.send, { params: { id: one.id }, body: {} })).rejects.toMatchObject(refused)
  }
  const isSample = { status: 409, code: 'sample_campaign' }
  const retried = person.api(campaigns.retry, { params, body: { states: ['failed'] } })
  await expect(retried).rejects.toMatchObject(isSample)
  await expect(person.api(campaigns.update, { params, body: { name: 'Mine' } })).rejects.toMatchObject(isSample)
})

test('sample data: a scheduled campaign whose recipients became sample contacts alone sends nothing', async () => {
  const person = await t.person()
  const { listId } = await addSamples(person)
  const real = await person.api(contacts.create, { body: { email: 'leaves@example.net', lists: [listId] } })
  const { id } = await draftTo(person, listId)
  await person.api(campaigns.send, {
    params: { id },
    body: { at: new Date(Date.now() + 86_400_000).toISOString() },
  })
  await person.api(contacts.remove, { params: { id: real.id } })
  await t.services.db.updateTable('campaigns').set({ scheduledAt: new Date() }).where('id', '=', id).execute()
  expect((await untilState(person, id, ['sent'])).counts.recipients).toBe(0)
})

test('sample data: a sample contact on a double opt-in list gets no confirmation email', async () => {
  const person = await t.person()
  await addSamples(person)
  const { id } = await person.api(lists.create, { body: { name: 'Double', optin: 'double' } })
  const [sample] = (await sampleContacts(person)).filter(({ status }) => status === 'subscribed')
  const params = { id: sample?.id ?? '' }
  await person.api(contacts.update, { params, body: { lists: [id] } })
  // Members are asked in order: once the next one has an email, the sample contact has been passed over.
  const next = `next${person.id}@example.net`
  await person.api(contacts.create, { body: { email: next, lists: [id] } })
  await t.sink.mailTo(next)
  expect(mailedSamples()).toEqual([])
})

test('sample data: its contacts keep their addresses, and an import leaves them samples', async () => {
  const person = await t.person()
  await addSamples(person)
  const [sample] = await sampleContacts(person)
  const params = { id: sample?.id ?? '' }
  for (const body of [{ email: 'me@real.example' }, { phone: '+447400123456' }])
    await expect(person.api(contacts.update, { params, body })).rejects.toMatchObject({
      ...{ status: 409, code: 'sample_contact' },
    })
  await person.api(contacts.upsert, { params: { address: sample?.email ?? '' }, body: { name: 'Renamed' } })
  expect(await person.api(contacts.get, { params })).toMatchObject({ name: 'Renamed', source: 'sample' })
})

test('sample data: pressed twice or at once it is added once, and removing it leaves nothing behind', async () => {
  const person = await t.person()
  const before = await countRows(person)
  const added = await Promise.allSettled([person.api(sampleData.add), person.api(sampleData.add)])
  expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(person.api(sampleData.add)).rejects.toMatchObject({ status: 409, code: 'sample_data_present' })
  expect(await sampleContacts(person)).toHaveLength(40)
  // What people try on it goes too.
  const { campaignId, listId } = await person.api(sampleData.get)
  const [one, two, three] = await sampleContacts(person)
  await person.api(contacts.erase, { params: { id: three?.id ?? '' } })
  await person.api(campaignReports.share, { params: { id: campaignId ?? '' }, body: {} })
  await person.api(suppressions.create, { body: { address: one?.email ?? '' } })
  await person.api(contacts.remove, { params: { id: two?.id ?? '' } })
  await person.api(campaigns.remove, { params: { id: campaignId ?? '' } })
  expect(await person.api(sampleData.get)).toMatchObject({ isPresent: true, campaignId: null, listId })
  await person.api(sampleData.remove)
  expect(await countRows(person)).toEqual(before)
  expect(await person.api(sampleData.get)).toEqual(NOTHING)
  await expect(person.api(sampleData.remove)).rejects.toMatchObject({ status: 404 })
  await addSamples(person)
  await person.api(sampleData.remove)
  expect(await countRows(person)).toEqual(before)
})

test('sample data: what the user made of it stays when it is removed', async () => {
  const person = await t.person()
  const { listId, templateId } = await addSamples(person)
  const real = await person.api(contacts.create, { body: { email: 'mine@example.net', lists: [listId] } })
  const { version } = await person.api(templates.get, { params: { id: templateId } })
  await person.api(templates.update, { params: { id: templateId }, body: { name: 'My template', version } })
  await person.api(sampleData.remove)
  expect(await person.api(contacts.get, { params: { id: real.id } })).toMatchObject({ lists: [listId] })
  expect(await person.api(lists.get, { params: { id: listId } })).toMatchObject({ contacts: 1, unsubscribed: 0 })
  expect(await person.api(templates.get, { params: { id: templateId } })).toMatchObject({ name: 'My template' })
  // They are the user's now: the next sample data has its own, and goes without them.
  const next = await addSamples(person)
  expect(next.listId).not.toBe(listId)
  await person.api(campaigns.create, { body: { name: 'Uses it', templateId: next.templateId } })
  await person.api(sampleData.remove)
  for (const id of [templateId, next.templateId]) await person.api(templates.get, { params: { id } })
  await person.api(lists.get, { params: { id: listId } })
})

test('sample data: an address that is a contact already stays that contact', async () => {
  const person = await t.person()
  const own = await person.api(contacts.create, { body: { email: 'maya.chen@fernhill.example.com', name: 'Mine' } })
  await addSamples(person)
  expect(await sampleContacts(person)).toHaveLength(39)
  await person.api(sampleData.remove)
  expect(await person.api(contacts.get, { params: { id: own.id } })).toMatchObject({ name: 'Mine', source: 'manual' })
})
