import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import { brand } from '#contracts/templates/parts.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { sentCampaign } from '../testing.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
  await person.api(accounts.update, { body: { company: 'Lark <& Sons>', postalAddress: '1 Nest Road\nTown' } })
})

type Sent = Awaited<ReturnType<typeof sentCampaign>>
const buildPath = (sent: Sent, n = 0) => `/p/${sent.tokens.sign('preferences', sent.messages[n]?.id ?? '')}`
const open = (url: string, language?: string) =>
  t.inject({ method: 'GET', url, headers: { ...(language && { 'accept-language': language }) } })
const post = (url: string, body: [string, string][]) =>
  t.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(body).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Reader/1' },
  })
const postJson = (url: string, payload: object) => t.inject({ method: 'POST', url, payload })
const read = (id: string) => person.api(contacts.get, { params: { id } })
const listChanges = async (id: string) => {
  const { items } = await person.api(contactTimeline.show, { params: { id }, query: { limit: 100 } })
  return items.filter(({ kind }) => kind === 'preference').toReversed()
}

/** The link of the email that an action sends to an address, and its subject. */
async function findLink(path: string, action: string, address: string) {
  t.sink.empty()
  expect((await post(path, [['action', action]])).headers.location).toBe(`${path}?notice=linkSent`)
  const { subject, text = '' } = await t.sink.mailTo(address)
  return { subject, link: /\/p\/[\w.-]+/.exec(text)?.[0] ?? '' }
}

