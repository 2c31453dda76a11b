import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const linkToken = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''

test('account: signing up sends an email whose link verifies once and logs in', async () => {
  await t.api(accounts.signup, { body: { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' } })
  const mail = await t.sink.mailTo('ada@example.com')
  expect(mail.subject).toBe('Confirm your email address')
  const { token } = await t.api(accounts.verifyEmail, { body: { token: linkToken(mail.text) } })
  expect(await t.createClient(token)(accounts.user)).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    role: 'user',
    currentPlan: 'free',
    emailVerified: true,
  })
  await expect(t.api(accounts.verifyEmail, { body: { token: linkToken(mail.text) } })).rejects.toMatchObject({
    status: 400,
    code: 'link_used',
  })
})

test('account: signing up gives the same response for a known and an unknown address', async () => {
  const known = await t.person()
  const first = await t.inject({
    method: 'POST',
    url: '/api/auth/signup',
    payload: { name: 'X', email: known.email, password: 'another fine phrase' },
  })
  const second = await t.inject({
    method: 'POST',
    url: '/api/auth/signup',
    payload: { name: 'X', email: 'unknown@example.com', password: 'another fine phrase' },
  })
  expect([first.statusCode, first.body]).toEqual([second.statusCode, second.body])
})

test('account: a wrong password gets 401 in plain text, and the eleventh attempt 429', async () => {
  const person = await t.person()
  for (let i = 0; i < 10; i++) {
    const response = await t.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: person.email, password: 'not this one' },
    })
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'The email address or password is incorrect.',
    ])
  }
  const response = await t.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: person.email, password: person.password },
  })
  expect(response.statusCode).toBe(429)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
})

test('log in: whatever is wrong with the request is said in plain text', async () => {
  const headers = { 'content-type': 'application/json' }
  for (const [payload, status, text] of [
    ['{}', 400, 'Email is required. Fields: email, password.'],
    ['{"email":1,"password":"x"}', 400, 'Email must be text.'],
    ['{', 400, 'The body is not valid JSON.'],
    [`{"email":"${'x'.repeat(5 * 1024 * 1024)}"}`, 413, 'The request is too large'],
  ] as const) {
    const response = await t.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
    expect([response.statusCode, response.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8'])
    expect(response.body).toContain(text)
  }
})

test('account: a short or common password is refused with the field password', async () => {
  for (const password of ['short', 'password123', 'aaaaaaaaaaaa']) {
    const response = await t.inject({
      method: 'POST',
      url: '/api/auth/signup',
      payload: { name: 'X', email: 'weak@example.com', password },
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].field).toBe('password')
  }
})

test('account: logging out ends the session on the server', async () => {
  const person = await t.person()
  await person.api(accounts.logout)
  await expect(person.api(accounts.user)).rejects.toMatchObject({ status: 401, message: 'Unauthorized' })
})

test('account: a reset link works once, ends every session and logs nobody in', async () => {
  const person = await t.person()
  await t.api(accounts.forgotPassword, { body: { email: person.email } })
  const mail = await t.sink.waitFor(
    (mail) => mail.to.includes(person.email) && mail.raw.includes('Choose a new password'),
  )
  const token = linkToken(mail.text)
  await t.api(accounts.resetPassword, { body: { token, newPassword: 'a brand new phrase' } })
  await expect(person.api(accounts.user)).rejects.toMatchObject({ status: 401 })
  await expect(
    t.api(accounts.resetPassword, { body: { token, newPassword: 'a brand new phrase' } }),
  ).rejects.toMatchObject({ status: 400 })
  await t.api(accounts.login, { body: { email: person.email, password: 'a brand new phrase' } })
})

test("account: the time zone is the browser's guess at first, then the chosen one, and an unknown one is refused", async () => {
  const verify = async (email: string, timeZone: string) => {
    await t.api(accounts.signup, { body: { name: 'Zoe', email, password: 'a fine long phrase' } })
    const token = linkToken((await t.sink.mailTo(email)).text)
    return t.createClient((await t.api(accounts.verifyEmail, { body: { token, timeZone } })).token)
  }
  const unknown = await verify('zoe-1@example.com', 'Mars/Olympus')
  expect(await unknown(accounts.user)).toMatchObject({ timeZone: null })
  const api = await verify('zoe-2@example.com', 'Asia/Kolkata')
  expect(await api(accounts.user)).toMatchObject({ timeZone: 'Asia/Kolkata' })
  for (const timeZone of ['Mars/Olympus', '+05:00', ''])
    await expect(api(accounts.update, { body: { name: 'Not saved', timeZone } })).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'timeZone', message: 'is not a time zone such as Europe/Berlin' }],
    })
  expect(await api(accounts.update, { body: { timeZone: 'Europe/Berlin' } })).toMatchObject({
    name: 'Zoe',
    timeZone: 'Europe/Berlin',
  })
  expect(await api(accounts.update, { body: { timeZone: null } })).toMatchObject({ timeZone: null })
})

test('account: an unknown field in the body is refused by name', async () => {
  const response = await t.inject({
    method: 'POST',
    url: '/api/auth/signup',
    payload: { name: 'X', email: 'x@example.com', password: 'a fine long phrase', role: 'admin' },
  })
  expect(response.statusCode).toBe(400)
  expect(response.json().details).toEqual([{ field: 'role', message: 'is not a known field' }])
})

test('account: a forged, foreign or missing token gets 401', async () => {
  for (const authorization of ['Bearer x.y.z', 'Bearer eyJhbGciOiJub25lIn0.eyJfaWQiOiIxIn0.', 'Basic abc', undefined]) {
    const response = await t.inject({
      method: 'GET',
      url: '/api/auth/user',
      headers: authorization ? { authorization } : {},
    })
    expect([response.statusCode, response.json().error]).toEqual([401, 'Unauthorized'])
  }
})

test.each(['signup', 'forgot-password', 'resend-verification'])(
  'account: %s refuses an invalid email address',
  async (path) => {
    for (const email of ['a@b..de', 'a..b@example.com', 'a@-example.com', 'a@localhost']) {
      const payload = path === 'signup' ? { name: 'Ada', email, password: 'seven larks over a field' } : { email }
      const response = await t.inject({ method: 'POST', url: `/api/auth/${path}`, payload })
      expect([response.statusCode, response.json().details]).toEqual([
        400,
        [{ field: 'email', message: 'is not an email address' }],
      ])
    }
  },
)
