import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { domains } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'
import { probeLink } from './probe.ts'

const zone: Zone = {}
const asked: string[] = []
const pages: Record<string, RequestListener> = {
  '/fine': (_request, response) => response.end('fine'),
  '/only-get': (request, response) => response.writeHead(request.method === 'GET' ? 200 : 501).end(),
  '/moved': (_request, response) => response.writeHead(302, { location: '/fine' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/private': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/wall': (_request, response) => response.writeHead(403).end(),
  '/error': (_request, response) => response.writeHead(503).end(),
  '/silent': () => undefined,
}
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  const page = pages[request.url ?? '']
  if (page) page(request, response)
  else response.writeHead(request.url?.startsWith('/for/') ? 200 : 404).end()
})
let site: string
let t: TestApp
let names: Awaited<ReturnType<typeof startNameServer>>

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  names = await startNameServer(zone)
  t = await testApp({
    environment: {
      ...{ NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(40) },
      ...{ DNS_SERVERS: names.address, COLLECTOR_ALLOW_PRIVATE: '127.0.0.1' },
    },
  })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await names.stop()
  server.closeAllConnections()
  server.close()
})

const POSTAL = { company: 'Lark', postalAddress: '1 Nest Road' }
async function writer(): Promise<Person> {
  const person = await t.person()
  await person.api(accounts.update, { body: POSTAL })
  return person
}

const anchor = (url: string) => `<p><a href="${url}">Words that say where this leads</a></p>\n`
let lists = 0
async function draftWith(person: Person, links: string[], change = {}) {
  const list = await listWith(t.services, person, 1, () => `links${++lists}@example.com`)
  const html = `${'Something to read. '.repeat(8)}\n${links.map(anchor).join('')}<a href="{{ unsubscribe_url }}">Unsubscribe</a>`
  return draftTo(person, list, { html, ...change })
}
const check = async (person: Person, id: string) => {
  const { ok, problems } = await person.api(campaigns.check, { params: { id } })
  return { ok, problems: problems.filter(({ code }) => /^(?:link|dmarc|sender)_/.test(code)) }
}

test('links: broken ones are named with their line and stop the campaign, and what cannot be known is a warning', async () => {
  const ada = await writer()
  const good = ['/fine', '/only-get', '/moved', '/fine#part'].map((path) => site + path)
  const { id } = await draftWith(ada, [
    ...good,
    ...['/gone', '/error', '/wall', '/loop', '/private'].map((path) => site + path),
    'http://127.0.0.1:1/refused',
    'http://nobody.example/',
    `${site}/for/{{ attributes.company }}`,
    '{% for one in attributes.list %}https://x.example/{{ one }}{% endfor %}',
    'http://localhost:3000/u/never-asked',
    `${site}/fine?${'long'.repeat(1_100)}`,
  ])
  const first = await check(ada, id)
  expect(first.ok).toBe(false)
  expect(first.problems.map(({ severity, code, line, message }) => [severity, code, line, message])).toEqual([
    ['error', 'link_broken', 6, `The link ${site}/gone is broken: the page does not exist (404).`],
    ['error', 'link_broken', 7, `The link ${site}/error is broken: the site responds with an error (503).`],
    ['error', 'link_broken', 11, expect.stringMatching(/refused is broken: 127\.0\.0\.1 refuses connections\.$/)],
    ['error', 'link_broken', 12, expect.stringMatching(/no site with the name nobody\.example exists\.$/)],
    ['warning', 'link_unchecked', 8, expect.stringMatching(/\/wall could not be checked: .*programs.*\(403\)\.$/)],
    ['warning', 'link_unchecked', 9, expect.stringMatching(/redirects more than 3 times\.$/)],
    ['warning', 'link_unchecked', 10, expect.stringMatching(/10\.0\.0\.1 is not on the public internet\.$/)],
    ['warning', 'link_unchecked', 14, expect.stringMatching(/depends on the recipient\.$/)],
    ['warning', 'link_unchecked', 16, expect.stringMatching(/it is longer than 4,000 characters\.$/)],
  ])
  expect(asked.filter((request) => request.includes('long'))).toEqual([])
  expect(asked).toContain('HEAD /for/Firm%201')
  expect(asked.filter((request) => request === 'HEAD /fine').length).toBe(2)
  const count = asked.length
  expect(await check(ada, id)).toEqual(first)
  expect(asked.length).toBe(count)
  const refused = ada.api(campaigns.send, { params: { id }, body: {} })
  await expect(refused).rejects.toMatchObject({ status: 409, code: 'not_ready' })
  const fine = await draftWith(ada, good)
  expect(await check(ada, fine.id)).toEqual({ ok: true, problems: [] })
  await ada.api(campaigns.send, { params: { id: fine.id }, body: {} })
  await untilState(ada, fine.id, ['sent'])
})

