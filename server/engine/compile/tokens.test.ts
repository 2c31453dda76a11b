import { createCipheriv, createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokens, readReturnAddress, signReturnAddress, type TokenPurpose } from '../index.ts'

const PURPOSES: TokenPurpose[] = ['open', 'click', 'unsubscribe', 'view', 'message', 'bounce', 'feedback']
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

test('token: the signature is AES-CMAC (NIST SP 800-38B) of the body under AES-256', () => {
  const key = Buffer.from(hkdfSync('sha256', 'one secret', '', 'postlark link tokens 2', 33)).subarray(0, 32)
  const encrypt = (block: bigint) => {
    const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(16))
    return BigInt(`0x${cipher.update(block.toString(16).padStart(32, '0'), 'hex', 'hex')}`)
  }
  const double = (block: bigint) => ((block << 1n) & ((1n << 128n) - 1n)) ^ (block >> 127n ? 0x87n : 0n)
  const bytes = Buffer.from(tokens.sign('view', '123456789', 0), 'base64url')
  const padded = BigInt(`0x${bytes.subarray(0, 13).toString('hex')}800000`)
  expect(BigInt(`0x${bytes.subarray(13).toString('hex')}`)).toBe(encrypt(padded ^ double(double(encrypt(0n)))))
})

test('token: several signed at once are those signed one by one', () => {
  const wanted = fc.array(fc.record({ purpose: fc.constantFrom(...PURPOSES), link: fc.nat(65535) }), { maxLength: 20 })
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), wanted, (id, wanted) => {
      expect(tokens.signAll(id.toString(), wanted)).toEqual(
        wanted.map(({ purpose, link }) => tokens.sign(purpose, id.toString(), link)),
      )
    }),
  )
})

test('token: one that was sent before version 2, with a truncated HMAC-SHA256, stays valid', () => {
  const old = Buffer.from(hkdfSync('sha256', 'one secret', '', 'postlark link tokens', 33))
  const body = Buffer.from([1, old[32] as number, 3, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0])
  const mac = createHmac('sha256', old.subarray(0, 32)).update(body).digest().subarray(0, 16)
  const token = Buffer.concat([body, mac])
  expect(tokens.verify(token.toString('base64url'))).toEqual({ purpose: 'unsubscribe', recipientId: '42', link: 0 })
  token[10] = 43
  expect(tokens.verify(token.toString('base64url'))).toBeNull()
})

test('token: signing an id or link number out of range throws a RangeError', () => {
  expect(() => tokens.sign('open', '-1')).toThrow(RangeError)
  expect(() => tokens.sign('open', (2n ** 63n).toString())).toThrow(RangeError)
  expect(() => tokens.sign('click', '1', 65536)).toThrow(RangeError)
})

test('return address: reading an address in any case returns what was signed, in a local part of at most 64 characters', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('bounce' as const, 'feedback' as const),
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      (purpose, id) => {
        const [local = '', host] = signReturnAddress(tokens, purpose, id.toString(), 'bounces.example.com').split('@')
        expect(local).toMatch(/^(bounce|feedback)-[a-z2-7]{47}$/)
        expect(local.length).toBeLessThanOrEqual(64)
        expect(host).toBe('bounces.example.com')
        expect(readReturnAddress(tokens, local)).toEqual({ purpose, id: id.toString() })
        expect(readReturnAddress(tokens, local.toUpperCase())).toEqual({ purpose, id: id.toString() })
      },
    ),
  )
})

test('return address: a changed character, another key or purpose, or random text is nobody’s', () => {
  const local = signReturnAddress(tokens, 'bounce', '42', 'h').slice(0, -2)
  for (let i = 0; i < local.length; i++)
    for (const char of ['a', 'b', '7', '-', '1', 'é'])
      if (local[i] !== char) expect(readReturnAddress(tokens, local.slice(0, i) + char + local.slice(i + 1))).toBeNull()
  expect(readReturnAddress(createTokens('another secret'), local)).toBeNull()
  expect(readReturnAddress(tokens, local.replace('bounce', 'feedback'))).toBeNull()
  expect(readReturnAddress(tokens, `bounce-${tokens.sign('message', '42')}`)).toBeNull()
  const words = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'), maxLength: 70 })
  fc.assert(fc.property(words, (text) => readReturnAddress(tokens, `bounce-${text}`) === null))
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readReturnAddress(tokens, text) === null))
})
