import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { reserveQuota } from '#server/features/billing/index.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { addFound } from '../index.ts'
import { takeUpHanded } from './confirmations-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const doubleList = (person: Person, name = 'Garden news') =>
  person.api(lists.create, { body: { name, optin: 'double' } })
const show = (person: Person, id: string) => person.api(lists.get, { params: { id } })
const add = (person: Person, email: string, listId: string) =>
  person.api(contacts.create, { body: { email, lists: [listId] } })
const mailsTo = (address: string) => t.sink.received.filter(({ to }) => to.includes(address)).length
const linkIn = async (address: string) => /\/c\/\S+/.exec((await t.sink.mailTo(address)).text ?? '')?.[0] ?? ''
const press = (url: string) => t.inject({ method: 'POST', url })
const untilAsked = (listId: string, count: number) =>
  untilPasses(async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from list_members where list_id = ${listId} and asked_at is not null`.execute(
      t.services.db,
    )
    expect(rows[0]?.n).toBe(count)
  })

function upload(person: Person, listId: string, csv: string, more: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ listId, ...more })) form.set(name, value)
  form.set('file', new File([csv], 'people.csv'))
  return fetch(`${t.address}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
}

test('confirmation: everybody added to a double opt-in list is asked once and counts when confirmed', async () => {
  const person = await t.person({ name: 'Robin Gardener' })
  const { id } = await doubleList(person)
  await add(person, 'post@way.example', id)
  await person.api(contacts.upsert, {
    params: { address: 'put@way.example' },
    body: { lists: [id], attributes: { language: 'fr' } },
  })
  const late = await person.api(contacts.create, { body: { email: 'patch@way.example' } })
  await person.api(contacts.update, { params: { id: late.id }, body: { lists: [id] } })
  expect((await upload(person, id, 'email\nimport@way.example\n')).status).toBe(202)
  const found = { personName: '', organization: '', sourceUrl: 'https://a.example/', context: '', foundAt: new Date() }
  const addition = { listId: id, jobId: '1', addedBy: person.id, basis: null, basisNote: '' }
  await addFound(t.services, person.workspaceId, 'email', [{ ...found, value: 'found@way.example' }], addition)
  const ways = ['post', 'put', 'patch', 'import', 'found']
  for (const [n, way] of ways.entries()) {
    const link = await linkIn(`${way}@way.example`)
    expect(await show(person, id)).toMatchObject({ contacts: n })
    const { body } = await t.inject({ method: 'GET', url: link, headers: { 'accept-language': 'de' } })
    // The language of the contact comes before that of the browser.
    expect(body).toContain(way === 'put' ? 'Confirmez votre inscription' : 'Bestätigen Sie Ihre Anmeldung')
    expect((await press(link)).body).toContain(way === 'put' ? 'Vous êtes inscrit' : 'You are subscribed')
  }
  expect(await show(person, id)).toMatchObject({ contacts: 5, unconfirmed: 0 })
  for (const way of ways) expect(mailsTo(`${way}@way.example`)).toBe(1)
})

test('confirmation: suppressed contacts, phone numbers and single opt-in lists get no email', async () => {
  const person = await t.person()
  const double = await doubleList(person)
  const single = await person.api(lists.create, { body: { name: 'Open' } })
  await person.api(suppressions.create, { body: { address: 'no@quiet.example' } })
  await add(person, 'no@quiet.example', double.id)
  await person.api(contacts.create, { body: { phone: '+4930123456', lists: [double.id] } })
  await add(person, 'open@quiet.example', single.id)
  await add(person, 'yes@quiet.example', double.id)
  await t.sink.mailTo('yes@quiet.example')
  expect([mailsTo('no@quiet.example'), mailsTo('open@quiet.example')]).toEqual([0, 0])
  await untilAsked(double.id, 3)
})

