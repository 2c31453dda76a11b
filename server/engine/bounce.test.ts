import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAutomatic, looksBounced, readBounce } from './bounce.ts'

const report = (fields: string) =>
  Buffer.from(
    `From: mailer-daemon@example.com\r\nSubject: Failure\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\n${fields}\r\n--b--\r\n`,
  )

test.each([
  ['5.1.1', 'smtp; 550 5.1.1 User unknown', 'hard'],
  ['5.2.2', 'smtp; 552 5.2.2 Mailbox full', 'soft'],
  ['5.7.1', 'smtp; 550 5.7.1 Blocked by Spamhaus', 'block'],
  ['5.4.4', 'X-Postfix; Host or domain name not found', 'hard'],
  ['5.4.1', 'smtp; 550 5.4.1 Recipient address rejected: Access denied', 'hard'],
  ['5.3.4', 'smtp; 552 5.3.4 Message size exceeds fixed limit', 'content'],
  ['4.4.7', 'smtp; 451 4.4.7 Delivery time expired', 'soft'],
])('a report with %s (%s) is %s', async (status, diagnostic, blame) => {
  const raw = report(
    `Final-Recipient: rfc822; Bob@Example.com\r\nAction: failed\r\nStatus: ${status}\r\nDiagnostic-Code: ${diagnostic}\r\n`,
  )
  expect(await readBounce(raw)).toMatchObject({ class: blame, recipient: 'bob@example.com' })
})

test('what is only late or did arrive is no bounce', async () => {
  for (const action of ['delayed', 'delivered', 'relayed'])
    expect(
      await readBounce(report(`Final-Recipient: rfc822; a@b.example\r\nAction: ${action}\r\nStatus: 4.0.0\r\n`)),
    ).toBe(null)
})

test('an automatic answer is told from a person’s, and a bounce from both', () => {
  const heads = (fields: Record<string, string>) => new Map(Object.entries(fields))
  expect(isAutomatic(heads({ 'auto-submitted': 'auto-replied' }))).toBe(true)
  expect(isAutomatic(heads({ precedence: 'auto_reply' }))).toBe(true)
  expect(isAutomatic(heads({ 'auto-submitted': 'no', from: 'a@b.example' }))).toBe(false)
  expect(looksBounced(heads({ from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>' }))).toBe(true)
  expect(looksBounced(heads({ 'content-type': 'multipart/report; report-type=feedback-report' }))).toBe(false)
  expect(looksBounced(heads({ from: 'Ada <ada@example.com>' }))).toBe(false)
})

test('whatever comes, reading it ends with an answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => report(text).toString()),
      ),
      async (text) => {
        const bounce = await readBounce(Buffer.from(text))
        if (bounce) expect(bounce.response.length).toBeLessThanOrEqual(500)
      },
    ),
    { numRuns: 100 },
  )
})
