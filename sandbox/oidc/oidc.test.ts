import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { startIssuer } from './oidc-sandbox.ts'

const log = createLog({ logLevel: 'silent' })
const publicUrl = 'http://localhost:3000'
const redirectUri = `${publicUrl}/api/auth/google/callback`
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
let dataDir: string
let sandbox: Awaited<ReturnType<typeof startIssuer>>
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'postlark-oidc-'))
  sandbox = await startIssuer({ dataDir, publicUrl }, log)
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const at = (path: string) => `${sandbox.settings.issuer}${path}`
const asked = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: sandbox.settings.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })
const authorize = (query: URLSearchParams) => fetch(`${at('/authorize')}?${query}`, { redirect: 'manual' })
const backFrom = (response: Response) => new URL(response.headers.get('location') ?? 'none:').searchParams

async function consent(query: URLSearchParams, form: Record<string, string>): Promise<Response> {
  const page = await (await authorize(query)).text()
  const id = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? ''
  return fetch(at('/authorize'), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ request: id, choice: 'allow', ...form }),
  })
}

const codeFor = async (more?: Record<string, string>) =>
  backFrom(await consent(asked(more), { email: 'ada@example.com', name: 'Ada Lovelace' })).get('code') ?? ''

async function exchange(form: Record<string, string>, secret = sandbox.settings.clientSecret) {
  const response = await fetch(at('/token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: sandbox.settings.clientId,
      client_secret: secret,
      ...form,
    }),
  })
  const body = (await response.json()) as Partial<Record<string, string>>
  return {
    ...body,
    scope: body.scope,
    idToken: body.id_token,
    refreshToken: body.refresh_token,
    accessToken: body.access_token,
    status: response.status,
  }
}

test('google emulator: a code returns a signed ID token and an access token for the user info', async () => {
  const tokens = await exchange({ code: await codeFor() })
  expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', scope: 'openid email profile' })
  expect(tokens.refreshToken).toBeUndefined()
  const { payload } = await jwtVerify(tokens.idToken ?? '', createRemoteJWKSet(new URL(at('/jwks'))), {
    issuer: sandbox.settings.issuer,
    audience: sandbox.settings.clientId,
  })
  const claims = {
    sub: expect.stringMatching(/^\d{21}$/),
    email: 'ada@example.com',
    email_verified: true,
    hd: 'example.com',
    name: 'Ada Lovelace',
  }
  expect(payload).toMatchObject({ ...claims, nonce: 'a nonce' })
  const headers = { authorization: `Bearer ${tokens.accessToken}` }
  expect(await (await fetch(at('/userinfo'), { headers })).json()).toEqual(claims)
  await fetch(at('/revoke'), { method: 'POST', body: new URLSearchParams({ token: tokens.accessToken ?? '' }) })
  expect((await fetch(at('/userinfo'), { headers })).status).toBe(401)
})

test('google emulator: a code works once, and only with its verifier, redirect URI and secret', async () => {
  const refused = { status: 400, error: 'invalid_grant' }
  const code = await codeFor()
  expect(await exchange({ code })).toMatchObject({ status: 200 })
  expect(await exchange({ code })).toMatchObject(refused)
  expect(await exchange({ code: await codeFor(), code_verifier: 'w'.repeat(43) })).toMatchObject(refused)
  expect(await exchange({ code: await codeFor(), redirect_uri: 'http://localhost:3000/' })).toMatchObject(refused)
  expect(await exchange({ code: await codeFor() }, 'wrong')).toMatchObject({ status: 401, error: 'invalid_client' })
  expect(await exchange({ grant_type: 'password' })).toMatchObject({ status: 400, error: 'unsupported_grant_type' })
})

test('google emulator: a request for offline access returns a refresh token for the granted scopes', async () => {
  const scope = 'openid email https://www.googleapis.com/auth/gmail.send'
  const tokens = await exchange({ code: await codeFor({ scope, access_type: 'offline' }) })
  expect(tokens.scope).toBe(scope)
  const again = await exchange({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken ?? '' })
  expect(again).toMatchObject({ status: 200, scope })
  expect(again.accessToken).not.toBe(tokens.accessToken)
})

test('google emulator: an unknown client or redirect URI gets a 400 without a redirect', async () => {
  const wrong: Record<string, string>[] = [
    { client_id: 'stranger' },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: `${redirectUri}/x` },
  ]
  for (const more of wrong) {
    const response = await authorize(asked(more))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  }
})

test.each([
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ scope: 'email' }, 'invalid_scope'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
  [{ code_challenge: '' }, 'invalid_request'],
  [{ prompt: 'none' }, 'login_required'],
])('google emulator: a request with %j returns the error %s to the application', async (more, error) => {
  const back = backFrom(await authorize(asked(more as Record<string, string>)))
  expect(Object.fromEntries(back)).toMatchObject({ error, state: 'a state', iss: sandbox.settings.issuer })
})

test('google emulator: the consent page shows the scopes, escapes markup and accepts one submission', async () => {
  const page = await (await authorize(asked({ login_hint: '"><script>x</script>' }))).text()
  expect(page).toContain('See your email address')
  expect(page).not.toContain('<script>')
  const form = { choice: 'deny', request: /name="request" value="([^"]+)"/.exec(page)?.[1] ?? '' }
  const response = () =>
    fetch(at('/authorize'), { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
  expect(backFrom(await response()).get('error')).toBe('access_denied')
  expect((await response()).status).toBe(400)
  const wrong = await consent(asked(), { email: 'no address' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Type an email address')])
})

test('google emulator: a request with a foreign Host header is refused with 421', async () => {
  const { port } = new URL(sandbox.settings.issuer)
  const status = await new Promise((resolve) => {
    request({ port, host: '127.0.0.1', path: '/authorize', headers: { host: 'evil.example' } }, (response) =>
      resolve(response.statusCode),
    ).end()
  })
  expect(status).toBe(421)
})

test('google emulator: a second process uses the first, and a restart has the same URL and keys', async () => {
  const second = await startIssuer({ dataDir, publicUrl }, log)
  expect(second.settings).toEqual(sandbox.settings)
  await second.stop()
  expect((await fetch(at('/jwks'))).status).toBe(200)
  const before = sandbox.settings
  await sandbox.stop()
  sandbox = await startIssuer({ dataDir, publicUrl }, log)
  expect(sandbox.settings).toEqual(before)
  const file = join(dataDir, 'sandbox/oidc.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8')).secret.length).toBeGreaterThanOrEqual(32)
})
