import fc from 'fast-check'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
let ada: Person
let bob: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person()
  bob = await t.person()
})

const PASSWORD = 'seven larks over a field'
const linkToken = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const decodeClaims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const rightKey = () => deriveKey(t.services.config.secretKey, 'session tokens')
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

/** What a guarded call and verify-token answer to a token: they have to agree. */
async function fetchTokenStatus(token: string): Promise<number> {
  const [user, verified] = await Promise.all([
    t.inject({ url: '/api/auth/user', headers: { authorization: `Bearer ${token}` } }),
    t.inject({ method: 'POST', url: '/api/auth/verify-token', payload: { token } }),
  ])
  expect([user.statusCode, verified.statusCode]).toEqual([user.statusCode, user.statusCode])
  if (user.statusCode === 401)
    expect([user.json().error, verified.json().error]).toEqual(['Unauthorized', 'Unauthorized'])
  return user.statusCode
}

const sign = (claims: JWTPayload, key: Uint8Array, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(key)

test('token: it logs in, has _id and expires after seven days', async () => {
  expect(await fetchTokenStatus(ada.token)).toBe(200)
  const { _id, exp } = decodeClaims(ada.token)
  expect(_id).toBe(ada.id)
  expect(exp - Date.now() / 1_000).toBeGreaterThan(7 * 86_400 - 60)
  expect(exp - Date.now() / 1_000).toBeLessThanOrEqual(7 * 86_400)
})

test('token: one with any changed character is refused', async () => {
  // The last character holds two bits that no decoder reads.
  const places = fc.integer({ min: 0, max: ada.token.length - 2 })
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom(...'AZaz09-_.'), async (at, character) => {
      fc.pre(ada.token[at] !== character)
      expect(await fetchTokenStatus(ada.token.slice(0, at) + character + ada.token.slice(at + 1))).toBe(401)
    }),
    { numRuns: 60 },
  )
})

test('token: a forged token is refused', async () => {
  const claims = decodeClaims(ada.token)
  const [header, payload, signature] = ada.token.split('.')
  const none = (alg: string) => `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${payload}.`
  const right = rightKey()
  const forged = {
    unsigned: `${header}.${payload}.`,
    'alg none': new UnsecuredJWT(claims).encode(),
    'alg None': none('None'),
    'alg none, signature kept': `${none('none')}${signature}`,
    'another key': await sign(claims, Buffer.alloc(32, 1)),
    'an empty key': await sign(claims, Buffer.alloc(32)),
    'SECRET_KEY itself': await sign(claims, Buffer.from(t.services.config.secretKey)),
    'another algorithm': await sign(claims, Buffer.concat([right, right]), 'HS512'),
    'another issuer': await sign({ ...claims, iss: 'somebody' }, right),
    'no issuer': await sign({ ...claims, iss: undefined }, right),
    expired: await sign({ ...claims, exp: Math.floor(Date.now() / 1_000) - 1 }, right),
    'not yet': await sign({ ...claims, nbf: inAnHour() }, right),
    'no session': await sign({ ...claims, sid: undefined }, right),
    'an unknown session': await sign({ ...claims, sid: 'x'.repeat(32) }, right),
    'another’s session': await sign({ ...claims, _id: bob.id }, right),
    'an id that is none': await sign({ ...claims, _id: ['1'] as never }, right),
    'two parts': `${header}.${payload}`,
    nothing: '..',
  }
  for (const [how, token] of Object.entries(forged)) expect([how, await fetchTokenStatus(token)]).toEqual([how, 401])
})

test('token: it is refused in a URL, in a cookie or with another scheme', async () => {
  const url = '/api/auth/user'
  for (const request of [
    { url: `${url}?token=${ada.token}&access_token=${ada.token}` },
    { url, headers: { cookie: `token=${ada.token}` } },
    { url, headers: { authorization: `Basic ${ada.token}` } },
    { url, headers: { authorization: ada.token } },
  ])
    expect((await t.inject(request)).statusCode).toBe(401)
})

