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
import { until, untilPasses } from '#server/testing/until.ts'
import { takeMailboxes } from '../store.ts'
import { removeFrom } from './mailboxes.ts'

const TOO_MUCH = 'The mail server sent more than a mailbox has to say, or took too long.'

const mailbox = new Account('bounces@shop.example')
mailbox.appPassword = 'right'
let imap: Awaited<ReturnType<typeof startImap>>
let hostile: { worker: Worker; port: number }
/** A server that takes connections and says nothing. */
const silent = createServer((socket) => {
  mostSilent = Math.max(mostSilent, ++openSilent)
  socket.on('error', () => undefined)
  socket.on('close', () => openSilent--)
})
let [openSilent, mostSilent] = [0, 0]
let silentPort = 0
let t: TestApp
beforeAll(async () => {
  imap = await startImap(() => mailbox, 0)
  const worker = new Worker(new URL('./hostile.fixture.ts', import.meta.url))
  hostile = { worker, port: (await once(worker, 'message'))[0] }
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  silentPort = (silent.address() as AddressInfo).port
  const allowed = [imap.port, hostile.port, silentPort].map((port) => `127.0.0.1:${port}`)
  t = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: allowed.join(',') } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await imap.stop()
  await hostile.worker.terminate()
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
  const { id } = await ada.api(bounceSources.create, { body: body({ port: hostile.port, user: 'search' }) })
  const failing = await until(async () => {
    const shown = await ada.api(bounceSources.get, { params: { id } })
    return shown.state === 'failing' && shown
  }, 'the end of the look')
  expect(endWatch()).toBeLessThan(500)
  expect(failing.stateText).toBe(TOO_MUCH)
})

test('mailbox: a mail server that talks without end at any other command is named too, and fills no memory', async () => {
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  const users = ['select', 'fetch', 'logout']
  const people = await Promise.all(users.map(() => t.person()))
  const sources = await Promise.all(
    people.map((person, i) => person.api(bounceSources.create, { body: body({ port: hostile.port, user: users[i] }) })),
  )
  const look = (i: number) => people[i]?.api(bounceSources.get, { params: { id: sources[i]?.id ?? '' } })
  for (const i of [0, 1])
    await untilPasses(async () => expect(await look(i)).toMatchObject({ state: 'failing', stateText: TOO_MUCH }), 40)
  // What was read before the goodbye counts.
  expect(await look(2)).toMatchObject({ state: 'waiting' })
  clearInterval(watch)
  expect(most - before).toBeLessThan(2 ** 30)
})

test('mailbox: one of 400,000 messages is read from its beginning, in one look after another', async () => {
  const ada = await t.person()
  const { id } = await ada.api(bounceSources.create, { body: body({ port: hostile.port, user: 'many' }) })
  const { db } = t.services
  const row = () => db.selectFrom('bounceSources').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  await untilPasses(async () => expect(await row()).toMatchObject({ trouble: '', settings: { cursor: '1:208' } }))
  // More is to be read: it does not wait for its minute.
  expect((await row()).dueAt?.getTime()).toBeLessThan(Date.now() + 10_000)
  await db.updateTable('bounceSources').set({ dueAt: new Date() }).where('id', '=', id).execute()
  await untilPasses(async () => expect(await row()).toMatchObject({ trouble: '', settings: { cursor: '1:416' } }))
})

test('mailbox: where its server cannot delete some messages alone, they are marked, and what others marked stays', async () => {
  const said: string[] = []
  hostile.worker.on('message', (command) => said.push(command))
  const mailbox = { host: '127.0.0.1', port: hostile.port, secure: 'none' as const, user: 'plain', folder: 'INBOX' }
  await removeFrom(t.services.config, { workspaceId: '1', mailbox, password: 'x' }, { cursor: '1:1', uids: [1] })
  expect(said).toContain('STORE')
  expect(said).not.toContain('EXPUNGE')
})

test('mailbox: a process that stops while bounces are applied does not ask the mail server for anything more', async () => {
  const ends = new Account('ends@shop.example')
  ends.appPassword = 'right'
  const server = await startImap(() => ends, 0)
  await using app = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: `127.0.0.1:${server.port}` } })
  const ada = await app.person()
  const { id } = await draftTo(ada, await listWith(app.services, ada, 1, () => 'ends@example.com'))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const report = dsn(`Message-ID: ${(await app.sink.mailTo('ends@example.com')).messageId}`, 'ends@example.com')
  ends.add(Buffer.from(report), undefined, ['INBOX'])
  ends.imap.trouble = 'hold-delete'
  const locked = await app.services.db.startTransaction().execute()
  await locked
    .selectFrom('messages')
    .where('workspaceId', '=', ada.workspaceId)
    .where('campaignId', '=', id)
    .select('id')
    .forUpdate()
    .execute()
  await ada.api(bounceSources.create, { body: body({ port: server.port, user: ends.email }) })
  await until(async () => ends.imap.bytes > 0 && ends.imap.open === 0, 'the end of the look')
  const stopped = app.services.queue.stopPeriodic()
  await locked.commit().execute()
  await stopped
  expect(ends.imap.held).toBe(0)
  await server.stop()
})

test('mailbox: servers of one workspace that say nothing hold up no mailbox of another', async () => {
  const [bob, ada] = [await t.person(), await t.person()]
  for (let i = 0; i < 8; i++) await bob.api(bounceSources.create, { body: body({ port: silentPort }) })
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
  // They wait for each other and for nobody else; one that was given up may still be closing.
  expect(mostSilent).toBeLessThan(3)
})

test('mailbox: workspaces take turns, however many mailboxes of one have waited for longer', async () => {
  await using app = await testApp({ environment: { COLLECTOR_ALLOW_PRIVATE: `127.0.0.1:${silentPort}` } })
  const { db, queue } = app.services
  await queue.stopPeriodic()
  const [bob, ada] = [await app.person(), await app.person()]
  for (const person of [bob, bob, bob, ada])
    await person.api(bounceSources.create, { body: body({ port: silentPort }) })
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await db.updateTable('bounceSources').set({ dueAt: anHourAgo }).where('workspaceId', '=', bob.workspaceId).execute()
  const had: string[] = []
  for (let i = 0; i < 4; i++)
    for (const { workspaceId } of await takeMailboxes(db, 1, {
      busy: [],
      had: [...new Set(had.toReversed())].reverse(),
    }))
      had.push(workspaceId)
  expect(had).toEqual([bob, ada, bob, bob].map(({ workspaceId }) => workspaceId))
})
