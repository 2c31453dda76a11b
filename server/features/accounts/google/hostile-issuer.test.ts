import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { googleVisitor } from '#server/testing/google.ts'
import { LIES, startHostileIssuer } from './hostile-issuer.fixture.ts'

const client = { id: 'postlark', secret: 'a client secret of forty characters or so' }
const issuer = await startHostileIssuer(client)
let t: TestApp
let visitor: ReturnType<typeof googleVisitor>
beforeAll(async () => {
  t = await testApp({
    environment: { GOOGLE_ISSUER: issuer.url, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret },
  })
  visitor = googleVisitor(t)
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await issuer.stop()
})

/** Leaves for the issuer, and comes back with a code it will answer as told. */
async function signIn(lie: Parameters<typeof issuer.will>[0], claims: Record<string, unknown> = {}) {
  issuer.will('honest')
  const { cookie, issuer: address } = await visitor.leave()
  issuer.will(lie, address.searchParams.get('nonce') ?? '', claims)
  return visitor.comeBack(
    new URLSearchParams({ code: 'a code', state: address.searchParams.get('state') ?? '' }),
    cookie,
  )
}

test.each(['discovery of another', 'discovery fails'] as const)('issuer: with "%s" no login starts', async (lie) => {
  issuer.will(lie)
  const { answer: response, cookie, issuer: address } = await visitor.leave()
  expect([response.status, address.searchParams.get('error'), cookie]).toEqual([302, 'google_auth_failed', ''])
})

test('issuer: a correct response logs in', async () => {
  const { token } = await signIn('honest')
  expect(await t.createClient(token ?? '')(accounts.user)).toMatchObject({ email: 'admin@example.com', role: 'admin' })
})

test.each(LIES)('issuer: the fault "%s" gives no session', async (lie) => {
  expect(await signIn(lie)).toMatchObject({ token: null, error: 'google_oauth_failed' })
})

test.each([
  { email_verified: 'true' },
  { email_verified: 1 },
  { email_verified: false },
  { email: undefined },
  { email: ['admin@example.com'] },
  { email: 'admin@example.com\n, other@example.com' },
  { email: `${'x'.repeat(300)}@example.com` },
])('issuer: claims without a verified address (%j) give no session', async (claims) => {
  expect(await signIn('honest', { sub: '2', ...claims })).toMatchObject({ token: null, error: 'authentication_failed' })
})

test('issuer: a name of any shape becomes one line of at most 80 characters', async () => {
  const name = `Eve\r\nBcc: all@example.com ${'🐦'.repeat(100)}`
  const { token } = await signIn('honest', { sub: '3', email: 'eve@example.com', name })
  const user = await t.createClient(token ?? '')(accounts.user)
  expect(user.name).toMatch(/^Eve Bcc: all@example\.com 🐦+$/u)
  expect(Array.from(user.name)).toHaveLength(80)
})

test('issuer: a denial is reported as access_denied, and any other error as a failure', async () => {
  for (const [said, told] of [
    ['access_denied', 'access_denied'],
    ['server_error', 'google_oauth_failed'],
    ['temporarily_unavailable', 'google_oauth_failed'],
  ] as const) {
    const { cookie, issuer: address } = await visitor.leave()
    const state = address.searchParams.get('state') ?? ''
    const back = await visitor.comeBack(new URLSearchParams({ error: said, state }), cookie)
    expect(back).toMatchObject({ token: null, error: told })
  }
})

test('issuer: a response that never comes is given up', async () => {
  expect(await signIn('slow')).toMatchObject({ token: null, error: 'google_oauth_failed' })
})

test('issuer: one that is down is reported at once, and the next login tries again', async () => {
  const { url } = issuer
  await using down = await testApp({
    environment: { GOOGLE_ISSUER: 'http://127.0.0.1:9', GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' },
  })
  const { answer: response, issuer: screen } = await googleVisitor(down).leave()
  expect([response.status, screen.searchParams.get('error')]).toEqual([302, 'google_auth_failed'])
  issuer.will('discovery fails')
  await using flaky = await testApp({
    environment: { GOOGLE_ISSUER: url, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret },
  })
  const person = googleVisitor(flaky)
  expect((await person.leave()).issuer.searchParams.get('error')).toBe('google_auth_failed')
  issuer.will('honest')
  expect((await person.leave()).issuer.origin).toBe(url)
})