test('preferences: the form shows and changes lists, frequency and channels, with evidence', async () => {
  const sent = await sentCampaign(t.services, person, { people: 1 })
  const { contactId = '' } = sent.messages[0] ?? {}
  const path = buildPath(sent)
  const offers = await person.api(lists.create, {
    body: { name: 'Offers <1>', description: 'Twice a year', isPublic: true, optin: 'double' },
  })
  const secret = await person.api(lists.create, { body: { name: 'Internal' } })
  await person.api(brand.set, { body: { colors: ['#ffd400'], textFont: '', headingFont: '' } })
  const page = await open(path)
  expect(page.statusCode).toBe(200)
  for (const text of [
    'Readers',
    'Offers &lt;1&gt;',
    'Twice a year',
    '1 Nest Road',
    'Lark &lt;&amp; Sons&gt;',
    'Why did I',
  ])
    expect(page.body).toContain(text)
  for (const text of ['Internal', 'WhatsApp', '<script', sent.messages[0]?.address ?? ''])
    expect(page.body).not.toContain(text)
  expect(page.headers['cache-control']).toContain('no-store')
  expect((await open(path, 'de-CH, en;q=0.5')).body).toMatch(/<html lang="de">[\s\S]*Was möchten Sie erhalten/)
  expect(await listChanges(contactId)).toEqual([])

  const shown: [string, string][] = [
    ['shownChannels', 'email'],
    ['channels', 'email'],
    ['shownLists', sent.listId],
    ['shownLists', offers.id],
  ]
  const saved = await post(path, [...shown, ['action', 'save'], ['lists', offers.id], ['frequency', 'weekly']])
  expect([saved.statusCode, saved.headers.location]).toEqual([303, `${path}?notice=saved`])
  expect((await open(`${path}?notice=saved`)).body).toContain('Your changes are saved.')
  const now = await read(contactId)
  expect([now.lists, now.status]).toEqual([[offers.id], 'subscribed'])
  expect(now.confirmations).toMatchObject([{ source: 'preferences', state: 'confirmed', lists: [{ id: offers.id }] }])
  const paused = await postJson(path, { frequency: 'pause' })
  expect(paused.json()).toMatchObject({ result: 'saved', frequency: 'weekly', emails: 'on' })
  expect(Date.parse(paused.json().pausedUntil) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  expect(await read(contactId)).toMatchObject({ frequency: 'weekly', pausedUntil: paused.json().pausedUntil })
  expect((await postJson(path, { frequency: 'all' })).json()).toMatchObject({ frequency: 'all', pausedUntil: null })
  const changes = await listChanges(contactId)
  expect(changes.map(({ state }) => state)).toEqual(['list_left', 'list_joined', 'weekly', 'paused', 'all_emails'])
  expect(changes[0]).toMatchObject({
    detail: 'Readers',
    campaign: { id: sent.id },
    visitor: { ip: expect.stringMatching(/^198\.18\./), userAgent: 'Reader/1' },
  })
  expect((await person.api(campaigns.stats, { params: { id: sent.id } })).unsubscribes).toBe(1)
  for (const [body, field] of [
    [{ lists: [secret.id] }, 'lists'],
    [{ frequency: 'never' }, 'frequency'],
    [{ action: 'x' }, 'action'],
    [{ given: 1 }, 'given'],
  ] as const) {
    const refused = await postJson(path, body)
    expect([refused.statusCode, refused.json().details[0].field]).toEqual([400, field])
  }
})

test('preferences: everything ends at once, only what they choose comes back, and WhatsApp is a channel', async () => {
  const sent = await sentCampaign(t.services, person, { people: 1 })
  const { contactId = '' } = sent.messages[0] ?? {}
  const path = buildPath(sent)
  await person.api(contacts.update, { params: { id: contactId }, body: { phone: '+4915112345678' } })
  await person.api(whatsappConsents.create, {
    body: {
      contactIds: [contactId],
      how: 'form',
      purpose: 'News',
      covers: ['marketing'],
      wording: 'Yes',
      evidence: 'Form',
      givenAt: '2026-01-01T00:00:00Z',
    },
  })
  for (const text of ['WhatsApp</span>', 'Stops all emails and WhatsApp messages from'])
    expect((await open(path)).body).toContain(text)
  expect((await post(path, [['action', 'unsubscribe']])).headers.location).toContain('notice=unsubscribed')
  expect((await read(contactId)).status).toBe('unsubscribed')
  expect((await open(path)).body).toContain('You get no emails from')
  const back = await postJson(path, { channels: ['email', 'whatsapp'] })
  expect(back.json()).toMatchObject({ emails: 'on', whatsapp: 'on' })
  expect(back.json().lists.find((list: { id: string }) => list.id === sent.listId).isOn).toBe(false)
  expect((await postJson(path, { channels: ['email'] })).json()).toMatchObject({ emails: 'on', whatsapp: 'off' })
  expect((await listChanges(contactId)).map(({ state }) => state)).toEqual([
    ...['unsubscribed', 'whatsapp_off', 'resubscribed', 'whatsapp_on', 'whatsapp_off'],
  ])
})

test('preferences: data and erasure need the link of an email, and only a POST erases', async () => {
  const sent = await sentCampaign(t.services, person, { people: 2 })
  const { contactId = '', address = '' } = sent.messages[0] ?? {}
  const path = buildPath(sent)
  await person.api(contacts.update, { params: { id: contactId }, body: { attributes: { language: 'fr' } } })
  const { subject, link: data } = await findLink(path, 'download', address)
  expect(subject).toBe('Vos données chez Lark & Sons')
  expect((await open(data)).body).toContain('Télécharger le fichier')
  const file = await post(data, [])
  expect(file.headers['content-disposition']).toContain('attachment')
  expect(file.json().contact.email).toBe(address)
  const { link: erase } = await findLink(path, 'erase', address)
  expect(erase).not.toBe(data)
  await open(erase)
  expect((await read(contactId)).email).toBe(address)
  expect((await post(erase, [])).body).toContain('Vos données sont effacées')
  await expect(read(contactId)).rejects.toMatchObject({ status: 404 })
  for (const link of [path, erase, data]) {
    const page = await open(link)
    expect([page.statusCode, page.body.includes('nothing to manage')]).toEqual([200, true])
    expect((await postJson(link, {})).statusCode).toBe(404)
  }
  // A link for somebody who has another address by now does not work.
  const { contactId: second = '', address: old = '' } = sent.messages[1] ?? {}
  const { link: late } = await findLink(buildPath(sent, 1), 'erase', old)
  await person.api(contacts.update, { params: { id: second }, body: { email: 'new.one@example.com' } })
  expect((await post(late, [])).body).toContain('nothing to manage')
  expect((await read(second)).email).toBe('new.one@example.com')
})

test('preferences: somebody who was removed is erased by the link of an email, before an undo brings them back', async () => {
  const sent = await sentCampaign(t.services, person, { people: 3 })
  const ids = sent.messages.map(({ contactId }) => contactId ?? '')
  const address = sent.messages[0]?.address ?? ''
  const path = buildPath(sent)
  const { link: early } = await findLink(buildPath(sent, 1), 'erase', sent.messages[1]?.address ?? '')
  const run = async (jobId: string) =>
    until(async () => {
      const job = await person.api(jobs.get, { params: { id: jobId } })
      return job.state === 'done' ? job : undefined
    }, 'the end of a change')
  const removal = await run((await person.api(contactsBulk.start, { body: { ids, action: 'delete' } })).jobId)
  expect((await open(path)).body).toContain('can restore your data')
  expect((await postJson(path, { frequency: 'weekly' })).statusCode).toBe(404)
  const { link } = await findLink(path, 'erase', address)
  for (const one of [link, early]) expect((await post(one, [])).body).toContain('Your data is erased')
  expect((await open(path)).body).toContain('nothing to manage')
  const undo = await run((await person.api(jobs.undo, { params: { id: removal.id } })).jobId)
  expect(undo).toMatchObject({ processed: 1, changed: 1 })
  for (const id of ids.slice(0, 2)) await expect(read(id)).rejects.toMatchObject({ status: 404 })
  expect((await read(ids[2] ?? '')).id).toBe(ids[2])
})

test('preferences: the link of an email to a former address shows nothing, proves nothing, and ends emails to both', async () => {
  const sent = await sentCampaign(t.services, person, { people: 2 })
  const [first, second] = sent.messages.map(({ contactId, address }) => ({ id: contactId ?? '', address }))
  const secret = await person.api(lists.create, { body: { name: 'Board members', optin: 'double' } })
  const offers = await person.api(lists.create, { body: { name: 'Moved offers', isPublic: true } })
  for (const [n, contact] of [first, second].entries())
    await person.api(contacts.update, {
      params: { id: contact?.id ?? '' },
      body: { email: `next${n}@changed.example`, name: 'Next Owner', lists: [sent.listId, secret.id] },
    })
  const path = buildPath(sent)
  const page = await open(path, 'de')
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('inzwischen eine andere Adresse')])
  for (const text of ['Board members', 'Moved offers', 'Next Owner', 'changed.example', 'Readers'])
    expect(page.body).not.toContain(text)
  // Nor does a link that names its reader.
  const link = sent.links.find(({ url }) => url.includes('/me?'))?.index ?? 0
  const clicked = await open(`/t/c/${sent.tokens.sign('click', sent.messages[0]?.id ?? '', link)}`)
  expect(String(clicked.headers.location)).toMatch(/me\?email=C\d+\.r1(@|%40)example\.com/)
  const refusals = [{ lists: [offers.id] }, { frequency: 'all' }, { channels: ['email'] }]
  for (const body of [...refusals, { action: 'download' }, { action: 'erase' }])
    expect((await postJson(path, body)).json()).toMatchObject({ code: 'address_changed' })
  expect((await post(path, [['lists', offers.id]])).statusCode).toBe(409)
  expect((await read(first?.id ?? '')).confirmations.filter(({ confirmedAt }) => confirmedAt)).toEqual([])
  expect((await read(first?.id ?? '')).status).toBe('subscribed')

  const ended = await post(path, [['action', 'unsubscribe']])
  expect([ended.statusCode, ended.headers.location]).toEqual([303, path])
  expect((await open(path)).body).toContain('You are unsubscribed')
  const oneClick = `/u/${sent.tokens.sign('unsubscribe', sent.messages[1]?.id ?? '')}`
  expect((await post(oneClick, [['List-Unsubscribe', 'One-Click']])).statusCode).toBe(200)
  for (const contact of [first, second]) {
    expect((await read(contact?.id ?? '')).status).toBe('unsubscribed')
    const { items } = await person.api(suppressions.list, { query: { q: contact?.address ?? '' } })
    expect(items).toMatchObject([{ reason: 'unsubscribe', address: contact?.address }])
  }
})

