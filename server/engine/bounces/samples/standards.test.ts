import { expect, test } from 'vitest'
import { isAutomatic, readBounces } from '../bounce.ts'
import { inShort, notice, report } from './sample.ts'

const PER_MESSAGE = 'Reporting-MTA: dns; mx.receiver.example\nArrival-Date: Tue, 24 Nov 2026 10:00:00 +0000\n'
const status = (...blocks: string[]) => report('See below.', [PER_MESSAGE, ...blocks].join('\n'))
const recipient = (address: string, action: string, code: string, diagnostic = '') =>
  `Final-Recipient: rfc822; ${address}\nAction: ${action}\nStatus: ${code}\n${diagnostic && `Diagnostic-Code: smtp; ${diagnostic}\n`}`

test('bounce: each recipient of a report is judged by what is said of it, and only those that failed', async () => {
  const raw = status(
    recipient('bob@receiver.example', 'failed', '5.1.1', '550 5.1.1 User unknown'),
    recipient('eve@receiver.example', 'failed (over quota)', '5.2.2 (mailbox full)'),
    recipient('kim@receiver.example', 'delayed', '4.4.1'),
    recipient('lee@receiver.example', 'relayed', '2.1.9'),
    recipient('max@receiver.example', 'expanded', '2.0.0'),
    recipient('ned@receiver.example', 'Failure', '5.7.1', '550 5.7.1 Rejected by DMARC policy of sender.example'),
  )
  expect(await inShort(raw)).toEqual([
    'bob@receiver.example hard',
    'eve@receiver.example soft',
    'ned@receiver.example block',
  ])
})

test.each([
  ['delayed', ['delayed']],
  ['delivered', ['delivered']],
  ['relayed', ['delivered']],
  ['expanded', ['delivered']],
  ['deliverable', ['delivered']],
])('bounce: a report with the action "%s" is no bounce', async (action, expected) => {
  expect(await inShort(status(recipient('bob@receiver.example', action, '2.0.0')))).toEqual(expected)
})

test('bounce: a report tells who failed and who was written to', async () => {
  const forwarded = `Original-Recipient: rfc822;alias@receiver.example\n${recipient('bob@other.example', 'failed', '5.1.1')}`
  expect(await readBounces(status(forwarded))).toMatchObject([
    { recipient: 'bob@other.example', original: 'alias@receiver.example' },
  ])
  const local = `Original-Recipient: rfc822;bob@receiver.example\n${recipient('bob@mailstore', 'failed', '5.1.1')}`
  expect(await readBounces(status(local))).toMatchObject([{ recipient: 'bob@receiver.example', original: null }])
  const actual =
    'Final-Recipient: LOCAL;<bob>\nX-Actual-Recipient: rfc822; bob@receiver.example\nAction: failed\nStatus: 5.1.1\n'
  expect(await readBounces(status(actual))).toMatchObject([{ recipient: 'bob@receiver.example' }])
})

test.each([
  [
    'without blank lines between recipients',
    status(`${recipient('bob@a.example', 'failed', '5.1.1')}${recipient('eve@a.example', 'failed', '5.2.2')}`),
    ['bob@a.example hard', 'eve@a.example soft'],
  ],
  [
    'with a blank line within a recipient',
    status('Final-Recipient: rfc822; bob@a.example\n\nAction: failed\nStatus: 5.1.1\n'),
    ['bob@a.example hard'],
  ],
  [
    'with the action above the recipient',
    status('Action: failed\n\nFinal-Recipient: rfc822; bob@a.example\nStatus: 5.1.1\n'),
    ['bob@a.example hard'],
  ],
  [
    'with a recipient twice, once living',
    status(recipient('bob@a.example', 'failed', '5.1.1'), recipient('bob@a.example', 'failed', '5.2.2')),
    ['bob@a.example soft'],
  ],
  [
    'with a folded reason',
    status(
      'Final-Recipient: rfc822;\n bob@a.example\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp;\n 550 no\n such\n user\n',
    ),
    ['bob@a.example hard'],
  ],
  [
    'with a reason that is an address only',
    status(recipient('bob@a.example', 'failed', '5.0.0', '550 <bob@a.example>')),
    ['bob@a.example soft'],
  ],
  ['without a status', status('Final-Recipient: rfc822; bob@a.example\nAction: failed\n'), ['bob@a.example soft']],
])('bounce: a report %s is read', async (_, raw, expected) => {
  expect(await inShort(raw)).toEqual(expected)
})

