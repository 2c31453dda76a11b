import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asksToSlowDown, classify, parseAddress } from '../index.ts'

test.each([
  [250, '2.0.0 OK 1234 queued', 'sent', null],
  [550, '5.1.1 The email account that you tried to reach does not exist.', 'failed', 'hard'],
  [550, '5.1.2 Host unknown', 'failed', 'hard'],
  [550, 'No such user here', 'failed', 'hard'],
  [554, "delivery error: dd This user doesn't have a yahoo.com account", 'failed', 'hard'],
  [556, 'null MX', 'failed', 'hard'],
  [550, '5.2.1 The email account that you tried to reach is disabled.', 'failed', 'hard'],
  [
    550,
    '5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
    'failed',
    'soft',
  ],
  [552, '5.2.2 Mailbox full', 'failed', 'soft'],
  [452, '4.2.2 The email account is over quota', 'deferred', 'soft'],
  [450, '4.2.1 receiving mail too quickly', 'deferred', 'soft'],
  [451, '4.7.1 Greylisting in action, please come back later', 'deferred', 'soft'],
  [450, '4.7.1 try again', 'deferred', 'soft'],
  [421, '4.7.28 Gmail has detected an unusual rate of unsolicited mail', 'deferred', 'block'],
  [421, '4.3.2 Service shutting down', 'deferred', 'soft'],
  [550, '5.7.1 Service unavailable; client host blocked using Spamhaus', 'failed', 'block'],
  [550, '5.7.515 Access denied, sending domain does not meet the required authentication level', 'failed', 'block'],
  [550, 'SC-001 (BAY0-MC4) Unfortunately, messages from 1.2.3.4 weren’t sent', 'failed', 'block'],
  [550, '5.4.5 Daily user sending limit exceeded', 'failed', 'block'],
  [554, 'Recipient address rejected: Access denied', 'failed', 'block'],
  [550, '5.4.1 Recipient address rejected: Access denied. AS(201806281)', 'failed', 'hard'],
  [550, 'Unknown user ada@sender.example (sender)', 'failed', 'block'],
  [554, '5.7.1 Mail refused: host name for 192.0.2.1 not found', 'failed', 'block'],
  [501, '5.5.4 Invalid domain name', 'failed', 'block'],
  [554, 'found on one or more DNSBLs', 'failed', 'block'],
  [550, 'Sender: ada@sender.example: domain does not exist', 'failed', 'block'],
  [550, 'Sender: ada@sender.example Unknown user: bob@example.com', 'failed', 'hard'],
  [552, '5.2.2 The mailbox is full. Remove attachments and try sending it again.', 'failed', 'soft'],
  [552, '5.3.4 Message size exceeds fixed limit', 'failed', 'content'],
  [550, '5.7.1 Our system has detected that this message is likely unsolicited mail.', 'failed', 'block'],
  [
    550,
    '5.7.515 Access denied, sending domain shop.example does not meet the required authentication level.',
    'failed',
    'block',
  ],
  [550, '5.7.1 Message rejected as spam by Content Filtering.', 'failed', 'block'],
  [554, '5.7.1 Spam message rejected; If this is not spam contact abuse at receiver.example', 'failed', 'block'],
  [550, '5.7.1 Message content rejected, UBE, id=12345-01', 'failed', 'block'],
  [554, '5.6.0 Malformed message', 'failed', 'content'],
  [552, '5.7.0 This message was blocked because its content presents a file type issue', 'failed', 'content'],
  [550, 'something never seen before', 'failed', 'soft'],
])('classify: %i %s is classified by kind and class', (code, text, kind, blame) => {
  expect(classify(code, text)).toMatchObject({ code, kind, class: blame })
})

test.each([
  [550, '5.1.1 User unknown', '550 5.1.1 User unknown'],
  [550, 'No such user', '550 No such user'],
  [550, '550 5.1.1 Said twice', '550 5.1.1 Said twice'],
  [250, '2.0.0 queued', '250 2.0.0 queued'],
  [421, '', '421'],
])('classify: the response of %i "%s" begins with its code once', (code, text, response) => {
  expect(classify(code, text).response).toBe(response)
})

test('classify: the enhanced status is read, and the text is cleaned and at most 500 characters long', () => {
  expect(classify(550, '5.1.1 <bob@example.com>: unknown').enhanced).toBe('5.1.1')
  expect(classify(550, 'no status').enhanced).toBeNull()
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), fc.string({ unit: 'binary', maxLength: 40 }), (code, text) => {
      const { response } = classify(code, text.repeat(50))
      expect(response.length).toBeLessThanOrEqual(500)
      expect(response).not.toMatch(/\p{Cc}/u)
      expect(response.isWellFormed()).toBe(true)
    }),
  )
})

test('classify: what is said to be unknown of the sender, in any words and with any status, never blames the recipient', () => {
  const words = (list: string) => fc.constantFrom(...list.split(', '))
  const sender = words(
    'sender, sender address, sender domain, envelope sender, envelope from, From address, from domain, header from, return path, return-path, reverse-path, originator, originating domain, your domain, your host, your mailbox, your address, client host name, connecting host, sending domain, bounce address, Reply-To address, MAIL FROM address',
  )
  const fault = words(
    "does not exist, doesn't exist, unknown, is unknown, not found, is invalid, cannot be resolved, has no MX record, not registered, is disabled, is undeliverable, is nonexistent, no such domain, is not local, unroutable",
  )
  const before = words('unknown, invalid, no such, nonexistent, unresolvable, bad')
  const said = fc.oneof(fc.tuple(sender, fault), fc.tuple(before, sender)).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(said, words('5.1.0, 5.1.1, 5.1.2, 5.7.1, 5.0.0, -'), (text, status) => {
      expect(classify(550, status === '-' ? text : `${status} ${text}`).class).not.toBe('hard')
    }),
    { numRuns: 300 },
  )
})

test('address: a plain addr-spec is parsed, and anything else returns null', () => {
  expect(parseAddress("o'Brien+tag@Example.COM")).toMatchObject({
    address: "o'Brien+tag@example.com",
    needsSmtpUtf8: false,
  })
  expect(parseAddress('no-reply@localhost')?.domain).toBe('localhost')
  expect(parseAddress('jörg@bücher.de')).toMatchObject({ domain: 'xn--bcher-kva.de', needsSmtpUtf8: true })
  for (const bad of [
    'a',
    '@b.c',
    'a@',
    'a@b..c',
    '.a@b.c',
    'a.@b.c',
    'a@b.c.',
    'a@%31.c',
    'a@b_c.d',
    'a@1.2.3.4',
    `${'a'.repeat(65)}@b.c`,
    'a@b.c ',
    'a\u200b@b.c',
  ]) {
    expect(parseAddress(bad), bad).toBeNull()
  }
})

test.each([
  [421, '421 4.7.28 Our system has detected an unusual rate of unsolicited mail', true],
  [421, '4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume', true],
  [421, 'RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed', true],
  [452, '4.3.1 too many messages in a short time, slow down', true],
  [451, '4.7.1 Greylisted, try again in 5 minutes', false],
  [421, '4.3.2 Service shutting down', false],
  [452, '4.2.2 The mailbox is full', false],
  [550, '5.7.1 rate limit exceeded', false],
  [250, '2.0.0 OK', false],
])('slow down: %i %s asks for fewer emails: %s', (code, text, asks) => {
  expect(asksToSlowDown(classify(code, text))).toBe(asks)
})
