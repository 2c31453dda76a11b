import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { collector } from '#contracts/collector/collector.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { startSite } from '#server/crawler/testing.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState as untilCampaign } from '#server/testing/campaign.ts'
import { page, untilState } from '../testing.ts'

let t: TestApp
let site: Awaited<ReturnType<typeof startSite>>
const card = (email: string) =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Analytical Engines","employee":{"@type":"Person","name":"Ada Byron","email":"${email}"}}</script>`

beforeAll(async () => {
  site = await startSite({
    '/': page(`Home: info@firma-test.de ${card('ada@firma-test.de')}`, '/team'),
    '/team': page('Team: bob@firma-test.de and gone@firma-test.de'),
    '/numbers': page('Call us: <a href="tel:+493012345678">030 12345678</a>'),
  })
  t = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: site.host, DNS_SERVERS: '127.0.0.1:9' } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  site.close()
})

async function collected(person: Person, path = '/', kind: 'email' | 'phone' = 'email') {
  const { id } = await person.api(collector.create, { body: { kind, urls: [`${site.url}${path}`] } })
  await untilState(person, id, ['done'])
  return id
}

const newList = async (person: Person, optin: 'single' | 'double' = 'single') =>
  (await person.api(lists.create, { body: { name: 'Found', optin } })).id

test('crawl results: results become contacts with their source, and adding them again adds none', async () => {
  const person = await t.person()
  const [id, listId] = [await collected(person), await newList(person)]
  await person.api(suppressions.create, { body: { address: 'GONE@firma-test.de' } })
  await person.api(contacts.create, { body: { email: 'bob@firma-test.de', name: 'Robert' } })
  const add = () => person.api(collector.toList, { params: { id }, body: { listId } })
  expect(await add()).toEqual({ added: 3, known: 0, suppressed: 1, refused: 0 })
  expect(await add()).toEqual({ added: 0, known: 3, suppressed: 1, refused: 0 })
  const { items } = await person.api(contacts.list, { query: { listId } })
  expect(items.map(({ email, name, source }) => [email, name, source]).sort()).toEqual([
    ['ada@firma-test.de', 'Ada Byron', 'collected'],
    ['bob@firma-test.de', 'Robert', 'manual'],
    ['info@firma-test.de', '', 'collected'],
  ])
  const ada = items.find(({ name }) => name === 'Ada Byron')
  expect(ada?.attributes).toEqual({ organization: 'Analytical Engines' })
  const shown = await person.api(contacts.get, { params: { id: ada?.id ?? '' } })
  expect(shown.origins).toMatchObject([{ sourceUrl: `${site.url}/`, jobId: id, basis: null, basisNote: '' }])
  await person.api(contacts.remove, { params: { id: ada?.id ?? '' } })
  const left = await t.services.db
    .selectFrom('contactOrigins')
    .where('contactId', '=', ada?.id ?? '')
    .execute()
  expect(left).toEqual([])
})

test('crawl results: filtered or selected results are added, and never those of another workspace', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const [id, listId] = [await collected(person), await newList(person, 'double')]
  const { items } = await person.api(collector.results, { params: { id }, query: {} })
  const role = await person.api(collector.toList, { params: { id }, body: { listId, filter: { role: 'role' } } })
  expect(role).toMatchObject({ added: 1 })
  const bob = items.find(({ value }) => value.startsWith('bob'))?.id ?? ''
  expect(await person.api(collector.toList, { params: { id }, body: { listId, ids: [bob] } })).toMatchObject({
    added: 1,
  })
  // Nobody on a double opt-in list gets anything before they confirmed.
  expect(await person.api(lists.get, { params: { id: listId } })).toMatchObject({ contacts: 0, unconfirmed: 2 })
  const foreign = await collected(other)
  const theirs = (await other.api(collector.results, { params: { id: foreign }, query: {} })).items[0]?.id ?? ''
  for (const body of [{ listId, ids: [theirs] }, { listId: await newList(other) }])
    await expect(person.api(collector.toList, { params: { id }, body })).rejects.toMatchObject({ status: 400 })
})

test('crawl results: contacts over the limit of the plan are refused', async () => {
  const person = await t.person({ plan: 'starter' })
  const id = await collected(person)
  await listWith(t.services, person, 9_998, (n) => `full${n}@example.com`)
  const counts = await person.api(collector.toList, { params: { id }, body: { listId: await newList(person) } })
  expect(counts).toEqual({ added: 2, known: 0, suppressed: 0, refused: 2 })
})

test('crawl results: phone numbers become contacts without an email address', async () => {
  const person = await t.person()
  const [id, listId] = [await collected(person, '/numbers', 'phone'), await newList(person)]
  await person.api(collector.toList, { params: { id }, body: { listId } })
  const { items } = await person.api(contacts.list, { query: { listId } })
  expect(items).toMatchObject([{ email: null, phone: '+493012345678', source: 'collected' }])
})

test('crawl results: contacts without lawful basis get no campaign; others read where they were found', async () => {
  const person = await t.person()
  const [id, listId] = [await collected(person), await newList(person)]
  const add = (body: object = {}) => person.api(collector.toList, { params: { id }, body: { listId, ...body } })
  await add()
  const first = await draftTo(person, listId)
  const check = await person.api(campaigns.check, { params: { id: first.id } })
  expect(check).toMatchObject({ ok: false, recipients: 0 })
  expect(check.problems).toContainEqual({
    severity: 'error',
    code: 'no_lawful_basis',
    message: expect.stringContaining('4 of 4 contacts were found on web pages'),
  })
  await expect(person.api(campaigns.send, { params: { id: first.id }, body: {} })).rejects.toMatchObject({
    status: 409,
  })

  const { items } = await person.api(collector.results, { params: { id }, query: { q: 'ada' } })
  await add({ ids: [items[0]?.id], basis: 'legitimate_interest', basisNote: 'They sell engines, we make cogs' })
  await person.api(contacts.create, { body: { email: 'asked@example.com', lists: [listId] } })
  const again = await person.api(campaigns.check, { params: { id: first.id } })
  expect(again).toMatchObject({ ok: true, recipients: 2 })
  expect(again.problems).toContainEqual(expect.objectContaining({ severity: 'warning', code: 'no_lawful_basis' }))
  await person.api(campaigns.send, { params: { id: first.id }, body: {} })
  const sent = await untilCampaign(person, first.id, ['sent'])
  expect(sent.counts).toMatchObject({ recipients: 5, sent: 2, suppressed: 3 })
  const left = await person.api(campaigns.messages, { params: { id: first.id }, query: { state: 'suppressed' } })
  expect(new Set(left.items.map(({ reason }) => reason))).toEqual(new Set(['no lawful basis recorded']))

  const found = new RegExp(`We found your address on ${site.url}/ on \\d{1,2} \\w+ \\d{4}\\.`)
  const mail = await t.sink.mailTo('ada@firma-test.de')
  expect(mail.text?.replace(/\s+/g, ' ')).toMatch(found)
  expect(mail.html).toMatch(found)
  const asked = await t.sink.mailTo('asked@example.com')
  expect(`${asked.text} ${asked.html}`).not.toContain('We found')

  const second = await draftTo(person, listId, { subject: 'Second' })
  await person.api(campaigns.send, { params: { id: second.id }, body: {} })
  await untilCampaign(person, second.id, ['sent'])
  const mails = t.sink.received.filter(({ to }) => to.includes('ada@firma-test.de'))
  expect(mails).toHaveLength(2)
  expect(mails[1]?.raw.toString().replaceAll('=\r\n', '')).not.toContain('We found')
})
