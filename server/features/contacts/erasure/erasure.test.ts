import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { createTokens } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, untilState } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'
import { tablesHolding } from '#server/testing/whole-workspace.ts'
import { addFound } from '../index.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const list = (person: Person, name = 'News') => person.api(lists.create, { body: { name } })
const found = async (person: Person, q: string) => (await person.api(contacts.list, { query: { q } })).items[0]
const addition = (person: Person, listId: string, jobId = '1') => ({
  listId,
  jobId,
  addedBy: person.id,
  basis: null,
  basisNote: '',
})
const finding = (value: string) => ({
  value,
  personName: '',
  organization: '',
  sourceUrl: 'https://a.example/',
  context: '',
  foundAt: new Date(),
})

async function importFile(person: Person, csv: string, listId?: string) {
  const form = new FormData()
  if (listId) form.set('listId', listId)
  form.set('file', new File([csv], 'people.csv'))
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await fetch(`${t.address}/api/contacts/import`, { method: 'POST', headers, body: form })
  const { importId } = (await response.json()) as { importId: string }
  const show = () => person.api(imports.get, { params: { id: importId } })
  await untilPasses(async () => expect((await show()).state).toBe('done'))
  return show()
}

/** One row of everything that other features keep of a person, as they would have written it. */
async function traces(person: Person, contactId: string, email: string, phone: string) {
  const { db } = t.services
  const ws = person.workspaceId
  const wa = phone.slice(1)
  const account = await sql<{
    id: string
  }>`insert into whatsapp_numbers (workspace_id, phone_number_id, business_account_id)
    values (${ws}, '1', '1') returning id`.execute(db)
  const accountId = account.rows[0]?.id
  const conversation = await sql<{ id: string }>`
    insert into whatsapp_conversations (workspace_id, account_id, contact_id, wa_id, phone, profile_name, preview)
    values (${ws}, ${accountId}, ${contactId}, ${wa}, ${phone}, 'Ada', ${`write to ${email}`}) returning id`.execute(db)
  await sql`insert into whatsapp_messages (workspace_id, account_id, conversation_id, person, direction, kind, text, content)
    values (${ws}, ${accountId}, ${conversation.rows[0]?.id}, ${wa}, 'in', 'text', ${`write to ${email}`}, ${JSON.stringify({ from: wa })})`.execute(
    db,
  )
  await sql`insert into whatsapp_webhook_events (workspace_id, account_id, changes, handled_at)
    values (${ws}, ${accountId}, ${JSON.stringify([{ from: wa }])}, now())`.execute(db)
  await sql`insert into whatsapp_consents (workspace_id, contact_id, phone, how, purpose, evidence, given_at)
    values (${ws}, ${contactId}, ${phone}, 'form', 'news', ${`Form of ${email}`}, now())`.execute(db)
  const job = await sql<{
    id: string
  }>`insert into crawl_jobs (workspace_id, kind, settings, hosts, sites, url_count, found)
    values (${ws}, 'email', '{}', '{}', '{}', 1, 2) returning id`.execute(db)
  const jobId = job.rows[0]?.id as string
  await sql`insert into crawl_results (workspace_id, job_id, value, source_url, context, method, confidence)
    values (${ws}, ${jobId}, ${email.toUpperCase()}, 'https://a.example/', ${email}, 'text', 1),
      (${ws}, ${jobId}, 'other@stay.example', 'https://a.example/', ${`other and ${email}`}, 'text', 1)`.execute(db)
  await sql`insert into gmail_messages (message_id, workspace_id, campaign_id, sender_id, bounce_text)
    select id, workspace_id, campaign_id, 1, ${`<${email}> unknown`} from messages where contact_id = ${contactId}`.execute(
    db,
  )
  await sql`update messages set response = ${`250 <${email}> taken`} where contact_id = ${contactId}`.execute(db)
  return jobId
}

test('erasure: no table has the address or number of an erased contact, and reports do not change', async () => {
  const person = await t.person()
  const [email, phone] = ['Ada.Erased@gone.example', '+4930998877']
  const news = await list(person)
  await importFile(person, `email,phone,name\n${email},${phone},Ada\n${email};x,,broken\n`, news.id)
  const contact = await found(person, email)
  const draft = await draftTo(person, news.id)
  await person.api(campaigns.send, { params: { id: draft.id }, body: {} })
  const sent = await untilState(person, draft.id, ['sent'])
  const [message] = (await person.api(campaigns.messages, { params: { id: draft.id }, query: {} })).items
  const token = createTokens(deriveKey(t.services.config.secretKey, 'message tokens')).sign('open', message?.id ?? '')
  await t.inject({ method: 'GET', url: `/t/o/${token}`, headers: { 'user-agent': 'Ada/1.0 (erase)' } })
  const jobId = await traces(person, contact?.id ?? '', email, phone)
  await person.api(suppressions.create, { body: { address: email } })
  await person.api(suppressions.create, { body: { address: phone, channel: 'whatsapp' } })

  await person.api(contacts.erase, { params: { id: contact?.id ?? '' } })
  expect(await found(person, email)).toBeUndefined()
  for (const trace of [email, phone.slice(1), 'Ada/1.0 (erase)'])
    await untilPasses(async () => expect(await tablesHolding(t.services.db, trace)).toEqual([]))
  expect((await person.api(campaigns.get, { params: { id: draft.id } })).counts).toEqual(sent.counts)
  const [after] = (await person.api(campaigns.messages, { params: { id: draft.id }, query: {} })).items
  expect(after?.address).toMatch(/^erased-[0-9a-f]{16}$/)
  const { rows } = await sql`select found from crawl_jobs where id = ${jobId}`.execute(t.services.db)
  expect(rows).toEqual([{ found: 1 }])
  await expect(person.api(contacts.erase, { params: { id: contact?.id ?? '' } })).rejects.toMatchObject({ status: 404 })
})

