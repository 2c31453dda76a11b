import { expect, test } from 'vitest'
import { claimsOf, isLive } from './session.ts'

const token = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

test('a token is live only while its exp, in seconds, is later than now', () => {
  expect(isLive(token({ exp: 1_000 }), 999_999)).toBe(true)
  expect(isLive(token({ exp: 1_000 }), 1_000_000)).toBe(false)
})

test('what has no exp, or is no token at all, is not live', () => {
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

test('claims are read as UTF-8', () => {
  expect(claimsOf(token({ _id: '7', name: 'Zoë 🐦' }))).toEqual({ _id: '7', name: 'Zoë 🐦' })
})
