import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeEmail, normalizePhone } from './address.ts'

test('address: the local part is stored as written, the domain in ASCII, and both compare without case', () => {
  expect(normalizeEmail(' Anna.Lee@Example.COM ')).toEqual({
    address: 'Anna.Lee@example.com',
    key: 'anna.lee@example.com',
  })
  expect(normalizeEmail('post@Bücher.example')).toEqual({
    address: 'post@xn--bcher-kva.example',
    key: 'post@xn--bcher-kva.example',
  })
  expect(normalizeEmail('José@example.com')).toEqual({ address: 'José@example.com', key: 'josé@example.com' })
  expect(normalizeEmail("o'brien+news@example.co.uk")).toMatchObject({ key: "o'brien+news@example.co.uk" })
})

test.each([
  ['mailto:a@example.com?subject=Hi'],
  ['Ann Lee <a@example.com>'],
  ['"Lee, Ann" <a@example.com>'],
  ['<a@example.com>'],
  ['"a@example.com"'],
  ['“a@example.com”'],
  ["'a@example.com"],
  ['\u00a0a@example.com\u200b'],
  ['\ufeffa@example.com\t'],
  ['a@exam\u00adple.com'],
])('address: %j is read as a@example.com', (text) => {
  expect(normalizeEmail(text)).toMatchObject({ key: 'a@example.com' })
})

test.each([
  ['', 'there is no email address'],
  ['anna', 'has no @'],
  ['@example.com', 'nothing before the @'],
  ['a@', 'nothing after the @'],
  ['a@localhost', 'no dot'],
  ['a@@example.com', 'more than one @'],
  ['a@example.com, b@example.com', 'more than one email address'],
  ['a b@example.com', 'a space'],
  ['.a@example.com', 'a dot'],
  ['a..b@example.com', 'a dot'],
  ['a@-example.com', 'not a domain'],
  ['a@example..com', 'not a domain'],
  ['a@exa_mple.com', 'not a domain'],
  ['a@[127.0.0.1]', 'in brackets'],
  ['a@127.0.0.1', 'top-level domain'],
  ['a"b@example.com', 'not allowed'],
  ['a\r\nBcc: x@example.com', 'a space'],
  [`${'a'.repeat(65)}@example.com`, 'longer than 64'],
  [`a@${`${'b'.repeat(60)}.`.repeat(5)}com`, 'not a domain'],
  ['x'.repeat(2_000_000), 'too long'],
])('address: %j is refused with its reason', (text, reason) => {
  expect(normalizeEmail(text)).toEqual({ reason: expect.stringContaining(reason) })
})

test('address: an accepted address is one plain address and is read unchanged again', () => {
  const soup = fc.string({
    unit: fc.constantFrom('a', 'B', '@', '.', '-', '"', '<', '>', ',', '\r', '\n', ' ', 'ü', '\0', '('),
    maxLength: 14,
  })
  fc.assert(
    fc.property(
      fc.oneof(
        soup,
        fc.emailAddress(),
        fc.tuple(soup, fc.domain()).map((parts) => parts.join('@')),
      ),
      (text) => {
        const read = normalizeEmail(text)
        if ('reason' in read) return
        expect(read.address).toMatch(/^[^\s@<>(),;:"\\]+@[a-z0-9.-]+$/)
        expect(read.key).toBe(read.address.toLowerCase())
        expect(normalizeEmail(read.address)).toEqual(read)
      },
    ),
    { numRuns: 3_000 },
  )
})

test('address: phone numbers are normalized to E.164', () => {
  expect(normalizePhone('+49 (0)30 123456')).toEqual({ phone: '+4930123456' })
  expect(normalizePhone('0049 30 123456')).toEqual({ phone: '+4930123456' })
  expect(normalizePhone("'+91 98765 43210")).toEqual({ phone: '+919876543210' })
  expect(normalizePhone('030 123456', 'DE')).toEqual({ phone: '+4930123456' })
  expect(normalizePhone('030 123456')).toEqual({ reason: expect.stringContaining('no country code') })
  expect(normalizePhone('+49 1')).toEqual({ reason: expect.stringContaining('too few') })
  expect(normalizePhone('call me')).toEqual({ reason: 'the phone number has no digits' })
})
