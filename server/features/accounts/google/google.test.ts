import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { senders } from '#contracts/senders/senders.ts'
import { system } from '#contracts/system/system.ts'
import { sharedApp, type TestApp, testApp } from '#server/testing/app.ts'
import { googleVisitor } from '#server/testing/google.ts'

let t: TestApp
let visitor: ReturnType<typeof googleVisitor>
beforeAll(async () => {
  t = await sharedApp()
  visitor = googleVisitor(t)
})

const fetchUser = (token: string | null) => t.createClient(token ?? '')(accounts.user)

test('Google login: a new user gets an account and a workspace with a sender', async () => {
  const { answer: response, screen, token } = await visitor.signIn({ email: 'Grace@Example.com', name: 'Grace Hopper' })
  expect([response.status, screen.origin + screen.pathname]).toEqual([302, 'http://localhost:3000/oauth2/redirect'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await fetchUser(token)).toMatchObject({
    name: 'Grace Hopper',
    email: 'Grace@Example.com',
    role: 'user',
    currentPlan: 'free',
    authProvider: 'google',
    emailVerified: true,
  })
  expect((await t.createClient(token ?? '')(senders.list, { query: {} })).items).toHaveLength(1)
})

test('Google login: a known user gets the same account, even if the address is unverified now', async () => {
  const first = await fetchUser((await visitor.signIn({ email: 'back@example.com', name: 'Back' })).token)
  const again = await fetchUser((await visitor.signIn({ email: 'back@example.com', unverified: true })).token)
  expect(again._id).toBe(first._id)
})

test('Google login: every request has a new PKCE challenge, state and nonce, in an HttpOnly cookie', async () => {
  const [one, other] = [await visitor.leave(), await visitor.leave()]
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const [a, b] = [one.issuer.searchParams.get(name), other.issuer.searchParams.get(name)]
    expect(a?.length).toBeGreaterThanOrEqual(43)
    expect(a).not.toBe(b)
  }
  expect(Object.fromEntries(one.issuer.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: 'http://localhost:3000/api/auth/google/callback',
    scope: 'openid email profile',
  })
  const cookie = one.answer.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(one.issuer.searchParams.get(secret))
})

test('Google login: the cookie is secure and bound to the host over https', async () => {
  await using secure = await testApp({ environment: { PUBLIC_URL: 'https://mail.example.com' } })
  const answer = await secure.inject({ url: '/api/auth/google', headers: { host: 'mail.example.com' } })
  expect(answer.statusCode).toBe(302)
  expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-google_sign_in=.*; HttpOnly; SameSite=Lax; Secure$/)
})

test('Google login: a request to another host name is redirected to PUBLIC_URL', async () => {
  const answer = await t.inject({ url: '/api/auth/google', headers: { host: 'evil.example' } })
  expect(answer.headers.location).toBe('http://localhost:3000/api/auth/google?here=1')
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('Google login: a denial by the user is reported as access_denied', async () => {
  expect(await visitor.signIn({ deny: true })).toMatchObject({ token: null, error: 'access_denied' })
})

test('Google login: an unverified address gets no session, for a new or a known account', async () => {
  const known = await t.person()
  for (const email of ['nobody-yet@example.com', known.email]) {
    expect(await visitor.signIn({ email, unverified: true })).toMatchObject({
      token: null,
      error: 'authentication_failed',
    })
  }
})

test('Google login: a verified address is linked to its account, and the password still works', async () => {
  const person = await t.person()
  const { token } = await visitor.signIn({ email: person.email.toUpperCase() })
  expect(await fetchUser(token)).toMatchObject({ _id: person.id, authProvider: 'credentials' })
  await t.api(accounts.login, { body: { email: person.email, password: person.password } })
})

test('Google login: an unconfirmed account of a stranger loses its password when the owner logs in', async () => {
  const stranger = { name: 'Not Ada', email: 'ada.owner@example.com', password: 'the password of a stranger' }
  await t.api(accounts.signup, { body: stranger })
  const link = /token=([\w-]+)/.exec((await t.sink.mailTo(stranger.email)).text ?? '')?.[1] ?? ''
  const { token } = await visitor.signIn({ email: stranger.email, name: 'Ada Owner' })
  expect(await fetchUser(token)).toMatchObject({ name: 'Ada Owner', authProvider: 'google', emailVerified: true })
  const { email, password } = stranger
  await expect(t.api(accounts.login, { body: { email, password } })).rejects.toMatchObject({ status: 401 })
  await expect(t.api(accounts.verifyEmail, { body: { token: link } })).rejects.toMatchObject({ code: 'link_used' })
})

test('Google login: a callback works once, in the same browser and with its own state', async () => {
  const { cookie, issuer } = await visitor.leave()
  const query = await visitor.choose(issuer, { email: 'once@example.com' })
  const refused = { token: null, error: 'google_auth_failed' }
  expect(await visitor.comeBack(query, '')).toMatchObject(refused)
  expect(await visitor.comeBack(query, 'google_sign_in=v1.AAAA')).toMatchObject(refused)
  expect(await visitor.comeBack(query, (await visitor.leave()).cookie)).toMatchObject(refused)
  const edited = new URLSearchParams(query)
  edited.set('state', `${query.get('state')}x`)
  expect(await visitor.comeBack(edited, cookie)).toMatchObject(refused)
  const back = await visitor.comeBack(query, cookie)
  expect(back.token).not.toBeNull()
  expect(back.answer.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(await visitor.comeBack(query, cookie)).toMatchObject(refused)
})

test('Google login: a code of another login is refused', async () => {
  const [mine, theirs] = [await visitor.leave(), await visitor.leave()]
  const query = await visitor.choose(theirs.issuer, { email: 'victim@example.com' })
  query.set('state', mine.issuer.searchParams.get('state') ?? '')
  expect(await visitor.comeBack(query, mine.cookie)).toMatchObject({ token: null, error: 'google_oauth_failed' })
})

test('Google login: concurrent first logins of one user make one account', async () => {
  const results = await Promise.all([1, 2, 3].map(() => visitor.signIn({ email: 'twice@example.com' })))
  const ids = await Promise.all(results.map(async ({ token }) => (await fetchUser(token))._id))
  expect(new Set(ids).size).toBe(1)
})

test('Google login: a Google user can set a password by email', async () => {
  const email = 'later@example.com'
  await visitor.signIn({ email })
  await t.api(accounts.forgotPassword, { body: { email } })
  const token = /token=([\w-]+)/.exec((await t.sink.mailTo(email)).text ?? '')?.[1] ?? ''
  const password = 'seven larks over a field'
  await t.api(accounts.resetPassword, { body: { token, newPassword: password } })
  const login = await t.api(accounts.login, { body: { email, password } })
  expect(await fetchUser(login.token)).toMatchObject({ authProvider: 'credentials' })
  expect((await visitor.signIn({ email })).token).not.toBeNull()
})

test('Google login: without configuration in production its routes respond with 404', async () => {
  await using production = await testApp({
    environment: { NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(40), PUBLIC_URL: 'http://localhost:3000' },
  })
  expect((await production.api(system.info)).google).toBe(false)
  for (const url of ['/api/auth/google', '/api/auth/google/callback?code=x&state=y']) {
    const answer = await production.inject({ url })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'google_not_configured'])
  }
})
