import nodemailer from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, sharedApp, type TestApp, testApp } from '#server/testing/app.ts'
import { gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'

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
const download = (path: string, { token } = admin) =>
  t.inject({ method: 'GET', url: `/api/sandbox/mails/${path}`, headers: { authorization: `Bearer ${token}` } })

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

/** Follows a person's stream; `readUntil` returns what came up to a text. */
async function listen(person: Person) {
  const heard = new AbortController()
  const headers = { authorization: `Bearer ${person.token}` }
  const events = await fetch(`${t.address}/api/sandbox/live`, { headers, signal: heard.signal })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    async readUntil(end: string) {
      let text = ''
      while (!text.includes(end)) text += (await reader?.read())?.value ?? ''
      heard.abort()
      return text
    },
  }
}

test('sandbox: a user reads, follows, searches and clears the emails of their workspace only', async () => {
  const [ada, ben] = [await t.person(), await t.person()]
  const sendTest = async (person: Person, to: string) => {
    const [sender] = (await person.api(senders.list, { query: {} })).items
    return person.api(senders.test, { params: { id: sender?.id ?? '' }, body: { to } })
  }
  const [adaHears, adminHears] = [await listen(ada), await listen(admin)]
  expect(await sendTest(ben, 'shared@example.com')).toMatchObject({ ok: true })
  await send({ subject: 'A stranger on this machine', text: 'x' })
  await sendTest(ada, 'to-ada@example.com')
  const [heard, all] = [await adaHears.readUntil('to-ada'), await adminHears.readUntil('to-ada')]
  expect([heard.includes('shared@'), heard.includes('A stranger'), all.includes('shared@')]).toEqual([
    false,
    false,
    true,
  ])
  // The same recipient, and a confirmation that is the installation's own.
  await sendTest(ada, 'shared@example.com')
  await t.api(accounts.signup, { body: { name: 'Cy', email: 'cy@example.com', password: 'a fine long phrase' } })
  await until(async () => (await admin.api(sandbox.list, { query: { q: 'cy@' } })).items.length > 0, 'a confirmation')

  const mine = await ada.api(sandbox.list, { query: {} })
  expect([mine.total, mine.items.map((mail) => mail.to[0])]).toEqual([2, ['shared@example.com', 'to-ada@example.com']])
  const [next] = (await ada.api(sandbox.list, { query: { limit: 1, cursor: mine.items[0]?.id ?? '' } })).items
  expect(next?.to).toEqual(['to-ada@example.com'])
  expect((await ada.api(sandbox.list, { query: { q: 'cy@' } })).items).toEqual([])
  const theirs = (await ben.api(sandbox.list, { query: {} })).items
  const system = (await admin.api(sandbox.list, { query: { of: 'system' } })).items
  for (const { id } of [...theirs, ...system]) {
    const missing = { status: 404 }
    await expect(ada.api(sandbox.get, { params: { id } })).rejects.toMatchObject(missing)
    await expect(ada.api(sandbox.reply, { params: { id }, body: { text: 'x' } })).rejects.toMatchObject(missing)
    for (const part of ['source', 'attachments/0']) expect((await download(`${id}/${part}`, ada)).statusCode).toBe(404)
  }
  for (const choice of ['all', 'system'] as const) {
    const refused = { status: 403, code: 'admin_required' }
    await expect(ada.api(sandbox.list, { query: { of: choice } })).rejects.toMatchObject(refused)
    await expect(ada.api(sandbox.clear, { query: { of: choice } })).rejects.toMatchObject(refused)
  }
  await ada.api(sandbox.clear, { query: {} })
  expect(await ada.api(sandbox.list, { query: {} })).toMatchObject({ items: [], total: 0 })
  expect((await ben.api(sandbox.list, { query: {} })).total).toBe(1)
  expect((await admin.api(sandbox.list, { query: { of: 'workspace' } })).items).toEqual([])
})

test('sandbox: a mark that nobody signed makes an email no workspace’s', async () => {
  const ada = await t.person()
  const transport = nodemailer.createTransport({
    url: t.services.smtpUrl ?? '',
    name: `w${ada.workspaceId}-${'0'.repeat(32)}`,
  })
  await transport.sendMail({ from: 'eve@example.com', to: 'x@example.com', subject: 'Forged', text: 'x' })
  transport.close()
  expect((await ada.api(sandbox.list, { query: {} })).items).toEqual([])
  expect((await admin.api(sandbox.list, { query: { q: 'Forged' } })).items).toMatchObject([{ workspaceId: null }])
})

test('sandbox: an unknown id responds with 404 and a visitor is refused', async () => {
  await expect(t.api(sandbox.list, { query: {} })).rejects.toMatchObject({ status: 401 })
  for (const id of ['999999', '0'])
    await expect(admin.api(sandbox.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('sandbox: clearing it deletes all emails', async () => {
  await send({ subject: 'soon gone', text: 'x' })
  await admin.api(sandbox.clear, { query: {} })
  expect(await admin.api(sandbox.list, { query: {} })).toEqual({ items: [], nextCursor: null, total: 0 })
})

test('sandbox: its endpoints respond with 404 if there is no sandbox', async () => {
  const real = await sharedApp()
  const person = await real.person({ role: 'admin' })
  await expect(person.api(sandbox.list, { query: {} })).rejects.toMatchObject({ status: 404 })
})

test('sandbox: what is sent through Gmail belongs to the workspace that sent it, also if another connected the same account', async () => {
  const people = [await t.person(), await t.person()]
  for (const [i, person] of people.entries()) {
    const visitor = gmailVisitor(t, person)
    const byConsent = await visitor.account('shared@gmail.com')
    const byPassword = await visitor.account('other@gmail.com', { appPassword: 'abcdabcdabcdabcd' })
    for (const id of [byConsent, byPassword])
      await person.api(senders.test, { params: { id }, body: { to: `by-${i}@example.com` } })
  }
  for (const [i, person] of people.entries()) {
    const { items } = await person.api(sandbox.list, { query: {} })
    expect(items.map((mail) => mail.to[0])).toEqual([`by-${i}@example.com`, `by-${i}@example.com`])
    const mail = await person.api(sandbox.get, { params: { id: items[0]?.id ?? '' } })
    expect(mail.canReply).toBe(true)
  }
})
