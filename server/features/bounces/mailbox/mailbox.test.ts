import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { domains } from '#contracts/senders/domains.ts'
import { Account } from '#sandbox/gmail/accounts.ts'
import { startImap } from '#sandbox/gmail/imap/server.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { watchEventLoop } from '#server/testing/processor-time.ts'
import { until } from '#server/testing/until.ts'

const mailbox = new Account('bounces@shop.example')
mailbox.appPassword = 'right'
let imap: Awaited<ReturnType<typeof startImap>>
let endless: { worker: Worker; port: number }
/** A server that takes connections and says nothing. */
const silent = createServer((socket) => void socket.on('error', () => undefined))
let silentPort = 0
let t: TestApp
beforeAll(async () => {
  imap = await startImap(() => mailbox, 0)
  const worker = new Worker(new URL('./endless.fixture.ts', import.meta.url))
  endless = { worker, port: (await once(worker, 'message'))[0] }
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  silentPort = (silent.address() as AddressInfo).port
  const allowed = [imap.port, endless.port, silentPort].map((port) => `127.0.0.1:${port}`)
  t = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: allowed.join(',') } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await imap.stop()
  await endless.worker.terminate()
  silent.close()
})

const body = (change: object = {}) => ({
  ...{ kind: 'imap' as const, host: '127.0.0.1', port: imap.port, secure: 'none' as const },
  ...{ user: mailbox.email, password: 'right', ...change },
})
const dsn = (original: string, address: string) =>
  `From: MAILER-DAEMON@mx.example.com\r\nSubject: Undelivered\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${original}\r\n--b--\r\n`

test('mailbox: bounces in it are applied and deleted, and everything else stays', async () => {
  const ada = await t.person()
  const list = await listWith(t.services, ada, 2, (n) => `m${n}@example.com`)
  const { id } = await draftTo(ada, list)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const { messageId = '' } = await t.sink.mailTo('m1@example.com')
  const add = (text: string) => mailbox.add(Buffer.from(text), undefined, ['INBOX'])
  add('From: bob@example.com\r\nSubject: Hello\r\n\r\nUser unknown?\r\n')
  add(`From: m2@example.com\r\nSubject: Re: News\r\nIn-Reply-To: ${messageId}\r\n\r\nThank you\r\n`)
  add(dsn('Message-ID: <forged@example.com>', 'm2@example.com'))
  // Some servers return the whole email: 20 MB.
  const email = 'x'.repeat(998).concat('\r\n').repeat(20_000)
  add(dsn(`Message-ID: ${messageId}\r\n\r\n${email}`, 'm1@example.com'))
  const source = await ada.api(bounceSources.create, { body: body() })
  expect(source).toMatchObject({ mailbox: { folder: 'INBOX', user: mailbox.email }, webhookUrl: null, secret: null })
  const tried = await ada.api(bounceSources.test, { params: { id: source.id } })
  expect(tried).toMatchObject({ ok: true })
  await until(() => Promise.resolve(mailbox.messages.length === 3), 'a bounce that is deleted')
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: { state: 'bounced' } })
  expect(items).toMatchObject([{ address: 'm1@example.com', bounce: { class: 'hard', code: '5.1.1', source: 'imap' } }])
  expect((await ada.api(suppressions.list, { query: { q: 'm2@' } })).items).toEqual([])
  const { state } = await ada.api(bounceSources.get, { params: { id: source.id } })
  expect(state).toBe('receiving')
})

test('mailbox: bounces after a connection that was lost are read by the next look', async () => {
  const ada = await t.person()
  const { id } = await draftTo(ada, await listWith(t.services, ada, 2, (n) => `lost${n}@example.com`))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const stored = mailbox.messages.length
  for (const address of ['lost1@example.com', 'lost2@example.com'])
    mailbox.add(Buffer.from(dsn(`Message-ID: ${(await t.sink.mailTo(address)).messageId}`, address)), undefined, [
      'INBOX',
    ])
  mailbox.imap.trouble = 'cut-delete'
  const source = await ada.api(bounceSources.create, { body: body() })
  const show = () => ada.api(bounceSources.get, { params: { id: source.id } })
  const failing = await until(async () => {
    const shown = await show()
    return shown.state === 'failing' && shown
  }, 'the lost connection')
  expect(failing.stateText).toBe('The connection to the mailbox was lost.')
  expect(mailbox.messages.length).toBe(stored + 2)
  mailbox.imap.trouble = 'none'
  await t.services.db.updateTable('bounceSources').set({ dueAt: new Date() }).where('id', '=', source.id).execute()
  await until(async () => (await show()).state === 'receiving', 'the next look')
  expect(mailbox.messages.length).toBe(stored)
  expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({ counts: { sent: 0, bounced: 2 } })
})