test.each([
  ['553 5.1.8 Domain of sender address ada@sender.example does not exist'],
  ['550 5.1.1 <ada@sender.example>: no such user'],
  ['550 The domain sender.example does not exist'],
  ['550 5.7.27 Sender address has null MX'],
  ['550 Your account has been disabled'],
  ['550 5.1.1 Too many unknown users'],
  ['550 You are not a subscriber of this list'],
  ['550 Unknown host name in HELO'],
  ['550 Sending from this account has been suspended'],
  ['554 User unknown (in reply to MAIL FROM command)'],
  ['550-Verification failed for <ada@sender.example> 550-No Such User Here 550 Sender verify failed'],
  ['550 5.1.1 Message blocked: your IP address is not found in the reverse DNS'],
])('bounce: "%s" is about the sender, and no address is called hard by it', async (reply) => {
  expect(await inShort(status(recipient('bob@a.example', 'failed', '5.0.0', reply)))).toEqual(['bob@a.example block'])
})

test('bounce: an internationalized report is read (RFC 6533)', async () => {
  const address = 'utf-8; \\x{4E8C}\\x{90CE}@\\x{4F8B}.example'
  const fields = `${PER_MESSAGE}\nFinal-Recipient: ${address}\nAction: failed\nStatus: 5.1.1\n`
  expect(await inShort(report('', fields, 'global-delivery-status'))).toEqual(['二郎@例.example hard'])
  const plain = `${PER_MESSAGE}\nFinal-Recipient: utf-8; 二郎@例.example\nAction: failed\nStatus: 5.1.1\n`
  expect(await inShort(report('', plain, 'global-delivery-status'))).toEqual(['二郎@例.example hard'])
})

test('bounce: a report whose parts are not marked is read by its words', async () => {
  const text = `It was not delivered.\n\n${PER_MESSAGE}\n${recipient('bob@a.example', 'failed', '5.1.1')}\n`
  expect(await inShort(notice({ from: 'MAILER-DAEMON@a.example', subject: 'Returned mail', text }))).toEqual([
    'bob@a.example hard',
  ])
})

const feedback = (type: string, more = '') =>
  report(
    'This is an email abuse report.',
    `Feedback-Type: ${type}\nUser-Agent: Loop/1.0\nVersion: 1\n${more}`,
    'feedback-report',
  )

test.each([
  ['abuse', ['complaint', 'bob@a.example', 'eve@a.example']],
  ['fraud', ['complaint', 'bob@a.example', 'eve@a.example']],
  ['other', ['complaint', 'bob@a.example', 'eve@a.example']],
  ['opt-out', ['opt_out', 'bob@a.example', 'eve@a.example']],
  ['not-spam', ['not_spam', 'bob@a.example', 'eve@a.example']],
  ['virus', ['virus_report', 'bob@a.example', 'eve@a.example']],
  ['auth-failure', ['auth_report', 'bob@a.example', 'eve@a.example']],
])('feedback: a report of the type "%s" is what it says (RFC 5965)', async (type, expected) => {
  const rcpt = 'Original-Rcpt-To: <bob@a.example>\nOriginal-Rcpt-To: eve@a.example\n'
  expect(await inShort(feedback(type, rcpt))).toEqual(expected)
})

test('feedback: a report that hides the recipient names nobody', async () => {
  expect(await inShort(feedback('abuse', 'Original-Rcpt-To: redacted\n'))).toEqual(['complaint'])
})

test('feedback: a junk mail report of Microsoft names who is in the returned email', async () => {
  const raw = Buffer.from(
    'From: staff@hotmail.example\nTo: ada@sender.example\nSubject: complaint about message from 192.0.2.1\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: bob@hotmail.example\nFrom: ada@sender.example\nSubject: News\n\nText\n--b--\n',
  )
  expect(await inShort(raw)).toEqual(['complaint', 'bob@hotmail.example'])
})

