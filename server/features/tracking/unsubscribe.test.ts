import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { CHROME, sentCampaign } from './testing.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
})

type Sent = Awaited<ReturnType<typeof sentCampaign>>
const buildPath = (sent: Sent, n = 0) => `/u/${sent.tokens.sign('unsubscribe', sent.messages[n]?.id ?? '')}`
const post = (path: string, payload: string | Buffer, type?: string) =>
  t.inject({ method: 'POST', url: path, payload, headers: { ...(type && { 'content-type': type }) } })
const FORM = 'application/x-www-form-urlencoded'
const oneClick = (path: string) => post(path, 'List-Unsubscribe=One-Click', FORM)
const suppressions = (workspaceId = person.workspaceId) =>
  t.services.db
    .selectFrom('suppressions')
    .where('workspaceId', '=', workspaceId)
    .select(['addressKey', 'reason', 'campaignId', 'channel'])
    .orderBy('id')
    .execute()
const memberStates = (sent: Sent) =>
  t.services.db
    .selectFrom('listMembers')
    .where('listId', '=', sent.listId)
    .select('status')
    .orderBy('contactId')
    .execute()
const stats = (id: string) => person.api(campaigns.stats, { params: { id } })

test('unsubscribe: one-click suppresses before the response, in both encodings and repeatedly', async () => {
  const sent = await sentCampaign(t.services, person, { people: 2 })
  const boundary = 'x'
  const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
  for (const response of [
    await oneClick(buildPath(sent, 0)),
    await oneClick(buildPath(sent, 0)),
    await post(buildPath(sent, 1), multipart, `multipart/form-data; boundary=${boundary}`),
  ]) {
    expect([response.statusCode, response.headers.location, response.headers['set-cookie']]).toEqual([
      200,
      undefined,
      undefined,
    ])
    expect(response.body.length).toBeLessThan(50)
  }
  const keys = sent.messages.map((message) => message.address.toLowerCase())
  expect(await suppressions()).toEqual(
    keys.map((addressKey) => ({ addressKey, reason: 'unsubscribe', campaignId: sent.id, channel: 'email' })),
  )
  expect(await memberStates(sent)).toEqual([{ status: 'unsubscribed' }, { status: 'unsubscribed' }])
  const { unsubscribes, rates, opens, clicks } = await stats(sent.id)
  expect([unsubscribes, rates.unsubscribe, opens.total, clicks.total]).toEqual([2, 1, 0, 0])
})

test('unsubscribe: concurrent requests store one event', async () => {
  const sent = await sentCampaign(t.services, person)
  const responses = await Promise.all(Array.from({ length: 8 }, () => oneClick(buildPath(sent))))
  expect(responses.map((answer) => answer.statusCode)).toEqual(Array(8).fill(200))
  const events = await t.services.db.selectFrom('events').where('campaignId', '=', sent.id).select('kind').execute()
  expect(events).toEqual([{ kind: 'unsubscribe' }])
})

test('unsubscribe: GET and HEAD show the page in the language of the recipient and change nothing', async () => {
  const sent = await sentCampaign(t.services, person)
  await t.services.db
    .updateTable('workspaces')
    .set({ company: 'Lark <& Sons>' })
    .where('id', '=', person.workspaceId)
    .execute()
  const before = await suppressions()
  const page = await t.inject({ method: 'GET', url: buildPath(sent), headers: { 'user-agent': CHROME } })
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('c•••@example.com'.replace('c', 'C'))
  expect(page.body).not.toContain(sent.messages[0]?.address)
  expect(page.body).toContain('Lark &lt;&amp; Sons&gt;')
  expect(page.body.match(/<button/g)).toHaveLength(1)
  expect(page.body).not.toContain('<script')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect((await t.inject({ method: 'HEAD', url: buildPath(sent) })).statusCode).toBe(200)
  const french = { 'accept-language': 'fr-CA, en;q=0.5' }
  expect((await t.inject({ method: 'GET', url: buildPath(sent, 1), headers: french })).body).toContain('Se désinscrire')
  await t.services.db
    .updateTable('contacts')
    .set({ attributes: JSON.stringify({ locale: 'de-AT' }) })
    .where('id', '=', sent.messages[1]?.contactId ?? '')
    .execute()
  const german = await t.inject({ method: 'GET', url: buildPath(sent, 1), headers: french })
  expect(german.body).toContain('lang="de"')
  expect(german.body).toContain('Nur der Verteiler dieser Nachricht')
  expect(await suppressions()).toEqual(before)
  expect(await memberStates(sent)).toEqual(Array(3).fill({ status: 'confirmed' }))
})

