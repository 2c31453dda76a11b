import { expect, test } from 'vitest'
import { decodeClaims, isLive } from './session.ts'

const token = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

test('session: a token is live until the second of its exp', () => {
  expect(isLive(token({ exp: 1_000 }), 999_999)).toBe(true)
  expect(isLive(token({ exp: 1_000 }), 1_000_000)).toBe(false)
})

test('session: a token without a numeric exp, or an invalid one, is not live', () => {
  for (const value of [
    null,
    '',
    'garbage',
    'a.b.c',
    token({}),
    token({ exp: '9999999999' }),
    token(null),
    token([1]),
  ]) {
    expect(isLive(value, 0)).toBe(false)
  }
})

test('session: the claims of a token are read as UTF-8', () => {
  expect(decodeClaims(token({ _id: '7', name: 'Zoë 🐦' }))).toEqual({ _id: '7', name: 'Zoë 🐦' })
})