test('token: its session ends by logout, by another session, by a new password and with the user', async () => {
  const person = await t.person()
  const logIn = async () =>
    (await t.api(accounts.login, { body: { email: person.email, password: person.password } })).token
  const [out, ended, kept] = [await logIn(), await logIn(), await logIn()]
  await t.createClient(out)(accounts.logout)
  expect(await fetchTokenStatus(out)).toBe(401)
  await t.createClient(kept)(accounts.endSession, { params: { id: decodeClaims(ended).sid } })
  expect(await fetchTokenStatus(ended)).toBe(401)
  const { token } = await t.createClient(kept)(accounts.changePassword, {
    body: { currentPassword: person.password, newPassword: PASSWORD },
  })
  expect([await fetchTokenStatus(kept), await fetchTokenStatus(person.token), await fetchTokenStatus(token)]).toEqual([
    401, 401, 200,
  ])
  await t.services.db.deleteFrom('users').where('id', '=', person.id).execute()
  expect(await fetchTokenStatus(token)).toBe(401)
})

test('token: the session of another user cannot be ended', async () => {
  const id = decodeClaims(ada.token).sid
  await expect(bob.api(accounts.endSession, { params: { id } })).rejects.toMatchObject({ status: 404 })
  expect(await fetchTokenStatus(ada.token)).toBe(200)
})

async function resetLink(person: Person): Promise<string> {
  const before = t.sink.received.filter((mail) => mail.to.includes(person.email)).length
  await t.api(accounts.forgotPassword, { body: { email: person.email } })
  return linkToken((await mailTo(person.email, before)).text)
}

const LINK_USED = { status: 400, code: 'link_used' }
const reset = (token: string, newPassword = PASSWORD, api = t.api) =>
  api(accounts.resetPassword, { body: { token, newPassword } })

test('token: a reset link works once, even in concurrent requests', async () => {
  const token = await resetLink(await t.person())
  const results = await Promise.allSettled([reset(token), reset(token), reset(token)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(reset(token)).rejects.toMatchObject(LINK_USED)
})

test('token: a reset link expires after an hour or a reset, and is no verification link', async () => {
  const person = await t.person()
  const late = await resetLink(person)
  await t.services.db
    .updateTable('userTokens')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .execute()
  await expect(reset(late)).rejects.toMatchObject(LINK_USED)
  const [first, second] = [await resetLink(person), await resetLink(person)]
  await expect(t.api(accounts.verifyEmail, { body: { token: first } })).rejects.toMatchObject(LINK_USED)
  await reset(second)
  await expect(reset(first)).rejects.toMatchObject(LINK_USED)
})

test("token: a reset link resets its owner's password only, and a weak password does not use it", async () => {
  const person = await t.person()
  const token = await resetLink(person)
  await expect(reset(token, 'password12345', bob.api)).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'newPassword' }],
  })
  await reset(token, PASSWORD, bob.api)
  await t.api(accounts.login, { body: { email: person.email, password: PASSWORD } })
  await t.api(accounts.login, { body: { email: bob.email, password: bob.password } })
  expect([await fetchTokenStatus(person.token), await fetchTokenStatus(bob.token)]).toEqual([401, 200])
})

/** The mail that came to an address after so many others. */
const mailTo = (email: string, after: number) =>
  t.sink.waitFor((one) => t.sink.received.filter((mail) => mail.to.includes(email))[after] === one)

/** Signs up with one address and several passwords, one after the other; the links in the order of the mails. */
async function verifyLinks(email: string, passwords: string[]): Promise<string[]> {
  const links: string[] = []
  for (const [i, password] of passwords.entries()) {
    await t.api(accounts.signup, { body: { name: `Name ${i}`, email, password } })
    links.push(linkToken((await mailTo(email, i)).text))
  }
  return links
}

test('token: of several sign-ups only the password of the used link works', async () => {
  const email = 'contested@example.com'
  const passwords = ['the stranger came first', 'the owner of the address', 'the stranger comes again']
  const [first = '', owners = '', again = ''] = await verifyLinks(email, passwords)
  const { token } = await t.api(accounts.verifyEmail, { body: { token: owners } })
  expect(await t.createClient(token)(accounts.user)).toMatchObject({ name: 'Name 1', emailVerified: true })
  for (const other of [first, again, owners])
    await expect(t.api(accounts.verifyEmail, { body: { token: other } })).rejects.toMatchObject(LINK_USED)
  for (const password of [passwords[0], passwords[2]] as string[])
    await expect(t.api(accounts.login, { body: { email, password } })).rejects.toMatchObject({ status: 401 })
  await t.api(accounts.login, { body: { email, password: passwords[1] ?? '' } })
})