test('links: a site that says nothing is told apart from one that is broken', async () => {
  const given = {
    rules: { allow: ['127.0.0.1'], dnsServers: [] },
    userAgent: 'x',
    signal: new AbortController().signal,
  }
  const silent = await probeLink(`${site}/silent`, { ...given, requestMs: 50 })
  expect(silent).toEqual({ kind: 'unreached', why: '127.0.0.1 did not respond within 0.05 seconds' })
  const ended = await probeLink(`${site}/fine`, { ...given, signal: AbortSignal.abort() })
  expect(ended).toEqual({ kind: 'unchecked', why: 'there was no time left for it' })
})

test('launch: a sender that fails, or whose emails DMARC would refuse, stops the campaign', async () => {
  const ada = await writer()
  const { host, port } = { host: '127.0.0.1', port: Number(new URL(t.sink.url).port) }
  const add = (fromEmail: string) =>
    ada.api(senders.create, { body: { kind: 'smtp', ...{ name: 'Own', host, port, secure: 'none', fromEmail } } })
  const own = await add('ada@strict.example')
  const { id } = await draftWith(ada, [], { senderId: own.id })
  expect(await check(ada, id)).toMatchObject({ ok: true })
  zone['_dmarc.strict.example'] = { TXT: ['v=DMARC1; p=reject'] }
  const failing = await check(ada, id)
  expect(failing).toMatchObject({ ok: false, problems: [{ severity: 'error', code: 'dmarc_fail' }] })
  expect(failing.problems[0]?.message).toMatch(/^strict\.example asks receivers to reject .* no DKIM signature/)
  zone['strict.example'] = { TXT: ['v=spf1 ip4:127.0.0.0/8 -all'] }
  expect(await check(ada, id)).toMatchObject({ ok: true, problems: [] })
  zone['strict.example'] = 'refuse'
  const unknown = await check(ada, id)
  expect(unknown).toMatchObject({ ok: true, problems: [{ severity: 'warning', code: 'dmarc_unknown' }] })
  zone['strict.example'] = { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }
  expect(await check(ada, id)).toMatchObject({ ok: false })
  const domain = await ada.api(domains.create, { body: { domain: 'strict.example' } })
  for (const { name, value, purpose } of domain.records) if (purpose === 'dkim') zone[name] = { TXT: [value] }
  await ada.api(domains.check, { params: { id: domain.id } })
  expect(await check(ada, id)).toMatchObject({ ok: true, problems: [] })
  zone['_dmarc.strict.example'] = 'refuse'
  expect(await check(ada, id)).toMatchObject({ ok: true, problems: [{ severity: 'warning', code: 'dmarc_unknown' }] })
  zone['_dmarc.strict.example'] = { TXT: ['v=DMARC1; p=none'] }
  await t.services.db
    .updateTable('senders')
    .set({ state: 'failing', stateText: 'Refused.' })
    .where('id', '=', own.id)
    .execute()
  expect(await check(ada, id)).toMatchObject({ ok: false, problems: [{ severity: 'error', code: 'sender_failing' }] })
})

test('launch: in production without a postal address, or with a field that nobody has, nothing is sent', async () => {
  const ada = await t.person()
  const { id } = await draftWith(ada, [])
  const problems = async () => (await ada.api(campaigns.check, { params: { id } })).problems
  const missing = { severity: 'error', code: 'no_postal_address' }
  expect(await problems()).toContainEqual(expect.objectContaining(missing))
  await expect(ada.api(campaigns.send, { params: { id }, body: {} })).rejects.toMatchObject({ status: 409 })
  await ada.api(accounts.update, { body: POSTAL })
  expect(await problems()).not.toContainEqual(expect.objectContaining({ severity: 'error' }))
  const write = (field: string) =>
    ada.api(campaigns.update, {
      params: { id },
      body: {
        html: `<p>Hello {{ ${field} }}, here is some news to read.</p><a href="{{ unsubscribe_url }}">Unsubscribe</a>`,
      },
    })
  await write('nickname')
  expect(await problems()).toContainEqual(expect.objectContaining({ severity: 'error', code: 'content_html' }))
  await write("first_name | default: 'you'")
  expect(await problems()).not.toContainEqual(expect.objectContaining({ severity: 'error' }))
})
