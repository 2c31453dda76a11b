import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { type MailSandbox, startMailSandbox } from './mail/mail-sandbox.ts'
import { converse, email } from './smtp-client.fixture.ts'

const log = createLog({ logLevel: 'silent' })
const dataDir = mkdtempSync(join(tmpdir(), 'postlark-sandbox-'))
let sandbox: MailSandbox
beforeAll(async () => {
  sandbox = await startMailSandbox({ dataDir, secretKey: 'a key of this test' }, log)
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const requireMails = (box: MailSandbox) => {
  if (!box.mails) throw new Error('this sandbox keeps no mail')
  return box.mails
}

async function greeted() {
  const client = await converse(sandbox.smtpUrl)
  await client.say('EHLO test\r\n')
  return client
}

test('smtp emulator: it offers its extensions and accepts pipelined messages in one batch', async () => {
  const client = await converse(sandbox.smtpUrl)
  const offers = await client.say('EHLO test\r\n')
  for (const offer of ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 26214400']) expect(offers).toContain(offer)
  expect(
    await client.say(
      'MAIL FROM:<a@example.com> BODY=8BITMIME SIZE=100\r\nRCPT TO:<one@example.com>\r\nRCPT TO:<two@example.com>\r\nDATA\r\n',
      4,
    ),
  ).toMatch(/^354/)
  const next = 'MAIL FROM:<a@example.com>\r\nRCPT TO:<three@example.com>\r\nDATA\r\n'
  expect(await client.say(`${email('pipelined one')}\r\n.\r\n${next}`, 4)).toMatch(/^354/)
  expect(await client.say(`${email('pipelined two')}\r\n.\r\nQUIT\r\n`, 2)).toMatch(/^221/)
  const { items } = await requireMails(sandbox).list({ scope: 'all', limit: 2 })
  expect(items.map(({ subject, to }) => [subject, to])).toEqual([
    ['pipelined two', ['three@example.com']],
    ['pipelined one', ['one@example.com', 'two@example.com']],
  ])
})

test('smtp emulator: dots at line starts arrive as they were sent, in any split of the bytes', async () => {
  const client = await greeted()
  await client.say('MAIL FROM:<a@example.com>\r\nRCPT TO:<dots@example.com>\r\nDATA\r\n', 3)
  const sent = `${email('dots', '.\r\n..two\r\nmid.dle\r\n.')}\r\n`
  const wire = Buffer.from(`${sent.replaceAll('\r\n.', '\r\n..')}.\r\n`)
  for (const byte of wire.subarray(0, -1)) await client.say(Buffer.from([byte]), 0)
  expect(await client.say(wire.subarray(-1))).toMatch(/^250/)
  const [mail] = (await requireMails(sandbox).list({ scope: 'all', limit: 1 })).items
  expect(Buffer.from((await requireMails(sandbox).source('all', mail?.id ?? '')) ?? []).toString()).toBe(sent)
})

test('smtp emulator: commands out of order and malformed commands are refused', async () => {
  const client = await converse(sandbox.smtpUrl)
  expect(await client.say('MAIL FROM:<a@example.com>\r\n')).toMatch(/^503 5\.5\.1/)
  await client.say('EHLO test\r\n')
  const refused: [string, RegExp][] = [
    ['RCPT TO:<a@example.com>\r\n', /^503/],
    ['DATA\r\n', /^503/],
    ['MAIL FROM: <a@example.com>\r\n', /^501/],
    ['MAIL FROM:<a b@example.com>\r\n', /^501/],
    ['MAIL FROM:<a@example..com>\r\n', /^501 5\.1\.7/],
    ['MAIL FROM:<jürgen@example.com>\r\n', /^553 5\.6\.7/],
    ['MAIL FROM:<a@example.com> SIZE=999999999\r\n', /^552 5\.3\.4/],
    ['MAIL FROM:<a@example.com> FOO=1\r\n', /^555/],
    ['NOOP\n', /^500/],
    [`NOOP ${'x'.repeat(5000)}\r\n`, /^500 5\.5\.2 Line too long/],
    ['WHAT\r\n', /^500/],
  ]
  for (const [command, reply] of refused)
    expect([command, await client.say(command)]).toEqual([command, expect.stringMatching(reply)])
  expect(await client.say('MAIL FROM:<>\r\n')).toMatch(/^250/)
  for (const [address, reply] of [
    ['no-domain', /^501 5\.1\.3/],
    ['', /^501/],
    [`${'x'.repeat(65)}@example.com`, /^501/],
    ['ü@example.com', /^553/],
  ] as const) {
    expect(await client.say(`RCPT TO:<${address}>\r\n`)).toMatch(reply)
  }
  expect(await client.say('DATA\r\n')).toMatch(/^554 5\.5\.1/)
})

test('smtp emulator: an internationalized address is accepted with SMTPUTF8', async () => {
  const client = await greeted()
  expect(
    await client.say('MAIL FROM:<jürgen@example.com> SMTPUTF8\r\nRCPT TO:<δοκιμή@παράδειγμα.example>\r\nDATA\r\n', 3),
  ).toMatch(/^354/)
  expect(await client.say(`${email('Grüße')}\r\n.\r\n`)).toMatch(/^250/)
  expect((await requireMails(sandbox).list({ scope: 'all', limit: 1 })).items[0]).toMatchObject({
    subject: 'Grüße',
    to: ['δοκιμή@παράδειγμα.example'],
  })
})

test('smtp emulator: a message that is too large, malformed or without a sender is refused', async () => {
  const client = await greeted()
  expect(await client.mail('a@example.com', email('long', 'x'.repeat(999)))).toMatch(/^554 5\.6\.0/)
  expect(await client.mail('a@example.com', email('lone', 'a\nb'))).toMatch(/^550 5\.6\.0/)
  expect(await client.mail('a@example.com', 'Subject: nobody\r\n\r\nx')).toMatch(/^550 5\.7\.1/)
  const line = `${'x'.repeat(98)}\r\n`
  expect(await client.mail('a@example.com', email('large', line.repeat(270_000)))).toMatch(/^552 5\.3\.4/)
  expect(await client.mail('a@example.com', email('fine again'))).toMatch(/^250/)
})

test('smtp emulator: each test address fails with its own reply', async () => {
  const client = await greeted()
  expect(await client.mail('bounce@any.example', email('x'))).toMatch(/^550 5\.1\.1/)
  expect(await client.mail('hard-bounce+7@any.example', email('x'))).toMatch(/^550 5\.1\.1/)
  expect(await client.mail('full@any.example', email('x'))).toMatch(/^452 4\.2\.2/)
  expect(await client.mail('spam@any.example', email('x'))).toMatch(/^554 5\.7\.1/)
  expect(await client.mail('later-3@any.example', email('x'))).toMatch(/^450 4\.2\.1/)
  expect(await client.mail('later-3@any.example', email('x'))).toMatch(/^250/)
  expect(await client.mail('bouncer@any.example', email('x'))).toMatch(/^250/)
  expect(await client.mail('drop@any.example', email('kept, never answered'))).toBeUndefined()
  expect((await requireMails(sandbox).list({ scope: 'all', limit: 1 })).items[0]?.subject).toBe('kept, never answered')
  const busy = await greeted()
  await busy.say('MAIL FROM:<a@example.com>\r\n')
  expect(await busy.say('RCPT TO:<busy@any.example>\r\n')).toMatch(/^421/)
  expect(await busy.reply()).toBeUndefined()
})

test('smtp emulator: a second process in the same folder uses the first', async () => {
  const second = await startMailSandbox({ dataDir, secretKey: 'a key of this test' }, log)
  expect([second.smtpUrl, second.mails]).toEqual([sandbox.smtpUrl, undefined])
  await second.stop()
  const client = await greeted()
  expect(await client.mail('a@example.com', email('still here'))).toMatch(/^250/)
})

test('smtp emulator: a worker that starts first uses the server of the web process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-sandbox-'))
  const worker = startMailSandbox({ dataDir: folder, secretKey: 'a key of this test', role: 'worker' }, log)
  const web = await startMailSandbox({ dataDir: folder, secretKey: 'a key of this test', role: 'web' }, log)
  expect([(await worker).smtpUrl, (await worker).mails]).toEqual([web.smtpUrl, undefined])
  await web.stop()
  // The next start takes the same port, so that the worker's address stays right.
  const again = await startMailSandbox({ dataDir: folder, secretKey: 'a key of this test', role: 'web' }, log)
  expect(again.smtpUrl).toBe(web.smtpUrl)
  await again.stop()
  rmSync(folder, { recursive: true, force: true })
})
