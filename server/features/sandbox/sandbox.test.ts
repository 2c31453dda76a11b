import nodemailer from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { type Person, sharedApp, type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
let admin: Person
beforeAll(async () => {
  t = await testApp({ environment: { SMTP_URL: '' } })
  admin = await t.person({ role: 'admin' })
})
afterAll(() => t[Symbol.asyncDispose]())

async function send(mail: Record<string, unknown>) {
  const transport = nodemailer.createTransport(t.services.smtpUrl)
  await transport.sendMail({ from: '"Ada Lovelace" <ada@example.com>', to: 'bob@example.com', ...mail })
  transport.close()
}
const download = (path: string) =>
  t.inject({ method: 'GET', url: `/api/sandbox/mails/${path}`, headers: { authorization: `Bearer ${admin.token}` } })

test('sandbox: system emails are stored in the sandbox and streamed live', async () => {
  const heard = new AbortController()
  const events = await fetch(`${t.address}/api/sandbox/live`, {
    headers: { authorization: `Bearer ${admin.token}` },
    signal: heard.signal,
  })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  await t.api(accounts.signup, { body: { name: 'Grace', email: 'grace@example.com', password: 'a fine long phrase' } })
  let text = ''
  while (!text.includes('event: mail')) text += (await reader?.read())?.value ?? ''
  heard.abort()
  const { items } = await admin.api(sandbox.list, { query: { q: 'grace@EXAMPLE' } })
  expect(items[0]).toMatchObject({ subject: 'Confirm your email address', to: ['grace@example.com'] })
  const mail = await admin.api(sandbox.get, { params: { id: items[0]?.id ?? '' } })
  expect(mail.text).toContain('/verify-email?token=')
})

test('sandbox: an email is shown with HTML, images, text, headers and attachments', async () => {
  await send({
    subject: 'Grüße aus Köln',
    text: 'plain words',
    html: '<p>rich <img src="cid:logo"></p>',
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    attachments: [
      { filename: 'logo.png', content: Buffer.from('png'), cid: 'logo' },
      { filename: 'Übersicht "2026".html', content: '<script>alert(1)</script>', contentType: 'text/html' },
    ],
  })
  const [row] = (await admin.api(sandbox.list, { query: {} })).items
  expect(row).toMatchObject({ subject: 'Grüße aus Köln', from: 'Ada Lovelace <ada@example.com>' })
  const mail = await admin.api(sandbox.get, { params: { id: row?.id ?? '' } })
  expect(mail.html).toContain('data:image/png;base64,cG5n')
  expect(mail.text?.trim()).toBe('plain words')
  expect(mail.headers).toContainEqual({ name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' })
  expect(mail.attachments.map(({ name, type }) => [name, type])).toEqual([
    ['logo.png', 'image/png'],
    ['Übersicht "2026".html', 'text/html'],
  ])
  const answer = await download(`${mail.id}/attachments/1`)
  expect([answer.statusCode, answer.body, answer.headers['x-content-type-options']]).toEqual([
    200,
    '<script>alert(1)</script>',
    'nosniff',
  ])
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="_bersicht _2026_\.html"; filename\*=UTF-8''%C3%9Cbersicht%20%222026%22\.html$/,
  )
  const source = await download(`${mail.id}/source`)
  expect(source.rawPayload.length).toBe(mail.size)
  expect([source.headers['content-type'], source.headers['content-disposition']]).toEqual([
    'message/rfc822',
    expect.stringContaining('attachment;'),
  ])
  expect((await download(`${mail.id}/attachments/9`)).statusCode).toBe(404)
})

test('sandbox: the list has a total and pages newest first', async () => {
  for (const n of [1, 2, 3]) await send({ subject: `page ${n}`, text: 'x' })
  const first = await admin.api(sandbox.list, { query: { limit: 2 } })
  expect(first.items.map((mail) => mail.subject)).toEqual(['page 3', 'page 2'])
  const second = await admin.api(sandbox.list, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
  expect(second.items[0]?.subject).toBe('page 1')
  expect(first.total).toBe((await admin.api(sandbox.list, { query: { limit: 200 } })).items.length)
  await expect(admin.api(sandbox.list, { query: { cursor: 'x' } })).rejects.toMatchObject({ status: 400 })
})

test('sandbox: only admins may use it, and an unknown id responds with 404', async () => {
  const user = await t.person()
  await expect(user.api(sandbox.list, { query: {} })).rejects.toMatchObject({ status: 403, code: 'admin_required' })
  await expect(t.api(sandbox.list, { query: {} })).rejects.toMatchObject({ status: 401 })
  for (const id of ['999999', '0'])
    await expect(admin.api(sandbox.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('sandbox: clearing it deletes all emails', async () => {
  await send({ subject: 'soon gone', text: 'x' })
  await admin.api(sandbox.clear)
  expect(await admin.api(sandbox.list, { query: {} })).toEqual({ items: [], nextCursor: null, total: 0 })
})

test('sandbox: its endpoints respond with 404 if there is no sandbox', async () => {
  const real = await sharedApp()
  const person = await real.person({ role: 'admin' })
  await expect(person.api(sandbox.list, { query: {} })).rejects.toMatchObject({ status: 404 })
})