test('preferences: links lead to the contact that stayed, and forged ones nowhere', async () => {
  const sent = await sentCampaign(t.services, person, { people: 2 })
  const [kept, gone] = sent.messages
  await person.api(contactMerges.merge, {
    params: { id: kept?.contactId ?? '' },
    body: { otherId: gone?.contactId ?? '' },
  })
  // Thirty days later only the ids are left.
  await t.services.db
    .updateTable('contactMerges')
    .set({ other: JSON.stringify({ id: gone?.contactId }) })
    .execute()
  // Who has an email to the other address can end it all, and sees and chooses nothing else.
  expect((await open(buildPath(sent, 1))).body).toContain('has another address for you now')
  expect((await postJson(buildPath(sent, 1), { action: 'unsubscribe' })).json()).toEqual({ result: 'unsubscribed' })
  expect((await read(kept?.contactId ?? '')).status).toBe('unsubscribed')
  const { tokens } = sent
  const id = kept?.id ?? ''
  for (const forged of ['x', tokens.sign('unsubscribe', id), `${tokens.sign('preferences', id)}A`]) {
    expect((await open(`/p/${forged}`)).statusCode).toBe(404)
    expect((await postJson(`/p/${forged}`, {})).statusCode).toBe(404)
  }
  expect((await open(`/p/${tokens.sign('preferences', '0')}`)).body).toContain('This was a test')
  const unsubscribing = await open(`/u/${tokens.sign('unsubscribe', id)}`)
  expect(unsubscribing.body).toContain(`href="/p/${tokens.sign('preferences', id)}"`)
  await t.services.db
    .updateTable('throttles')
    .set({ count: 60 })
    .where('key', '=', `preferences:${person.workspaceId}:${kept?.contactId}`)
    .execute()
  const refused = await postJson(buildPath(sent), { frequency: 'all' })
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('preferences: random input gets no 5xx', async () => {
  const sent = await sentCampaign(t.services, person, { people: 1 })
  const names = fc.constantFrom('action', 'lists', 'shownLists', 'channels', 'shownChannels', 'frequency', '__proto__')
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('save', 'weekly', '1', '9'.repeat(19)),
  )
  const bodies = fc.dictionary(names, fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.integer()))
  await fc.assert(
    fc.asyncProperty(bodies, fc.boolean(), async (body, isForm) => {
      const fields = Object.entries(body).map(([name, one]): [string, string] => [name, String(one).toWellFormed()])
      const reply = await (isForm ? post(buildPath(sent), fields) : postJson(buildPath(sent), body))
      expect([reply.statusCode < 500, body]).toEqual([true, body])
    }),
    { numRuns: 15 },
  )
})