test('unsubscribe: the page unsubscribes from one list, and later from everything', async () => {
  const sent = await sentCampaign(t.services, person)
  const before = await suppressions()
  const list = await post(buildPath(sent), 'choice=list', FORM)
  expect([list.statusCode, list.headers.location]).toEqual([200, undefined])
  expect(list.body).toContain('You are unsubscribed')
  expect(await suppressions()).toEqual(before)
  expect((await memberStates(sent))[0]).toEqual({ status: 'unsubscribed' })
  await post(buildPath(sent), 'choice=all', FORM)
  expect((await suppressions()).length).toBe(before.length + 1)
  expect((await t.inject({ method: 'GET', url: buildPath(sent) })).body).toContain('You are unsubscribed')
  expect((await stats(sent.id)).unsubscribes).toBe(1)
})

test('unsubscribe: it works after campaign, list and contact are deleted', async () => {
  const sent = await sentCampaign(t.services, person)
  await person.api(campaigns.remove, { params: { id: sent.id } })
  await t.services.db.deleteFrom('listMembers').where('listId', '=', sent.listId).execute()
  await t.services.db.deleteFrom('lists').where('id', '=', sent.listId).execute()
  await t.services.db
    .deleteFrom('contacts')
    .where('id', '=', sent.messages[0]?.contactId ?? '')
    .execute()
  expect((await t.inject({ method: 'GET', url: buildPath(sent) })).statusCode).toBe(200)
  expect((await oneClick(buildPath(sent))).statusCode).toBe(200)
  expect((await suppressions()).map((row) => row.addressKey)).toContain(sent.messages[0]?.address.toLowerCase())
})

test('unsubscribe: the reason of a manual suppression becomes unsubscribe', async () => {
  const sent = await sentCampaign(t.services, person)
  const address = sent.messages[0]?.address ?? ''
  await t.services.db
    .insertInto('suppressions')
    .values({ workspaceId: person.workspaceId, address, addressKey: address.toLowerCase(), reason: 'manual' })
    .execute()
  expect((await t.inject({ method: 'GET', url: buildPath(sent) })).body).toContain('Nothing has changed yet')
  await oneClick(buildPath(sent))
  expect((await suppressions()).find((row) => row.addressKey === address.toLowerCase())?.reason).toBe('unsubscribe')
})

test('unsubscribe: it applies to one workspace, and forged links get the same 404', async () => {
  const other = await t.person()
  const sent = await sentCampaign(t.services, other)
  await oneClick(buildPath(sent))
  expect(await suppressions(other.workspaceId)).toHaveLength(1)
  expect((await suppressions()).map((row) => row.addressKey)).not.toContain(sent.messages[0]?.address.toLowerCase())
  const id = sent.messages[0]?.id ?? ''
  const forged = ['x', sent.tokens.sign('open', id), sent.tokens.sign('view', id)]
  const responses = await Promise.all(
    forged.flatMap((token) => [t.inject({ method: 'GET', url: `/u/${token}` }), oneClick(`/u/${token}`)]),
  )
  expect(new Set(responses.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
  expect(responses[0]?.statusCode).toBe(404)
})

test('unsubscribe: a link whose message was deleted still responds with 200', async () => {
  const sent = await sentCampaign(t.services, person)
  const path = `/u/${sent.tokens.sign('unsubscribe', '99999999')}`
  const page = await t.inject({ method: 'GET', url: path })
  expect([page.statusCode, page.body.includes('You will get no more emails')]).toEqual([200, true])
  const response = await oneClick(path)
  expect([response.statusCode, response.headers.location]).toEqual([200, undefined])
})

test('unsubscribe: any body is accepted, except one that is too large', async () => {
  const sent = await sentCampaign(t.services, person, { people: 4 })
  expect((await post(buildPath(sent, 0), '')).statusCode).toBe(200)
  expect((await post(buildPath(sent, 1), '{"not":', 'application/json')).statusCode).toBe(200)
  expect((await post(buildPath(sent, 2), Buffer.from([0, 255, 254, 13]), 'multipart/form-data')).statusCode).toBe(200)
  expect((await post(buildPath(sent, 3), 'x'.repeat(100_000), FORM)).statusCode).toBe(413)
})

test('unsubscribe: the link of a test email says so and changes nothing', async () => {
  const sent = await sentCampaign(t.services, person)
  const path = `/u/${sent.tokens.sign('unsubscribe', '0')}`
  const before = await suppressions()
  expect((await t.inject({ method: 'GET', url: path })).body).toContain('This was a test')
  expect((await oneClick(path)).statusCode).toBe(200)
  expect(await suppressions()).toEqual(before)
})