test('receipt: a disposition notification is no bounce, except where a server rejects with it', async () => {
  const fields =
    'Reporting-UA: mail; Mail\nFinal-Recipient: rfc822; bob@a.example\nDisposition: manual-action/MDN-sent-manually; displayed\n'
  expect(await inShort(report('Your message was displayed.', fields, 'disposition-notification'))).toEqual(['receipt'])
  const rejected = fields.replace(
    'manual-action/MDN-sent-manually; displayed',
    'automatic-action/MDN-sent-automatically; deleted',
  )
  const raw = report(
    'Your message to <bob@a.example> was automatically rejected:\nQuota exceeded',
    rejected,
    'disposition-notification',
    'Auto-Submitted: auto-replied (rejected)\n',
  )
  expect(await inShort(raw)).toEqual(['bob@a.example soft'])
})

const answer = (headers: string, subject = 'Re: News') =>
  notice({
    from: 'Bob <bob@a.example>',
    subject,
    headers,
    text: 'I am away until Monday. The user unknown band plays on Friday.\n',
  })

test.each([
  ['Auto-Submitted', answer('Auto-Submitted: auto-replied\n')],
  ['Precedence', answer('Precedence: auto_reply\n')],
  ['X-Autoreply', answer('X-Autoreply: yes\n')],
  ['X-Auto-Response-Suppress', answer('X-Auto-Response-Suppress: All\n')],
  ['a subject of Exchange', answer('', 'Automatic reply: News')],
  ['a German subject', answer('', 'Abwesenheitsnotiz: News')],
  ['an encoded Japanese subject', answer('', '=?utf-8?B?6Ieq5YuV5b+c562U?=: News')],
])('reply: an automatic one is told by %s', async (_, raw) => {
  expect(await inShort(raw)).toEqual(['auto_reply'])
})

test('reply: an answer of a person is none of these, whatever it quotes', async () => {
  expect(await inShort(answer(''))).toEqual(['none'])
  const quoting = 'Did you see this?\n\n> <bob@a.example>: 550 5.1.1 User unknown\n> Action: failed\n'
  expect(
    await inShort(notice({ from: 'Bob <bob@a.example>', subject: 'Re: Undeliverable: News', text: quoting })),
  ).toEqual(['none'])
})

test('reply: a server that asks the sender to prove that they are a person is an automatic one', async () => {
  const text =
    'This account is protected. Please click on the following link to have your address added to the allowed list:\nhttps://challenge.example/1\n'
  const raw = notice({ from: 'bob@a.example', subject: 'Re: News', headers: 'Auto-Submitted: auto-replied\n', text })
  expect(await inShort(raw)).toEqual(['auto_reply'])
  expect(isAutomatic(new Map([['auto-submitted', 'auto-replied']]))).toBe(true)
})

test.each([
  [
    'Exim',
    'Warning: message 1abc delayed 24 hours',
    'A message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\n  bob@a.example\n    Delay reason: connection refused\n\nNo action is required on your part.',
  ],
  [
    'sendmail',
    'Warning: could not send message for past 4 hours',
    '    **********************************************\n    **      THIS IS A WARNING MESSAGE ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n    **********************************************\n\n   ----- The following addresses had transient non-fatal errors -----\n<bob@a.example>\n',
  ],
  [
    'Gmail',
    'Delivery Status Notification (Delay)',
    'Delivery to the following recipient has been delayed:\n\n     bob@a.example\n\nMessage will be retried for 2 more day(s)',
  ],
])('bounce: a warning of %s that an email is late is no bounce', async (_, subject, text) => {
  expect(await inShort(notice({ from: 'MAILER-DAEMON@a.example', subject, text }))).toEqual(['delayed'])
})

test('bounce: an address that only the returned email names did not fail', async () => {
  const text =
    'Your message could not be delivered.\n\n<bob@a.example>: user unknown\n\n------ This is a copy of the message. ------\n%RETURNED%'
  expect(await inShort(notice({ from: 'MAILER-DAEMON@a.example', subject: 'failure notice', text }))).toEqual([
    'bob@a.example hard',
  ])
})
