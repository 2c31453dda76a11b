import { afterEach, expect, test } from 'vitest'
import { finishSignIn } from './callback.ts'

const unsigned = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
const FUTURE = 9_999_999_999
const REFUSED = {
  status: 401,
  body: '{"error":"This token is not ours.","message":"This token is not ours.","code":"x"}',
}

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
})

/** How a sign-in ends where the server gives this response; null is a server that is not there. */
function finish(token: string | null, error: string | null, response: { status: number; body: string } | null) {
  globalThis.fetch = async () => {
    if (!response) throw new TypeError('Failed to fetch')
    return new Response(response.body, { status: response.status, headers: { 'content-type': 'application/json' } })
  }
  return finishSignIn({ token, error })
}

test.each([
  ['access_denied', 'You denied access to your Google account. Please try again.'],
  ['token_generation_failed', 'Failed to generate authentication token. Please try again.'],
  ['user_creation_failed', 'Failed to create user account. Please try again.'],
  ['google_auth_failed', 'Google sign-in could not be started or took too long. Please try again.'],
  ['google_oauth_failed', 'Google did not confirm the sign-in. Nothing was changed. Please try again.'],
  [
    'authentication_failed',
    'This Google account can’t log in here. Its email address is not verified, or the account is suspended.',
  ],
  ['flux_capacitor', 'Authentication error: flux_capacitor. Please try again.'],
  ['toString', 'Authentication error: toString. Please try again.'],
  ['<b>bold</b>', 'Authentication error: <b>bold</b>. Please try again.'],
])('google callback: the error %s shows its message, even where a token came with it', async (code, message) => {
  expect(await finish(unsigned({ _id: '1', exp: FUTURE }), code, null)).toEqual({ message })
})

test.each([
  [null, 'No authentication token received. Please try again.', null],
  ['', 'No authentication token received. Please try again.', null],
  ['two.parts', 'This token is not ours.', REFUSED],
  [unsigned({ _id: '1', exp: 1_000 }), 'This token is not ours.', REFUSED],
  [unsigned({ exp: FUTURE }), 'This token is not ours.', REFUSED],
  [unsigned({ _id: '1' }), 'This token is not ours.', REFUSED],
  [unsigned({ _id: '', exp: FUTURE }), 'This token is not ours.', REFUSED],
  ['two.parts', 'Token validation failed', { status: 502, body: '<h1>Bad Gateway</h1>' }],
  ['two.parts', 'Token validation failed', { status: 401, body: '{"error":"","message":"","code":"x"}' }],
  ['two.parts', 'Authentication failed. Please try again.', { status: 200, body: '{}' }],
  ['two.parts', 'Authentication failed. Please try again.', null],
])('google callback: the token %s ends with the message: %s', async (token, message, response) => {
  expect(await finish(token, null, response)).toEqual({ message })
})

test.each([
  ['fails', { status: 503, body: 'no' }],
  ['refuses', REFUSED],
  ['is not there', null],
])('google callback: where the server %s, a token that looks valid is accepted for now', async (_, response) => {
  const token = unsigned({ _id: 42, exp: FUTURE, name: 'Grace', email: 7, role: 'admin' })
  expect(await finish(token, null, response)).toEqual({
    token,
    user: { _id: '42', authProvider: 'google', name: 'Grace' },
    leaveAfter: 1_500,
  })
})
