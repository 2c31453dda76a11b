import { beforeAll, expect, test } from 'vitest'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { type Person, sharedApp, type TestApp, testApp } from '#server/testing/app.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'

let t: TestApp
let world: Awaited<ReturnType<typeof whatsAppWorld>>
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  world = await whatsAppWorld(t)
  ada = await t.person()
})

const toValues = ({
  phoneNumberId,
  businessAccountId,
  accessToken,
  appSecret,
}: Awaited<ReturnType<typeof world.business>>) => ({
  phoneNumberId,
  businessAccountId,
  accessToken,
  appSecret,
})

test('WhatsApp number: it is connected with the data of Meta, and its webhook is subscribed', async () => {
  const number = await world.business('Analytical Engines Ltd')
  const account = await ada.api(whatsappNumbers.create, { body: { name: 'Sales', ...toValues(number) } })
  expect(account).toMatchObject({
    name: 'Sales',
    displayPhone: number.displayPhone,
    verifiedName: 'Analytical Engines Ltd',
    quality: 'green',
    tier: 'TIER_2K',
    dailyLimit: 2_000,
    usedToday: 0,
    perSecond: 80,
    state: 'working',
    webhook: { subscribed: true, url: 'http://localhost:3000/api/whatsapp/webhook' },
  })
  await expect(ada.api(whatsappNumbers.create, { body: toValues(number) })).rejects.toMatchObject({
    status: 409,
    code: 'already_connected',
  })
  expect(await ada.api(whatsappNumbers.list, { query: {} })).toMatchObject({ configured: true, sandbox: true })
})

test('WhatsApp number: each wrong value is refused by field, and nothing is saved', async () => {
  const number = await world.business()
  const other = await world.business()
  const right = toValues(number)
  const wrong = async (change: object) => {
    const { ok, checks } = await ada.api(whatsappNumbers.check, { body: { ...right, ...change } })
    expect(ok).toBe(false)
    await expect(ada.api(whatsappNumbers.create, { body: { ...right, ...change } })).rejects.toMatchObject({
      status: 400,
      details: checks.filter((one) => one.ok === false).map(({ field, message }) => ({ field, message })),
    })
    return checks.filter((one) => one.ok === false)
  }
  const before = (await ada.api(whatsappNumbers.list, { query: {} })).items.length
  expect(await wrong({ accessToken: 'EAAnothing' })).toEqual([
    { field: 'accessToken', ok: false, message: expect.stringContaining('does not accept this token') },
  ])
  expect(await wrong({ phoneNumberId: '12345' })).toEqual([
    { field: 'phoneNumberId', ok: false, message: expect.stringContaining('does not know this phone number id') },
  ])
  expect(await wrong({ phoneNumberId: other.phoneNumberId })).toEqual([
    { field: 'phoneNumberId', ok: false, message: expect.stringContaining('may not use this number') },
  ])
  expect(await wrong({ businessAccountId: '12345' })).toEqual([
    {
      field: 'businessAccountId',
      ok: false,
      message: expect.stringContaining('does not know this WhatsApp business account'),
    },
  ])
  expect(await wrong({ appSecret: '0'.repeat(32) })).toEqual([
    { field: 'appSecret', ok: false, message: expect.stringContaining('does not belong to the app') },
  ])
  expect((await wrong({ appSecret: 'x', businessAccountId: '1' })).map(({ field }) => field).sort()).toEqual([
    'appSecret',
    'businessAccountId',
  ])
  expect((await ada.api(whatsappNumbers.list, { query: {} })).items).toHaveLength(before)
  expect((await ada.api(whatsappNumbers.check, { body: right })).checks.every(({ ok }) => ok)).toBe(true)
})

test('WhatsApp number: token and secret are never returned or stored in plain text', async () => {
  const { number, account } = await world.connect(ada)
  const responses = [
    await t.inject({ url: `/api/whatsapp/accounts/${account.id}`, headers: { authorization: `Bearer ${ada.token}` } }),
    await t.inject({ url: '/api/whatsapp/accounts', headers: { authorization: `Bearer ${ada.token}` } }),
    await t.inject({ url: '/api/account/export', headers: { authorization: `Bearer ${ada.token}` } }),
  ]
  const rows = await t.services.db.selectFrom('whatsappNumbers').selectAll().execute()
  for (const text of [...responses.map((response) => response.body), JSON.stringify(rows)])
    for (const secret of [number.accessToken, number.appSecret]) expect(text).not.toContain(secret)
})

test('WhatsApp number: only a valid new token is accepted', async () => {
  const { number, account } = await world.connect(ada)
  const params = { id: account.id }
  await expect(ada.api(whatsappNumbers.update, { params, body: { accessToken: 'EAAother' } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'accessToken' }],
  })
  const same = await ada.api(whatsappNumbers.update, {
    params,
    body: { accessToken: number.accessToken, name: 'Again' },
  })
  expect(same).toMatchObject({ name: 'Again', state: 'working' })
  expect(await ada.api(whatsappNumbers.refresh, { params })).toMatchObject({ state: 'working', stateText: '' })
  await ada.api(whatsappNumbers.remove, { params })
  await expect(ada.api(whatsappNumbers.get, { params })).rejects.toMatchObject({ status: 404 })
})

test('WhatsApp number: the webhook URL is confirmed with the right verify token only', async () => {
  const { account } = await world.connect(ada)
  const ask = (token: string, mode = 'subscribe') =>
    t.inject({
      url: `/api/whatsapp/webhook?hub.mode=${mode}&hub.challenge=1158201444&hub.verify_token=${encodeURIComponent(token)}`,
    })
  const right = await ask(account.webhook.verifyToken)
  expect([right.statusCode, right.body]).toEqual([200, '1158201444'])
  for (const [token, mode] of [
    [`${account.webhook.verifyToken}x`],
    [''],
    ['MQ.AAAA'],
    [account.webhook.verifyToken, 'unsubscribe'],
  ] as const)
    expect((await ask(token, mode)).statusCode).toBe(403)
})

test('WhatsApp number: without WHATSAPP_API_URL in production it is not configured', async () => {
  await using real = await testApp({
    environment: { NODE_ENV: 'production', SECRET_KEY: 'a secret of more than thirty-two characters' },
  })
  const person = await real.person()
  expect(await person.api(whatsappNumbers.list, { query: {} })).toMatchObject({
    items: [],
    configured: false,
    sandbox: false,
  })
  const body = { phoneNumberId: '1', businessAccountId: '1', accessToken: 'x', appSecret: 'x' }
  await expect(person.api(whatsappNumbers.create, { body })).rejects.toMatchObject({
    status: 409,
    code: 'not_configured',
  })
})

test('WhatsApp number: an unreachable Graph API is reported, and nothing is saved', async () => {
  await using lone = await testApp({ environment: { WHATSAPP_API_URL: 'http://127.0.0.1:9/v25.0' } })
  const person = await lone.person()
  const body = { phoneNumberId: '1', businessAccountId: '1', accessToken: 'x', appSecret: 'x' }
  await expect(person.api(whatsappNumbers.create, { body })).rejects.toMatchObject({
    status: 502,
    code: 'whatsapp_unreachable',
  })
})