test('confirmation: a large import is asked within the limits of the sender and delays no other workspace', async () => {
  const person = await t.person({ plan: 'free' })
  const { id } = await doubleList(person)
  const { items } = await person.api(senders.list, { query: {} })
  await person.api(senders.update, {
    params: { id: items[0]?.id ?? '' },
    body: { limits: { perDay: 3, perSecond: 500 } },
  })
  await upload(person, id, `email\n${Array.from({ length: 60 }, (_, i) => `p${i}@pace.example`).join('\n')}\n`)
  const asked = () => t.sink.received.filter(({ to }) => /^p\d+@pace/.test(to[0] ?? ''))
  await untilPasses(async () => expect(asked()).toHaveLength(3))
  const other = await t.person()
  await add(other, 'other@pace.example', (await doubleList(other)).id)
  await t.sink.mailTo('other@pace.example')
  expect(asked()).toHaveLength(3)
  expect(await show(person, id)).toMatchObject({ unconfirmed: 60, contacts: 0 })
  // No more of them become requests than one look sends.
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from confirmations where workspace_id = ${person.workspaceId}`.execute(t.services.db)
  expect(rows[0]?.n).toBeLessThanOrEqual(13)
  const usage = await t.services.db
    .selectFrom('usageMonths')
    .where('workspaceId', '=', person.workspaceId)
    .select('emails')
    .executeTakeFirst()
  expect(usage?.emails).toBe('3')
})

test('confirmation: without emails left this month, or without a sender, nobody is asked and nothing is lost', async () => {
  const person = await t.person({ plan: 'free' })
  const { id } = await doubleList(person)
  await t.services.db.transaction().execute((db) => reserveQuota(t.services, db, person.workspaceId, 'emails', 1_000))
  await add(person, 'spent@month.example', id)
  const unset = await t.person()
  const waiting = await doubleList(unset)
  const sender = (await unset.api(senders.list, { query: {} })).items[0]?.id ?? ''
  await unset.api(senders.update, { params: { id: sender }, body: { fromEmail: 'news@not-ours.example' } })
  await add(unset, 'later@month.example', waiting.id)
  const other = await t.person()
  await add(other, 'other@month.example', (await doubleList(other)).id)
  await t.sink.mailTo('other@month.example')
  await untilPasses(async () => {
    const { rows } = await sql<{
      problem: string
    }>`select problem from confirmations where email = 'spent@month.example'`.execute(t.services.db)
    expect(rows[0]?.problem).toContain('your plan for this month')
  })
  expect([mailsTo('spent@month.example'), mailsTo('later@month.example')]).toEqual([0, 0])
  expect(await show(unset, waiting.id)).toMatchObject({
    unconfirmed: 1,
    confirmationProblem: expect.stringContaining('is not confirmed yet'),
  })
  await unset.api(senders.update, { params: { id: sender }, body: { fromEmail: unset.email } })
  await t.sink.mailTo('later@month.example')
  expect(await show(unset, waiting.id)).toMatchObject({ confirmationProblem: null })
})

test('confirmation: one reminder follows, and an email that a killed process was handing over is never sent again', async () => {
  const person = await t.person()
  const { id } = await doubleList(person)
  const { db } = t.services
  const after48Hours = (email: string) =>
    sql`update confirmations set due_at = now() where email = ${email} and next_mail = 'reminder'`.execute(db)
  await add(person, 'forgot@remind.example', id)
  await t.sink.mailTo('forgot@remind.example')
  await untilPasses(async () => expect(Number((await after48Hours('forgot@remind.example')).numAffectedRows)).toBe(1))
  await untilPasses(async () => expect(mailsTo('forgot@remind.example')).toBe(2))
  const contact = await add(person, 'killed@remind.example', id)
  await t.sink.mailTo('killed@remind.example')
  const state = () => person.api(contacts.get, { params: { id: contact.id } })
  await untilPasses(async () => expect((await state()).confirmations[0]).toMatchObject({ emails: 1, state: 'sent' }))
  // As it stands in the table when the process ends between the email and the note of it.
  await sql`update confirmations set next_mail = 'first', due_at = now(), handing_at = now() - interval '1 hour', mails = 0
    where email = 'killed@remind.example'`.execute(db)
  await add(person, 'probe@remind.example', id)
  await t.sink.mailTo('probe@remind.example')
  await takeUpHanded(db, 900)
  expect((await state()).confirmations[0]).toMatchObject({ emails: 1, problem: expect.stringContaining('stopped') })
  await add(person, 'probe2@remind.example', id)
  await t.sink.mailTo('probe2@remind.example')
  expect([mailsTo('forgot@remind.example'), mailsTo('killed@remind.example')]).toEqual([2, 1])
})

test('confirmation: the email is the default one or a template with the link, and the evidence is stored', async () => {
  const person = await t.person({ name: 'Gärtnerei {{ Blatt }}' })
  const { id } = await doubleList(person, 'Garden news')
  const contact = await add(person, 'first@words.example', id)
  const email = await t.sink.mailTo('first@words.example')
  expect([email.subject, email.headers.some(({ key }) => key === 'list-unsubscribe')]).toEqual([
    'Confirm your subscription: Garden news',
    false,
  ])
  expect(email.html).toContain('Gärtnerei &#123;&#123; Blatt }}')
  expect(`${email.html}${email.text}`).not.toMatch(/unsubscribe_url|\/u\//i)
  const write = (html: string) => person.api(templates.create, { body: { name: 'Ours', subject: 'Ahoy', html } })
  const bad = await write('<p>Come aboard</p>')
  const good = await write('<p>Come aboard {{ list_name }}: <a href="{{ confirm_url }}">yes</a></p>')
  const choose = (templateId: string | null) =>
    person.api(lists.update, { params: { id }, body: { confirmationTemplateId: templateId } })
  for (const wrong of [bad.id, '999999'])
    await expect(choose(wrong)).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'confirmationTemplateId' }],
    })
  expect(await choose(good.id)).toMatchObject({ confirmationTemplateId: good.id })
  await add(person, 'second@words.example', id)
  const own = await t.sink.mailTo('second@words.example')
  expect([own.subject, own.html]).toEqual(['Ahoy', expect.stringContaining('Come aboard Garden news')])
  await person.api(templates.remove, { params: { id: good.id } })
  expect(await show(person, id)).toMatchObject({ confirmationTemplateId: null })
  const link = await linkIn('first@words.example')
  await t.inject({
    method: 'POST',
    url: link,
    headers: { 'user-agent': 'Mosaic/1.0', 'x-forwarded-for': '203.0.113.9' },
  })
  const { confirmations } = await person.api(contacts.get, { params: { id: contact.id } })
  expect(confirmations).toMatchObject([
    {
      state: 'confirmed',
      source: 'member',
      lists: [{ id, name: 'Garden news' }],
      confirmedIp: '203.0.113.9',
      confirmedUserAgent: 'Mosaic/1.0',
      wording: expect.stringContaining('once you confirm'),
    },
  ])
})

test('confirmation: people of a file who agreed before are not asked, and the import is their evidence', async () => {
  const person = await t.person()
  const { id } = await doubleList(person)
  await add(person, 'waits@agreed.example', id)
  await t.sink.mailTo('waits@agreed.example')
  const csv = 'email\nwaits@agreed.example\nnew@agreed.example\n'
  const refused = await upload(person, id, csv, { optin: 'agreed' })
  expect([refused.status, await refused.json()]).toMatchObject([400, { details: [{ field: 'optinEvidence' }] }])
  await upload(person, id, csv, { optin: 'agreed', optinEvidence: 'Paper forms of the 2025 fair' })
  await untilPasses(async () => expect(await show(person, id)).toMatchObject({ contacts: 2, unconfirmed: 0 }))
  const { items } = await person.api(contacts.list, { query: { q: 'new@agreed.example' } })
  expect(await person.api(contacts.get, { params: { id: items[0]?.id ?? '' } })).toMatchObject({
    agreements: [{ evidence: 'Paper forms of the 2025 fair', recordedBy: person.email, fileName: 'people.csv' }],
  })
  expect(mailsTo('new@agreed.example')).toBe(0)
})

test('confirmation: a contact is asked again only after a week, and at most three times', async () => {
  const person = await t.person()
  const { id } = await doubleList(person)
  await add(person, 'again@ask.example', id)
  await t.sink.mailTo('again@ask.example')
  const again = async () => (await person.api(lists.confirmations, { params: { id } })).queued
  const weekAgo = () =>
    sql`update list_members set asked_at = now() - interval '8 days' where list_id = ${id}`.execute(t.services.db)
  const queued = [await again()]
  for (const times of [2, 3]) {
    await weekAgo()
    queued.push(await again())
    await untilPasses(async () => expect(mailsTo('again@ask.example')).toBe(times))
  }
  await weekAgo()
  expect([...queued, await again()]).toEqual([0, 1, 1, 0])
  // Neither does a new list of the same people.
  await add(person, 'probe@ask.example', id)
  const copy = await doubleList(person)
  const { items } = await person.api(contacts.list, { query: { q: 'again@ask.example' } })
  await person.api(contacts.update, { params: { id: items[0]?.id ?? '' }, body: { lists: [id, copy.id] } })
  await untilAsked(copy.id, 1)
  await t.sink.mailTo('probe@ask.example')
  expect(mailsTo('again@ask.example')).toBe(3)
  const single = await person.api(lists.create, { body: { name: 'Open' } })
  await expect(person.api(lists.confirmations, { params: { id: single.id } })).rejects.toMatchObject({ status: 409 })
})

test('confirmation: a changed address is asked again, and the link to the old one is refused', async () => {
  const person = await t.person()
  const { id } = await doubleList(person)
  const contact = await add(person, 'mine@change.example', id)
  const link = await linkIn('mine@change.example')
  await person.api(contacts.update, { params: { id: contact.id }, body: { email: 'victim@change.example' } })
  await t.sink.mailTo('victim@change.example')
  expect((await press(link)).statusCode).toBe(404)
  expect(await show(person, id)).toMatchObject({ contacts: 0, unconfirmed: 1 })
})

test('confirmation: an address is asked by at most five workspaces an hour', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => t.person()))
  const made = await Promise.all(people.map((person) => doubleList(person)))
  await Promise.all(people.map((person, i) => add(person, 'many@five.example', made[i]?.id ?? '')))
  for (const list of made) await untilAsked(list.id, 1)
  await add(people[0] as Person, 'after@five.example', made[0]?.id ?? '')
  await t.sink.mailTo('after@five.example')
  expect(mailsTo('many@five.example')).toBe(5)
})
