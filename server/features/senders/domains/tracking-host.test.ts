import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { domains } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, HTML, listWith } from '#server/testing/campaign.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'

const zone: Zone = { 'track.postlark.example': { A: ['127.0.0.1'] } }
let t: TestApp
let names: Awaited<ReturnType<typeof startNameServer>>
let ada: Person
let port: number
let id: string
let count = 0

beforeAll(async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  port = (probe.address() as AddressInfo).port
  probe.close()
  await once(probe, 'close')
  names = await startNameServer(zone)
  t = await testApp({
    environment: {
      DNS_SERVERS: names.address,
      TRACKING_HOST: 'track.postlark.example',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
    },
  })
  ada = await t.person()
  id = (await ada.api(domains.create, { body: { domain: 'shop.example' } })).id
  const { records } = await ada.api(domains.get, { params: { id } })
  for (const { name, value, type } of records) if (type === 'TXT') zone[name] = { TXT: [value] }
  await check()
  const senderId = (await ada.api(senders.list, { query: {} })).items[0]?.id ?? ''
  await ada.api(senders.update, { params: { id: senderId }, body: { fromEmail: 'news@shop.example' } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await names.stop()
})

const own = () => `http://links.shop.example:${port}`

/** Looks the domain up, and returns what is said of its name for links. */
async function check() {
  const { records } = await ada.api(domains.check, { params: { id } })
  return records.find(({ purpose }) => purpose === 'tracking')
}

/** Sends to one person; `isTest`: as a test of the campaign. Returns the links of the email, those of its headers first. */
async function sendOne(isTest = false): Promise<string[]> {
  const to = `reader${++count}@example.com`
  const html = `${HTML}<p><a href="{{ preferences_url }}">Preferences</a></p>`
  const { id } = await draftTo(ada, await listWith(t.services, ada, 1, () => to), { html })
  if (isTest) await ada.api(campaigns.test, { params: { id }, body: { to } })
  else await ada.api(campaigns.send, { params: { id }, body: {} })
  const { raw } = await t.sink.waitFor((mail) => mail.to[0] === to)
  const mail = raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n ', ' ')
  return [...new Set([...mail.matchAll(/http:\/\/[\w.-]+:\d+\/(?:t\/[oc]|u|p|v)\/[\w.-]+/g)].map(([url]) => url))]
}

/** Asks the server as a browser that was led to it by a name. */
async function ask(host: string, path: string, { method = 'GET', body = '' } = {}) {
  const headers = { host, ...(body && { 'content-type': 'application/x-www-form-urlencoded' }) }
  const call = request({ port, host: '127.0.0.1', path, method, headers }).end(body)
  const [response] = await once(call, 'response')
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

test('tracking host: emails use it once its domain is verified and it is served here, and no longer as soon as it is not', async () => {
  expect(new Set((await sendOne(true)).map((url) => new URL(url).host))).toEqual(new Set([`localhost:${port}`]))
  zone['links.shop.example'] = { CNAME: 'track.postlark.example' }
  expect(await check()).toMatchObject({ state: 'pass', message: 'Published. Links of your emails use it.' })
  const links = await sendOne()
  expect(links.length).toBeGreaterThanOrEqual(4)
  for (const url of links) expect(url.startsWith(`${own()}/`)).toBe(true)
  expect(links.some((url) => new URL(url).pathname.startsWith('/u/'))).toBe(true)

  zone['links.shop.example'] = { CNAME: 'elsewhere.example' }
  expect(await check()).toMatchObject({ state: 'fail' })
  expect((await sendOne()).every((url) => url.startsWith(`http://localhost:${port}/`))).toBe(true)
  // What was sent before is valid at both.
  const click = links.map((url) => new URL(url).pathname).find((path) => path.startsWith('/t/c/')) ?? ''
  for (const host of [`links.shop.example:${port}`, `localhost:${port}`])
    expect((await ask(host, click)).headers.location).toMatch(/^https:\/\/example\.com\//)
  zone['links.shop.example'] = { CNAME: 'track.postlark.example' }
})

test('tracking host: a name that leads to another server is not used, and the page says why', async () => {
  zone['track.postlark.example'] = { A: ['127.0.0.2'] }
  const fault = async () => (await check())?.message.replace('Published, but links do not use it: ', '')
  expect(await fault()).toBe('it cannot be reached.')
  const stranger = createHttpServer((_request, response) => response.end('0'.repeat(64))).listen(port, '127.0.0.2')
  await once(stranger, 'listening')
  expect(await fault()).toBe('another server responds there.')
  stranger.close()
  zone['track.postlark.example'] = { A: ['127.0.0.1'] }
  expect(await check()).toMatchObject({ state: 'pass' })
})

test('tracking host: only the links of emails are served there, without cookies', async () => {
  await check()
  const paths = (await sendOne()).map((url) => new URL(url).pathname)
  const find = (start: string) => paths.find((path) => path.startsWith(start)) ?? ''
  for (const host of [`links.shop.example:${port}`, 'LINKS.Shop.example', 'track.postlark.example']) {
    for (const path of [
      '/',
      '/login',
      '/api/me',
      '/api/system',
      '/%61pi/system',
      '/blog',
      '/docs',
      '/robots.txt',
      '/healthz',
      '/f/x',
    ])
      expect(await ask(host, path), path).toMatchObject({
        status: 404,
        text: expect.stringContaining('This link does not work'),
      })
    expect((await ask(host, '/api/auth/login', { method: 'POST', body: 'email=a' })).status).toBe(404)
    for (const start of ['/t/o/', '/u/', '/p/']) {
      const shown = await ask(host, find(start))
      expect([start, shown.status, shown.headers['set-cookie']]).toEqual([start, 200, undefined])
    }
  }
  const done = await ask(`links.shop.example:${port}`, find('/u/'), {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
  })
  expect([done.status, done.headers.location, done.headers['set-cookie']]).toEqual([200, undefined, undefined])
  expect((await ask(`localhost:${port}`, '/api/system')).status).toBe(200)
})

test('tracking host: a TLS proxy learns which names get a certificate, as often as an authority would issue one', async () => {
  const unused = await ada.api(domains.create, { body: { domain: 'unproven.example' } })
  const certificate = async (query: string) =>
    (await ask(`localhost:${port}`, `/.well-known/postlark-certificate${query}`)).status
  const found: Record<string, number> = {}
  for (const name of [
    'Links.shop.example.',
    'track.postlark.example',
    'localhost',
    'shop.example',
    'links.unproven.example',
    'a.links.shop.example',
  ])
    found[name] = await certificate(`?domain=${name}`)
  expect(found).toEqual({
    'Links.shop.example.': 200,
    'track.postlark.example': 200,
    localhost: 200,
    'shop.example': 404,
    'links.unproven.example': 404,
    'a.links.shop.example': 404,
  })
  expect([await certificate(''), await certificate(`?domain=${'a'.repeat(300)}`)]).toEqual([400, 400])
  expect((await ask('track.postlark.example', '/.well-known/postlark-certificate?domain=localhost')).status).toBe(404)
  const root = await t.person({ role: 'admin' })
  const suspend = (suspended: boolean) => root.api(admin.changeUser, { params: { id: ada.id }, body: { suspended } })
  for (const { name, value, type } of unused.records) if (type === 'TXT') zone[name] = { TXT: [value] }
  await ada.api(domains.check, { params: { id: unused.id } })
  zone['links.unproven.example'] = { CNAME: 'track.postlark.example' }
  const both = async () => [
    await certificate('?domain=links.shop.example'),
    await certificate('?domain=links.unproven.example'),
  ]
  expect(await both()).toEqual([200, 200])
  await ada.api(domains.remove, { params: { id } })
  // Recipients of what a suspended account sent from a domain that was removed still unsubscribe; it gets no certificate for a name that no email has.
  await suspend(true)
  expect(await both()).toEqual([200, 404])
  for (const alias of ['refuse', { CNAME: 'elsewhere.example' }] as const) {
    zone['links.shop.example'] = alias
    expect(await both()).toEqual([404, 404])
  }
  zone['links.shop.example'] = { CNAME: 'Track.Postlark.Example' }
  await suspend(false)
  expect(await both()).toEqual([200, 200])
  const many = await Promise.all(Array.from({ length: 300 }, () => certificate('?domain=localhost')))
  expect(new Set(many)).toEqual(new Set([200, 429]))
})
