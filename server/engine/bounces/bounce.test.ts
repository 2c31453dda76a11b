import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { processorTime } from '#server/testing/processor-time.ts'
import { isAutomatic, looksBounced, readBounces } from '../index.ts'

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
])('bounce: a report with status %s and diagnostic "%s" is classified as %s', async (status, diagnostic, blame) => {
  const raw = report(
    `Final-Recipient: rfc822; Bob@Example.com\r\nAction: failed\r\nStatus: ${status}\r\nDiagnostic-Code: ${diagnostic}\r\n`,
  )
  expect(await readBounces(raw)).toMatchObject([{ class: blame, recipient: 'bob@example.com' }])
})

test('bounce: a report of a delayed or delivered message is no bounce', async () => {
  for (const action of ['delayed', 'delivered', 'relayed'])
    expect(
      await readBounces(report(`Final-Recipient: rfc822; a@b.example\r\nAction: ${action}\r\nStatus: 4.0.0\r\n`)),
    ).toEqual([])
})

test('bounce: an automatic reply is told from a personal one, and a bounce from both', () => {
  const heads = (fields: Record<string, string>) => new Map(Object.entries(fields))
  expect(isAutomatic(heads({ 'auto-submitted': 'auto-replied' }))).toBe(true)
  expect(isAutomatic(heads({ precedence: 'auto_reply' }))).toBe(true)
  expect(isAutomatic(heads({ 'auto-submitted': 'no', from: 'a@b.example' }))).toBe(false)
  expect(looksBounced(heads({ from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>' }))).toBe(true)
  expect(looksBounced(heads({ 'content-type': 'multipart/report; report-type=feedback-report' }))).toBe(false)
  expect(looksBounced(heads({ from: 'Ada <ada@example.com>' }))).toBe(false)
})

test('bounce: any text is parsed without an error, and responses are at most 500 characters long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => report(text).toString()),
      ),
      async (text) => {
        for (const bounce of await readBounces(Buffer.from(text)))
          expect(bounce.response.length).toBeLessThanOrEqual(500)
      },
    ),
    { numRuns: 100 },
  )
})

const long = (piece: string) => piece.repeat(1_000_000 / piece.length)
const plain = (text: string, type = 'text/plain') =>
  Buffer.from(`From: MAILER-DAEMON@x.example\r\nSubject: Failure\r\nContent-Type: ${type}\r\n\r\n${text}`)
test.each([
  ['a line without an end', plain(long('a'))],
  ['addresses in one another', plain(long('a@'))],
  ['tags that are never closed', plain(long('<a'), 'text/html')],
  ['one code again and again', plain(`550 unknown ${long('5.4.1 ')}`)],
  ['parts that begin and never come', plain(long('Content-Type: message/delivery-status\r\n'))],
  ['a recipient of a megabyte', report(`Final-Recipient: rfc822; ${long('a')}\r\nAction: failed`)],
  ['a reason of a megabyte', report(`Action: failed\r\nDiagnostic-Code: smtp; ${long('5.4.1 DNS Error ')}`)],
])('bounce: a report with %s takes less than five seconds', async (_, raw) => {
  // A second at most here; read over and over it would be minutes.
  expect(await processorTime(() => readBounces(raw))).toBeLessThan(5_000)
})

test('bounce: a report of empty lines takes less than a second and a half', async () => {
  expect(await processorTime(() => readBounces(plain(long('\n'))))).toBeLessThan(1_500)
})

test('bounce: a long From that resembles the mailer daemon takes less than five seconds', async () => {
  const look = () => expect(looksBounced(new Map([['from', `mailer-daemon${' '.repeat(200_000)}x`]]))).toBe(false)
  expect(await processorTime(look)).toBeLessThan(5_000)
})

/** Sixty messages as servers really sent them: see bounces/SOURCE.md for where they come from and their licenses. */
const folder = new URL('./', import.meta.url)
const { messages } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as {
  messages: { file: string; class: string; accept: string[]; recipients: { address: string; class: string }[] }[]
}
const NOT_A_BOUNCE = ['delayed', 'delivered', 'complaint', 'opt_out', 'auth_report', 'auto_reply', 'not_bounce']
/** Labeled soft, but it says itself that it is a warning only and that the email is tried for two more days. */
const ONLY_LATE = 'messages/sisimai-lhost-gmail-06.eml'

test.each(messages)('bounce: $file is classified as $class', async ({ file, class: expected, accept, recipients }) => {
  const raw = Buffer.from(readFileSync(new URL(file, folder), 'latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
  const { headers } = await PostalMime.parse(raw)
  const heads = new Map(headers.map(({ key, value }) => [key, value]))
  const found = looksBounced(heads) ? await readBounces(raw) : []
  if (expected === 'mixed')
    expect(found.map((one) => [one.recipient, one.class])).toEqual(recipients.map((one) => [one.address, one.class]))
  else if (file === ONLY_LATE || accept.some((one) => NOT_A_BOUNCE.includes(one))) expect(found).toEqual([])
  else expect(accept).toContain(found[0]?.class)
})
