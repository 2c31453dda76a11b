import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { senders } from '#contracts/senders/senders.ts'
import { createMailer } from '#server/adapters/smtp/mailer.ts'
import { testApp } from '#server/testing/app.ts'
import { readSmtpUrl } from './smtp-url.ts'

test.each([
  ['smtp://u:p@mail.example.com:587', 'starttls'],
  ['smtp://u:p@mail.example.com:587?tls=opportunistic', 'opportunistic'],
  ['smtp://u:p@localhost:2525', 'opportunistic'],
  ['smtp://u:p@[::1]:2525', 'opportunistic'],
  ['smtp://mail.example.com', 'opportunistic'],
  ['smtp://mail.example.com?requireTLS=true', 'starttls'],
  ['smtps://u:p@mail.example.com', 'tls'],
])('SMTP_URL: %s connects with encryption %s', (text, secure) => {
  expect(readSmtpUrl(text).secure).toBe(secure)
})

/** A server between us and the mail server: it offers to take a password, and no encryption. */
const said: string[] = []
const stripped = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.write('220 mx ESMTP\r\n')
  socket.on('data', (chunk) => {
    const line = chunk.toString()
    said.push(line)
    if (line.startsWith('EHLO')) socket.write('250-mx\r\n250 AUTH PLAIN LOGIN\r\n')
    else if (line.startsWith('STARTTLS')) socket.write('502 no\r\n')
    else if (line.startsWith('AUTH')) socket.write('235 ok\r\n')
    else socket.write('250 ok\r\n')
  })
})
let address: string
beforeAll(async () => {
  stripped.listen(0, '127.0.0.1')
  await once(stripped, 'listening')
  // This machine by a name that is not one of its own.
  address = `smtp://operator:secret@0.0.0.0:${(stripped.address() as { port: number }).port}`
})
afterAll(() => void stripped.close())
const hasLoggedIn = () => said.splice(0).some((line) => line.startsWith('AUTH'))

test('SMTP_URL: the password is not sent to a server that offers no encryption', async () => {
  await expect(createMailer(address, 'a@example.com').check()).rejects.toThrow()
  expect(hasLoggedIn()).toBe(false)
  await using t = await testApp({ environment: { SMTP_URL: address } })
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const params = { id: sender?.id ?? '' }
  expect(await ada.api(senders.test, { params, body: { to: 'bob@example.com' } })).toMatchObject({ ok: false })
  expect(hasLoggedIn()).toBe(false)
})

test('SMTP_URL: the password is sent unencrypted if the URL says tls=opportunistic', async () => {
  await createMailer(`${address}?tls=opportunistic`, 'a@example.com').check()
  expect(hasLoggedIn()).toBe(true)
})
