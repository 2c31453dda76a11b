import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeEmail } from '#server/features/contacts/address.ts'
import { Email } from './accounts/accounts.ts'
import { asciiDomain, isEmailAddress, parseAddress } from './email-address.ts'

const REFUSED = [
  'a@b..de',
  'a@.de',
  'a@b.de.',
  'a@-b.de',
  'a@b-.de',
  'a..b@c.de',
  '.a@c.de',
  'a.@c.de',
  'a@b_c.de',
  'a@b.d',
  'a@localhost',
  'a@1.2.3.4',
  'a@b.0x10',
  'a@b.de:25',
  'a@%62.de',
  'a b@c.de',
  'a\u200b@c.de',
  'a@c.de\r\nBcc: x@example.com',
  '"a b"@c.de',
  'a@[127.0.0.1]',
  'a@b@c.de',
  `${'a'.repeat(65)}@c.de`,
]
const ACCEPTED: [string, string][] = [
  ["o'Brien+tag@Example.COM", "o'Brien+tag@example.com"],
  ['jörg@bücher.de', 'jörg@xn--bcher-kva.de'],
  ['用户@例子.公司', '用户@xn--fsqu00a.xn--55qx5d'],
  ['a@b.museum', 'a@b.museum'],
  ['a@sub.b--c.co.uk', 'a@sub.b--c.co.uk'],
]

test('email address: the contract, imports and the engine accept and refuse the same addresses', () => {
  for (const text of REFUSED) {
    expect([text, Email.safeParse(text).success, isEmailAddress(text)]).toEqual([text, false, false])
  }
  for (const [text, address] of ACCEPTED) {
    expect(Email.parse(` ${text} `)).toBe(text)
    expect(parseAddress(text)?.address).toBe(address)
    expect(normalizeEmail(text)).toMatchObject({ address })
  }
})

const char = fc.constantFrom(...'aZ09.-_+@%:/[]\u00fc\u4f8b\u0000\u200d \u3002\ud83d\ude00xn--'.split(''))
const text = fc.oneof(
  fc.string({ unit: char, maxLength: 20 }),
  fc.tuple(fc.string({ unit: char, maxLength: 8 }), fc.domain()).map((parts) => parts.join('@')),
  fc.emailAddress(),
)

test('email address: any address the contract accepts is read by imports in the same stable form', () => {
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseAddress(given)
      const read = normalizeEmail(given)
      // A sheet writes an apostrophe before a text; an import takes it off.
      if (isEmailAddress(given) && !given.startsWith("'")) expect(read).toMatchObject({ address: parsed?.address })
      if ('address' in read) expect(isEmailAddress(read.address)).toBe(true)
      if (!parsed) return
      expect(parsed.address).toMatch(/^[^\s@<>(),;:"\\]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/)
      expect(parseAddress(parsed.address)).toEqual(parsed)
      expect(domainToASCII(parsed.domain)).toBe(parsed.domain)
    }),
    { numRuns: 3_000 },
  )
})

test('email address: the fast conversion of a plain domain matches the URL standard', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ0x9.-'), maxLength: 12 }), (domain) => {
      const short = asciiDomain(domain)
      if (short !== null) expect(domainToASCII(domain)).toBe(short)
    }),
    { numRuns: 2_000 },
  )
})