test('erasure: imports and crawl jobs do not add an erased contact again', async () => {
  const person = await t.person()
  const { id } = await person.api(contacts.create, { body: { email: 'back@erased.example', phone: '+4930112233' } })
  await person.api(suppressions.create, { body: { address: 'back@erased.example', reason: 'complaint' } })
  await person.api(contacts.erase, { params: { id } })
  const news = await list(person)

  const csv = 'email,phone\nBACK@erased.example,\n,+4930112233\ncolleague@erased.example,+4930112233\n'
  const done = await importFile(person, csv, news.id)
  expect(done).toMatchObject({ total: 3, imported: 1, skipped: 2 })
  expect(done.errors.map(({ reason }) => reason)).toEqual(Array(2).fill('this person was erased from your contacts'))
  expect(await found(person, 'colleague@erased.example')).toMatchObject({ phone: null })
  const counts = await addFound(
    t.services,
    person.workspaceId,
    'email',
    [finding('back@erased.example')],
    addition(person, news.id),
  )
  expect(counts).toMatchObject({ added: 0, suppressed: 1 })

  const body = { email: 'back@erased.example', lists: [news.id] }
  const refused = { status: 409, code: 'contact_erased' }
  await expect(person.api(contacts.create, { body })).rejects.toMatchObject(refused)
  await expect(
    person.api(contacts.upsert, { params: { address: 'back@erased.example' }, body: {} }),
  ).rejects.toMatchObject(refused)
  const other = await person.api(contacts.create, { body: { email: 'other@erased.example' } })
  await expect(
    person.api(contacts.update, { params: { id: other.id }, body: { email: 'back@erased.example' } }),
  ).rejects.toMatchObject(refused)
  expect(await found(person, 'back@erased.example')).toBeUndefined()
  // Another workspace has nothing to do with it.
  await (await t.person()).api(contacts.create, { body: { email: 'back@erased.example' } })
  // What the person reported still holds.
  expect(await person.api(contacts.create, { body: { ...body, readmit: true } })).toMatchObject({
    suppressed: 'complaint',
  })
  // By PUT and PATCH it is said in the same way.
  for (const email of ['one@erased.example', 'two@erased.example']) {
    const { id } = await person.api(contacts.create, { body: { email } })
    await person.api(contacts.erase, { params: { id } })
  }
  await person.api(contacts.upsert, { params: { address: 'one@erased.example' }, body: { readmit: true } })
  await person.api(contacts.update, {
    params: { id: other.id },
    body: { email: 'two@erased.example', readmit: true },
  })
})

test('contact: removing one does not remove its suppression or that it left a list', async () => {
  const person = await t.person()
  const [left, kept] = [await list(person, 'Left'), await list(person, 'Kept')]
  const body = { email: 'leaver@left.example', lists: [left.id, kept.id] }
  const { id } = await person.api(contacts.create, { body })
  await sql`update list_members set status = 'unsubscribed' where contact_id = ${id} and list_id = ${left.id}`.execute(
    t.services.db,
  )
  await person.api(contacts.remove, { params: { id } })
  await importFile(person, 'email\nleaver@left.example\nnew@left.example\n', left.id)
  const again = await found(person, 'leaver@left.example')
  expect(again?.lists).toEqual([])
  expect(await person.api(lists.get, { params: { id: left.id } })).toMatchObject({ contacts: 1, unsubscribed: 1 })
  // Added by hand they are there again, on every list but that one.
  await person.api(contacts.remove, { params: { id: again?.id ?? '' } })
  expect((await person.api(contacts.create, { body })).lists).toEqual([kept.id])
  await person.api(contacts.remove, { params: { id: (await found(person, 'leaver@left.example'))?.id ?? '' } })
  await addFound(t.services, person.workspaceId, 'email', [finding('leaver@left.example')], addition(person, left.id))
  expect((await found(person, 'leaver@left.example'))?.lists).toEqual([])
})
