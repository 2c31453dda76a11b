/** The emulator refuses what Meta refuses, else tests against it mean nothing. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Graph } from './graph.ts'
import { Limits } from './limits.ts'
import { startGraphServer, stopGraph } from './server.ts'
import type { Business } from './state.ts'

let graph: Graph
let business: Business
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postlark-graph-'))
  graph = await startGraphServer(0, 'key', join(folder, 'state.json'))
  business = graph.state.businesses[0] as Business
})
afterAll(async () => {
  await stopGraph(graph)
  rmSync(folder, { recursive: true, force: true })
})

async function call(path: string, body?: unknown, { token = business.token, version = 'v25.0' } = {}) {
  const response = await fetch(`http://127.0.0.1:${graph.port}/${version}/${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as {
    error?: { code: number; error_subcode?: number; error_data?: { details: string } }
  } & Record<string, unknown>
  return { status: response.status, code: json.error?.code, subcode: json.error?.error_subcode, json }
}
const number = () => business.numbers[0]?.id ?? ''
const text = (to: string, more: object = {}) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'text',
  text: { body: 'Hi' },
  ...more,
})
const template = (name: string, components: object[] = [], language = 'en_US') => ({
  messaging_product: 'whatsapp',
  to: '+447911400001',
  type: 'template',
  template: { name, language: { code: language }, components },
})

test("graph emulator: foreign tokens, secrets, versions and ids are refused with Meta's codes", async () => {
  expect(await call(number(), undefined, { token: 'EAAnothing' })).toMatchObject({ status: 401, code: 190 })
  expect(await call('12345')).toMatchObject({ status: 400, code: 100, subcode: 33 })
  const other = graph.state.addBusiness('Other')
  expect(await call(other.numbers[0]?.id ?? '')).toMatchObject({ status: 403, code: 10 })
  expect(await call(number(), undefined, { version: 'v19.0' })).toMatchObject({ status: 400, code: 2635 })
  expect(await call(`${number()}?appsecret_proof=${'0'.repeat(64)}`)).toMatchObject({ status: 400, code: 100 })
  const proof = createHmac('sha256', business.appSecret).update(business.token).digest('hex')
  expect(await call(`${number()}?fields=verified_name&appsecret_proof=${proof}`)).toMatchObject({
    status: 200,
    json: { id: number(), verified_name: business.name },
  })
})

test("graph emulator: an invalid message is refused with Meta's code", async () => {
  expect(await call(`${number()}/messages`, { to: '+447911400001', type: 'text' })).toMatchObject({ code: 100 })
  expect(await call(`${number()}/messages`, text(''))).toMatchObject({ code: 131008 })
  expect(await call(`${number()}/messages`, text('+44abc'))).toMatchObject({ code: 131009 })
  expect(await call(`${number()}/messages`, text('+447911400001', { text: {} }))).toMatchObject({ code: 131008 })
  expect(await call(`${number()}/messages`, text('+447911400001', { type: 'poem', poem: {} }))).toMatchObject({
    code: 131051,
  })
  // Without a plus the business's own country is put before.
  expect((await call(`${number()}/messages`, text('7911400001'))).json).toMatchObject({
    contacts: [{ input: '7911400001', wa_id: '497911400001' }],
  })
})

test("graph emulator: buttons, lists and captions are accepted within Meta's limits only", async () => {
  const send = (message: object) =>
    call(`${number()}/messages`, { messaging_product: 'whatsapp', to: '+447911400002', ...message })
  const interactive = (part: object) =>
    send({ type: 'interactive', interactive: { body: { text: 'Which?' }, ...part } })
  const buttons = (...replies: object[]) =>
    interactive({ type: 'button', action: { buttons: replies.map((reply) => ({ type: 'reply', reply })) } })
  const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `a${at}`, title: `Choice ${at}` }))
  const list = (count: number) =>
    interactive({ type: 'list', action: { button: 'Choose', sections: [{ title: 'Choose', rows: rows(count) }] } })
  expect(await buttons(...rows(3))).toMatchObject({ status: 200 })
  expect(await buttons(...rows(4))).toMatchObject({ code: 131009 })
  expect(await buttons({ id: 'a', title: 'Twenty-one characters' })).toMatchObject({ code: 131009 })
  expect(await buttons({ id: 'a', title: 'Same' }, { id: 'b', title: 'Same' })).toMatchObject({ code: 131009 })
  expect(await buttons({ title: 'No id' })).toMatchObject({ code: 131008 })
  expect(await interactive({ action: { buttons: [] } })).toMatchObject({ code: 131008 })
  expect(await list(10)).toMatchObject({ status: 200 })
  expect(await list(11)).toMatchObject({ code: 131009 })
  expect(await send({ type: 'image', image: { id: '1', caption: 'A view' } })).toMatchObject({ status: 200 })
  expect(await send({ type: 'audio', audio: { id: '1', caption: 'A song' } })).toMatchObject({ code: 100 })
})

test('graph emulator: a template message is accepted only as approved and with all its parameters', async () => {
  const body = (values: string[]) => [
    { type: 'body', parameters: values.map((value) => ({ type: 'text', text: value })) },
  ]
  const send = (sent: object) => call(`${number()}/messages`, sent)
  expect(await send(template('no_such'))).toMatchObject({ code: 132001 })
  expect(await send(template('order_update', body(['a', 'b']), 'de'))).toMatchObject({ code: 132001 })
  expect(await send(template('order_update', body(['a'])))).toMatchObject({ code: 132000 })
  expect(await send(template('order_update', body(['a', 'b\nc'])))).toMatchObject({ code: 132018 })
  expect(await send(template('seasonal_offer'))).toMatchObject({ code: 132000 })
  expect((await send(template('order_update', body(['a', 'b'])))).json).toMatchObject({
    messages: [{ message_status: 'accepted' }],
  })
  const offer = [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/offer.png' } }] },
    {
      type: 'body',
      parameters: ['first_name', 'company'].map((name) => ({ type: 'text', parameter_name: name, text: 'x' })),
    },
  ]
  expect(await send(template('seasonal_offer', offer))).toMatchObject({ code: 131008 })
  const button = { type: 'button', sub_type: 'url', index: 2, parameters: [{ type: 'text', text: 'x' }] }
  expect(await send(template('seasonal_offer', [...offer, button]))).toMatchObject({ status: 200 })
  const order = business.templates.find((one) => one.name === 'order_update')
  for (const [status, code] of [
    ['PAUSED', 132015],
    ['DISABLED', 132016],
    ['PENDING', 132001],
  ] as const) {
    if (order) order.status = status
    expect(await send(template('order_update', body(['a', 'b'])))).toMatchObject({ code })
  }
  if (order) order.status = 'APPROVED'
  const create = (change: object) =>
    call(`${business.id}/message_templates`, {
      name: 'x_1',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Plain words.' }],
      ...change,
    })
  expect(await create({ components: [{ type: 'BODY', text: '{{1}} begins' }] })).toMatchObject({ subcode: 2388299 })
  expect(await create({ components: [{ type: 'BODY', text: 'Hi {{1}} and {{2}} you' }] })).toMatchObject({
    subcode: 2388293,
  })
  expect(await create({ name: 'Not this' })).toMatchObject({ code: 100 })
  expect(await create({})).toMatchObject({ status: 200, json: { status: 'PENDING' } })
  expect(await create({})).toMatchObject({ subcode: 2388024 })
})

test('graph emulator: template lists are paged by cursor and filtered by name', async () => {
  const names: string[] = []
  let after = ''
  for (;;) {
    const { json } = await call(`${business.id}/message_templates?limit=2${after && `&after=${after}`}`)
    const page = json as unknown as { data: { name: string }[]; paging: { next?: string; cursors: { after: string } } }
    names.push(...page.data.map((one) => one.name))
    if (!page.paging.next) break
    after = page.paging.cursors.after
  }
  expect(names).toEqual(business.templates.map((one) => one.name))
  const { json } = await call(`${business.id}/message_templates?name=hello_world`)
  expect(json).toMatchObject({ data: [{ name: 'hello_world' }] })
})

test('graph emulator: more than 80 messages per second, or a burst to one person, are refused', async () => {
  // By a clock that stands still: how long the calls take changes nothing.
  const [limits, now] = [new Limits(), Date.now()]
  const refused = (times: number, take: () => void) =>
    Array.from({ length: times }, () => {
      try {
        take()
        return 0
      } catch {
        return 1
      }
    }).reduce<number>((sum, one) => sum + one, 0)
  expect(refused(120, () => limits.throughput('1', 80, now))).toBe(40)
  expect(refused(1, () => limits.throughput('1', 80, now + 1_001))).toBe(0)
  expect(refused(60, () => limits.pair('1', '447911600000', now))).toBe(15)
  expect(refused(2, () => limits.pair('1', '447911600000', now + 6_000))).toBe(1)
  const slow = graph.state.addBusiness('Slow', { perSecond: 1 })
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      call(`${slow.numbers[0]?.id}/messages`, text(`+4479115${String(i).padStart(5, '0')}`), { token: slow.token }),
    ),
  )
  expect(many.filter(({ code }) => code === 130429).length).toBeGreaterThan(0)
})

test('graph emulator: webhooks need a handshake, are signed with escapes, and are retried until accepted', async () => {
  const seen: { body: string; signature: string }[] = []
  let refusals = 1
  let challenge = (asked: string) => asked
  const receiver = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    if (request.method === 'GET') return response.end(challenge(url.searchParams.get('hub.challenge') ?? ''))
    let body = ''
    for await (const chunk of request) body += chunk
    if (refusals-- > 0) return response.writeHead(500).end()
    seen.push({ body, signature: String(request.headers['x-hub-signature-256']) })
    response.end()
    receiver.emit('taken')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const uri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const subscribe = () => call(`${business.id}/subscribed_apps`, { override_callback_uri: uri, verify_token: 'word' })
  challenge = () => 'something else'
  expect(await subscribe()).toMatchObject({ status: 400, code: 2200 })
  challenge = (asked) => asked
  expect(await subscribe()).toMatchObject({ status: 200 })
  expect((await call(`${business.id}/subscribed_apps`)).json).toMatchObject({
    data: [{ override_callback_uri: uri, whatsapp_business_api_data: { name: business.name } }],
  })
  await call(`${number()}/messages`, template('hello_world'))
  graph.webhooks.send(business, { field: 'messages', value: { words: 'Grüße / schön' } })
  const person = '447911400002'
  const list = graph.state.chat(number(), person).messages.find((one) => one.isList)
  const act = (deed: object) =>
    fetch(`http://127.0.0.1:${graph.port}/__sandbox/do`, {
      method: 'POST',
      body: JSON.stringify({ call: 'say', given: { scope: 'all', number: number(), person, act: deed } }),
      headers: { 'x-sandbox-key': 'key' },
    })
  await act({ act: 'button', messageId: list?.id, index: 4 })
  await act({ act: 'image', caption: '' })
  // The first body is refused, and others come in between.
  const hasCome = (words: string) => seen.some(({ body }) => body.includes(words))
  while (!['words', 'list_reply', 'sha256'].every(hasCome)) await once(receiver, 'taken')
  const all = seen.map(({ body }) => body).join('')
  expect(all).toContain('"list_reply":{"id":"a4","title":"Choice 4"}')
  expect(all).toMatch(/"sha256":"[^"]{43,}="/)
  expect(all).toContain('Gr\\u00fc\\u00dfe \\/ sch\\u00f6n')
  for (const { body, signature } of seen)
    expect(signature).toBe(`sha256=${createHmac('sha256', business.appSecret).update(body).digest('hex')}`)
  receiver.close()
  receiver.closeAllConnections()
})

test('graph emulator: its state survives a restart, and its control requires the key', async () => {
  graph.state.flush()
  const again = await startGraphServer(0, 'key', join(folder, 'state.json'))
  expect(again.state.businesses.map((one) => one.token)).toEqual(graph.state.businesses.map((one) => one.token))
  const ask = (key: string) =>
    fetch(`http://127.0.0.1:${again.port}/__sandbox/do`, {
      method: 'POST',
      body: '{"call":"numbers","given":{"scope":"all"}}',
      headers: { 'x-sandbox-key': key },
    })
  expect([(await ask('wrong')).status, (await ask('key')).status]).toEqual([403, 200])
  const elsewhere = await fetch(`http://127.0.0.1:${again.port}/v25.0/1`, { headers: { host: 'evil.example' } }).then(
    (response) => response.status,
  )
  expect([401, 421]).toContain(elsewhere)
  await stopGraph(again)
})
