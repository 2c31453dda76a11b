import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokens, type TokenPurpose } from '../index.ts'

const PURPOSES: TokenPurpose[] = ['open', 'click', 'unsubscribe', 'view', 'message']
const tokens = createTokens('one secret')

test('token: verifying a token returns exactly what was signed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PURPOSES),
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      fc.nat(65535),
      (purpose, id, link) => {
        const token = tokens.sign(purpose, id.toString(), link)
        expect(token).toMatch(/^[\w-]{39}$/)
        expect(tokens.verify(token)).toEqual({ purpose, recipientId: id.toString(), link })
      },
    ),
  )
})

test('token: a changed character, another key or random text does not verify', () => {
  const token = tokens.sign('click', '42', 3)
  for (let i = 0; i < token.length; i++) {
    for (const char of ['A', 'B', 'z', '_', '=', ' ']) {
      if (token[i] !== char) expect(tokens.verify(token.slice(0, i) + char + token.slice(i + 1))).toBeNull()
    }
  }
  expect(createTokens('another secret').verify(token)).toBeNull()
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => tokens.verify(text) === null))
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 29, maxLength: 29 }),
      (bytes) => tokens.verify(Buffer.from(bytes).toString('base64url')) === null,
    ),
  )
})

test('token: a token of the previous key verifies after a rotation', () => {
  const old = tokens.sign('unsubscribe', '42')
  const rotated = createTokens('new secret', 'one secret')
  expect(rotated.verify(old)).toMatchObject({ recipientId: '42' })
  expect(tokens.verify(rotated.sign('unsubscribe', '42'))).toBeNull()
})

test('token: the signature is HMAC-SHA256 (RFC 2104) of the body, truncated to 16 bytes', () => {
  const key = Buffer.from(hkdfSync('sha256', 'one secret', '', 'postlark link tokens', 33)).subarray(0, 32)
  const bytes = Buffer.from(tokens.sign('view', '123456789', 0), 'base64url')
  expect(bytes.subarray(13)).toEqual(createHmac('sha256', key).update(bytes.subarray(0, 13)).digest().subarray(0, 16))
})

test('token: signing an id or link number out of range throws a RangeError', () => {
  expect(() => tokens.sign('open', '-1')).toThrow(RangeError)
  expect(() => tokens.sign('open', (2n ** 63n).toString())).toThrow(RangeError)
  expect(() => tokens.sign('click', '1', 65536)).toThrow(RangeError)
})
