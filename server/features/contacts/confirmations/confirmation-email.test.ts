import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainName } from './confirmation-email.ts'

test('confirmation email: links, addresses and phone numbers are removed from a name', () => {
  const cases: [string, string][] = [
    ['Weekly news', 'Weekly news'],
    ['Version 2.0 news', 'Version 2.0 news'],
    ['Your account is locked: https://evil.example/login now', 'Your account is locked: now'],
    ['Visit evil.example/x today', 'Visit today'],
    ['Visit evil。com and evil．com', 'Visit and'],
    ['Write to win@evil.example', 'Write to'],
    ['Call +1 (555) 010-9999', 'Call'],
    ['A\r\nBcc: somebody', 'A Bcc: somebody'],
    ['a\u202eb', 'a b'],
    ['https://evil.example', 'a list'],
    ['x'.repeat(500), 'x'.repeat(60)],
  ]
  for (const [name, wanted] of cases) expect(plainName(name, 'a list'), name).toBe(wanted)
})

test('confirmation email: any name becomes short and has no link', () => {
  const piece = fc.constantFrom('evil', '.', 'com', '://', 'http', '/', '@', ' ', '。', 'ｅ', '\n', '1', '-', 'é')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const name = plainName(pieces.join(''), 'a list')
      expect([...name].length).toBeLessThanOrEqual(60)
      expect(name).not.toMatch(/:\/\/|@|[a-z]\.[a-z]{2,}|[\r\n]/i)
    }),
  )
})