test('mailbox: a wrong password, a folder that does not exist and a private host are named', async () => {
  const ada = await t.person()
  const wrong = await ada.api(bounceSources.create, { body: body({ password: 'wrong' }) })
  const failing = await until(async () => {
    const shown = await ada.api(bounceSources.get, { params: { id: wrong.id } })
    return shown.state === 'failing' && shown
  }, 'the wrong password')
  expect(failing.stateText).toMatch(/refused the user name or password/)
  expect(JSON.stringify(failing)).not.toContain('wrong')
  const other = await ada.api(bounceSources.create, { body: body({ folder: 'Nowhere' }) })
  const tried = await ada.api(bounceSources.test, { params: { id: other.id } })
  expect(tried).toMatchObject({ ok: false, message: expect.stringMatching(/folder Nowhere does not exist/) })
  for (const [change, field] of [
    [{ port: 1 }, 'host'],
    [{ host: '169.254.169.254' }, 'host'],
    [{ password: undefined }, 'password'],
    [{ user: undefined }, 'user'],
    [{ key: 'x' }, 'key'],
    [{ kind: 'postmark' }, 'host'],
  ] as [object, string][])
    await expect(ada.api(bounceSources.create, { body: body(change) })).rejects.toMatchObject({ details: [{ field }] })
})

test('mailbox: a DMARC report about a domain of the workspace is stored and deleted, and one about another stays', async () => {
  const ada = await t.person()
  const { id } = await ada.api(domains.create, { body: { domain: 'shop.example' } })
  const begin = Math.floor(Date.now() / 1_000) - 86_400
  const dmarc = (domain: string) => {
    const xml = `<feedback><report_metadata><org_name>google.com</org_name><report_id>7</report_id><date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata><policy_published><domain>${domain}</domain></policy_published><record><row><source_ip>192.0.2.1</source_ip><count>3</count><policy_evaluated><dkim>pass</dkim><spf>pass</spf></policy_evaluated></row></record></feedback>`
    const zip = Buffer.from(zipSync({ 'report.xml': strToU8(xml), 'noise.bin': randomBytes(300_000) })).toString(
      'base64',
    )
    return `From: noreply-dmarc-support@google.com\r\nSubject: Report domain: ${domain} Submitter: google.com Report-ID: 7\r\nMIME-Version: 1.0\r\nContent-Type: application/zip; name="google.com!${domain}!${begin}!${begin + 86_399}.zip"\r\nContent-Transfer-Encoding: base64\r\n\r\n${zip.replace(/.{76}/g, '$&\r\n')}\r\n`
  }
  const stored = mailbox.messages.length
  for (const domain of ['shop.example', 'stranger.example'])
    mailbox.add(Buffer.from(dmarc(domain)), undefined, ['INBOX'])
  await ada.api(bounceSources.create, { body: body() })
  await until(() => Promise.resolve(mailbox.messages.length === stored + 1), 'a report that is deleted')
  const shown = await ada.api(domains.dmarc, { params: { id }, query: {} })
  expect(shown).toMatchObject({
    reports: 1,
    address: null,
    unverified: { reports: 1, messages: 3 },
    totals: { messages: 0 },
  })
})

test('mailbox: a mail server that talks without end is named, and holds up nobody', async () => {
  const ada = await t.person()
  const endWatch = watchEventLoop()
  const { id } = await ada.api(bounceSources.create, { body: body({ port: endless.port }) })
  const failing = await until(async () => {
    const shown = await ada.api(bounceSources.get, { params: { id } })
    return shown.state === 'failing' && shown
  }, 'the end of the look')
  expect(endWatch()).toBeLessThan(500)
  expect(failing.stateText).toBe('The mail server sent more than a mailbox has to say, or took too long.')
})

test('mailbox: servers of one workspace that say nothing hold up no mailbox of another', async () => {
  const [bob, ada] = [await t.person(), await t.person()]
  const stalled: string[] = []
  for (let i = 0; i < 8; i++)
    stalled.push((await bob.api(bounceSources.create, { body: body({ port: silentPort }) })).id)
  const [connected] = await once(silent, 'connection')
  connected.unref()
  const { id } = await draftTo(ada, await listWith(t.services, ada, 1, () => 'quick@example.com'))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const stored = mailbox.messages.length
  const report = dsn(`Message-ID: ${(await t.sink.mailTo('quick@example.com')).messageId}`, 'quick@example.com')
  mailbox.add(Buffer.from(report), undefined, ['INBOX'])
  await ada.api(bounceSources.create, { body: body() })
  await until(() => Promise.resolve(mailbox.messages.length === stored), 'a bounce that is deleted')
  const states = await Promise.all(stalled.map((id) => bob.api(bounceSources.get, { params: { id } })))
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['waiting']))
})
