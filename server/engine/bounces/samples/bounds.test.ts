import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '#server/testing/processor-time.ts'
import { readReport } from '../bounce.ts'
import { blame } from '../classify.ts'
import { inShort, notice, report } from './sample.ts'

const LINE = fc.constantFrom(
  ...['Final-Recipient: rfc822; bob@a.example', 'Action: failed', 'Status: 5.1.1', '<bob@a.example>: 550 User unknown'],
  ...[
    'Content-Type: message/delivery-status',
    '--part',
    '',
    'Received: from a by b',
    '>>> RCPT TO:<eve@a.example>',
    '<<< 550',
  ],
  ...[
    'Feedback-Type: abuse',
    '\u001b$B%f!<%6\u001b(B',
    'ä@ö',
    '=?utf-8?B?/w==?=',
    '\0',
    '\ud800',
    '----- Original message -----',
  ],
)

test('bounce: lines of reports in any order are read without an error, and responses are at most 500 characters long', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(LINE, fc.string()), { maxLength: 40 }),
      fc.boolean(),
      async (lines, isReport) => {
        const text = lines.join('\n')
        const raw = isReport ? report(text, text) : notice({ from: 'MAILER-DAEMON@a.example', subject: text, text })
        const found = await readReport(raw)
        if (found.kind !== 'bounce') return
        expect(found.bounces.length).toBeGreaterThan(0)
        for (const { response } of found.bounces) expect(response.length).toBeLessThanOrEqual(500)
      },
    ),
    { numRuns: 150 },
  )
})

const FIELDS =
  'Reporting-MTA: dns; a.example\n\nFinal-Recipient: rfc822; bob@a.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user here\n'
const WORDS =
  'Your message could not be delivered.\n\n<bob@a.example>: host a.example said: 550 5.1.1 no such user here\n<eve@a.example>: host a.example said: 552 mailbox full\n'

test('bounce: a report says the same with other line ends, folded, encoded and in another charset', async () => {
  const raws = [report('', FIELDS), notice({ from: 'MAILER-DAEMON@a.example', subject: 'failure notice', text: WORDS })]
  for (const raw of raws) {
    const expected = await inShort(raw)
    const text = raw.toString('utf8')
    const encoded = Buffer.from(text.slice(text.indexOf('\n\n') + 2)).toString('base64')
    const variants = [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `From MAILER-DAEMON Tue Nov 24 10:00:00 2026\n${text}`,
      text.replaceAll(/(Diagnostic-Code|Final-Recipient|Subject|From): /g, '$1:\n\t'),
      text.replace(/charset=utf-8/g, 'charset="iso-8859-1"'),
      text.replaceAll('Final-Recipient', 'FINAL-RECIPIENT').replaceAll('Action', 'action'),
    ]
    if (!text.includes('--part'))
      variants.push(text.replace('8bit', 'base64').replace(/\n\n[\s\S]*$/, `\n\n${encoded}\n`))
    for (const variant of variants) expect(await inShort(Buffer.from(variant)), variant).toEqual(expected)
  }
})

const long = (piece: string, bytes = 1_000_000) => piece.repeat(Math.ceil(bytes / piece.length))
const daemon = (text: string, type = 'text/plain') =>
  notice({ from: 'MAILER-DAEMON@a.example', subject: 'failure notice', text, type })

test.each([
  ['addresses', daemon(long('<bob@a.example>: 550 unknown\n'))],
  ['different addresses', daemon(Array.from({ length: 40_000 }, (_, n) => `b${n}@a.example`).join('\n'))],
  ['addresses in one line', daemon(long('bob@a.example, '))],
  ['dots', daemon(long('a@a.a.a.a.a.'))],
  ['at signs', daemon(long('@'))],
  ['one word', daemon(long('mailbox '))],
  ['the beginnings of phrases', daemon(`bob@a.example: ${long('sender address recipient user mailbox no such ')}`)],
  ['Japanese', daemon(long('メールボックスが'))],
  ['headers', daemon(long('To: bob@a.example\nSubject: x\n'))],
  ['open tags', daemon(long('<p <br <div '), 'text/html')],
  ['styles', daemon(long('<style>'), 'text/html')],
  ['status blocks', report('', long('Final-Recipient: rfc822; bob@a.example\nAction: failed\nStatus: 5.1.1\n\n'))],
  ['folded lines', report('', `Diagnostic-Code: smtp;${long('\n 550 ')}\nFinal-Recipient: rfc822; b@a.example`)],
  [
    'parts',
    Buffer.from(
      `Content-Type: multipart/report; boundary=b\n\n${long('--b\nContent-Type: message/delivery-status\n\n')}`,
    ),
  ],
  ['parts within parts', Buffer.from(long('Content-Type: multipart/mixed; boundary=b\n\n--b\n'))],
  ['20 MB', report('', `${FIELDS}\nX: ${long('returned ', 20_000_000)}`)],
])('bounce: a report full of %s takes less than five seconds', async (_, raw) => {
  // A second at most here; where time grew with the square of the length it would be minutes.
  expect(await processorTime(() => readReport(raw))).toBeLessThan(5_000)
})

test('classify: a reply of any words takes a bounded time', async () => {
  const replies = ['sender ', 'no such ', 'mailbox … ', 'не ', '不', 'quota is ', 'a@a ', '((', '550 5.1.1 '].map(
    (word) => long(word),
  )
  expect(await processorTime(() => replies.forEach((reply) => void blame(550, null, reply)))).toBeLessThan(5_000)
})