test('token: a new sign-up with the address of a used account does not change its password', async () => {
  const person = await t.person()
  await t.services.db.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', person.id).execute()
  const [link = ''] = await verifyLinks(person.email, ['the password of a stranger'])
  const { token } = await t.api(accounts.verifyEmail, { body: { token: link } })
  expect(await t.createClient(token)(accounts.user)).toMatchObject({ _id: person.id, name: 'Robin Example' })
  await t.api(accounts.login, { body: { email: person.email, password: person.password } })
})

test('token: a verification link expires after three days, and nobody logs in before it is used', async () => {
  const email = 'slow@example.com'
  const [token = ''] = await verifyLinks(email, [PASSWORD])
  const refused = await t.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: PASSWORD } })
  expect([refused.statusCode, refused.body]).toEqual([
    403,
    'Confirm your email address first. The link is in the email we sent you.',
  ])
  const { expiresAt } = await t.services.db
    .selectFrom('userTokens')
    .innerJoin('users', 'users.id', 'userTokens.userId')
    .where('email', '=', email)
    .select('expiresAt')
    .executeTakeFirstOrThrow()
  expect(Math.round((expiresAt.getTime() - Date.now()) / 3_600_000)).toBe(72)
  await t.services.db
    .updateTable('userTokens')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .execute()
  await expect(t.api(accounts.verifyEmail, { body: { token } })).rejects.toMatchObject(LINK_USED)
  await t.api(accounts.resendVerification, { body: { email } })
  await t.api(accounts.verifyEmail, { body: { token: linkToken((await mailTo(email, 1)).text) } })
  await t.api(accounts.login, { body: { email, password: PASSWORD } })
})

test('token: no reset token is stored in plain text', async () => {
  const token = await resetLink(await t.person())
  const { rows } = await t.services.pool.query(
    "select hash, (select string_agg(data::text, ' ') from pgboss.job) as jobs from user_tokens",
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows[0].jobs).not.toContain('$argon2')
})

test('token: links in emails start with PUBLIC_URL, whatever the headers of the request', async () => {
  const person = await t.person()
  const evil = 'evil.example'
  const headers = {
    host: evil,
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.9',
    forwarded: `host=${evil};proto=https`,
    origin: `https://${evil}`,
    referer: `https://${evil}/`,
  }
  const post = (path: string, payload: object) =>
    t.inject({ method: 'POST', url: `/api/auth/${path}`, headers, payload })
  await post('forgot-password', { email: person.email })
  await post('signup', { name: 'New', email: 'new-here@example.com', password: PASSWORD })
  await post('signup', { name: 'Known', email: ada.email, password: PASSWORD })
  for (const address of [person.email, 'new-here@example.com', ada.email]) {
    const mail = await t.sink.mailTo(address)
    expect(mail.text).not.toContain(evil)
    for (const [link] of (mail.text ?? '').matchAll(/https?:\/\/[^/\s]+/g)) expect(link).toBe('http://localhost:3000')
  }
})

const bodies = [
  ['signup', { name: 'X', email: 'x@example.com', password: PASSWORD }],
  ['login', { email: 'x@example.com', password: PASSWORD }],
  ['forgot-password', { email: 'x@example.com' }],
  ['resend-verification', { email: 'x@example.com' }],
  ['reset-password', { token: 'x', newPassword: PASSWORD }],
  ['verify-email', { token: 'x' }],
  ['verify-token', { token: 'x' }],
] as const

test.each(bodies)('token: POST /api/auth/%s refuses unknown fields and a body of 10 MB', async (path, body) => {
  const post = (payload: object) => t.inject({ method: 'POST', url: `/api/auth/${path}`, payload })
  for (const key of ['role', 'plan', 'emailVerified', 'workspaceId', '_id']) {
    const response = await post({ ...body, [key]: 'admin' })
    expect(response.statusCode).toBe(400)
    expect(response.body).toContain(`${key}`)
  }
  const large = await post({ ...body, padding: 'x'.repeat(10 * 1024 * 1024) })
  expect(large.statusCode).toBe(413)
  expect(
    (
      await t.inject({
        method: 'PATCH',
        url: '/api/account',
        headers: { authorization: `Bearer ${ada.token}` },
        payload: { role: 'admin' },
      })
    ).statusCode,
  ).toBe(400)
})
