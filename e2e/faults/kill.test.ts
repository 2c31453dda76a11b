import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { Account } from '#sandbox/gmail/accounts.ts'
import { startImap } from '#sandbox/gmail/imap/server.ts'
import { createTokens, signReturnAddress } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { connectTo, findPostgres, untilGone, untilReady } from '../support/postgres-processes.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { seededRandom } from '../support/random.ts'
import { recipientAddress, sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

// So slow a sender that every kill falls amid the sending.
const [COUNT, TIMES, PER_SECOND] = isLong ? [5_000, 20, null] : [600, 3, 100]
const CONNECTIONS = 10
const random = seededRandom()
// Random moments, some of them while the server is still starting: a failure shows them.
const MARKS = Array.from({ length: TIMES }, () => random(50, COUNT - 50)).sort((a, b) => a - b)
const VICTIMS = ['server', 'postmaster', 'backend', 'everything'] as const
const FIRST_VICTIM = random(0, VICTIMS.length)
const KILLS = MARKS.map((mark, index) => ({
  mark,
  victim: VICTIMS[(FIRST_VICTIM + index) % VICTIMS.length] ?? 'server',
}))
// What is killed with the server process may be in flight; while only the database is away, its answer is waited for.
const SERVER_KILLS = KILLS.filter(({ victim }) => victim === 'server' || victim === 'everything').length

/** Kills one process of a running product, or all of them together, and waits until what that ends is gone. */
async function killOne(victim: (typeof VICTIMS)[number], dataDir: string, server: number): Promise<void> {
  const { postmaster, backends } = findPostgres(dataDir)
  const pids = {
    server: [server],
    postmaster: [postmaster],
    // Right after the end of another one there may be none.
    backend: [backends.at(Math.floor(Math.random() * backends.length)) ?? postmaster],
    everything: [server, postmaster, ...backends],
  }[victim]
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // PostgreSQL ends with its server, and may be quicker than this.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  await untilGone(backends)
}

/** Contacts who begin to enter a journey right before each kill. */
const ENTERING = 40

/** A journey of an email and a tag, and the contacts who will enter it, in portions. */
async function prepareJourney(api: ApiClient) {
  const tag = await api(tags.create, { body: { name: 'Went through' } })
  const template = await api(templates.create, { body: { name: 'Hello', subject: 'Hello', html: '<p>Hello</p>' } })
  const email = { id: 'hello', kind: 'email' as const, name: 'Hello', subject: '', templateId: template.id }
  const definition = {
    trigger: { kind: 'manual' as const },
    steps: [email, { id: 'tag', kind: 'tag' as const, tagId: tag.id }],
  }
  const { id } = await api(journeys.create, { body: { name: 'Journey', definition } })
  await api(journeys.activate, { params: { id } })
  const portions: string[][] = []
  for (let portion = 0; portion < TIMES; portion++) {
    const ids: string[] = []
    for (let n = 0; n < ENTERING; n++)
      ids.push((await api(contacts.create, { body: { email: `w${portion}-${n}@journey.example` } })).id)
    portions.push(ids)
  }
  return { id, portions, tagId: tag.id }
}

test(`campaign and journey: after ${TIMES} kills of server or database, everybody has one email or is unconfirmed, and went through`, async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('kill')
  // Both sending threads of a process are killed amid their claims.
  const environment = {
    ...{ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url },
    SENDING_THREADS: '2',
  }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const [sender] = (await api(senders.list, { query: {} })).items
    await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
    const journey = await prepareJourney(api)
    const id = await sendTo(api, await uploadPeople(api, COUNT))
    for (const { mark, victim } of KILLS) {
      await sink.waitForCount(mark, 120)
      const contactIds = journey.portions.pop() ?? []
      await api(journeys.enrol, { params: { id: journey.id }, body: { contactIds } })
      await killOne(victim, dataDir, server.pid)
      if (victim === 'server' || victim === 'everything') {
        await server.exited
        server = startServer(environment)
        await server.ready
        api = await signIn(server.url)
      } else await untilReady(server.url)
      const { counts } = await api(campaigns.get, { params: { id } })
      expect(
        counts.queued +
          counts.sent +
          counts.deferred +
          counts.failed +
          counts.bounced +
          counts.suppressed +
          counts.unconfirmed,
        `after the kill of ${victim} at ${mark} of ${MARKS}`,
      ).toBe(COUNT)
    }
    const { state, counts } = await untilSent(api, id, 120)
    expect(state).toBe('sent')
    expect(counts.sent + counts.unconfirmed).toBe(COUNT)
    expect(counts.unconfirmed).toBeLessThanOrEqual(CONNECTIONS * SERVER_KILLS)

    const all = TIMES * ENTERING
    const through = await until(async () => {
      const now = await api(journeys.get, { params: { id: journey.id } })
      return now.ended === all && now
    }, 'everybody at the end of the journey')
    expect(through.steps).toMatchObject([
      { entered: all, waiting: 0 },
      { entered: all, waiting: 0 },
    ])
    expect((await api(tags.get, { params: { id: journey.tagId } })).contacts).toBe(all)
    const emails = await untilSent(api, through.steps[0]?.campaignId ?? '', 120)
    expect(emails.counts).toMatchObject({ recipients: all })
    expect(emails.counts.sent + emails.counts.unconfirmed).toBe(all)

    const copies = new Map<string, number>()
    for (const { to } of sink.received) for (const address of to) copies.set(address, (copies.get(address) ?? 0) + 1)
    expect([...copies].filter(([, count]) => count > 1)).toEqual([])
    const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed', limit: 200 } })
    expect(items).toHaveLength(counts.unconfirmed)
    const unknown = new Set(items.map((item) => item.address))
    const missing = Array.from({ length: COUNT }, (_, i) => recipientAddress(i + 1)).filter(
      (address) => !copies.has(address),
    )
    expect(missing.filter((address) => !unknown.has(address))).toEqual([])
    expect(await server.stop('SIGTERM')).toBe(0)
    const each = VICTIMS.map((victim) => `${victim} ${KILLS.filter((kill) => kill.victim === victim).length}`).join(
      ', ',
    )
    console.log(`killed: ${each}; of ${COUNT} sent ${counts.sent}, unconfirmed ${counts.unconfirmed}, twice 0`)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 900_000)

const FILLERS = 10_000

test('campaign: a launch killed between its slices continues at the next start, and everybody gets one email', async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('launch')
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const listId = await uploadPeople(api, 20)
    const blocker = await connectTo(dataDir)
    // A slice and more whom nobody writes to, as cheap recipients.
    await blocker.query(`insert into suppressions (workspace_id, address, address_key, reason)
      select id, '@never.example', '@never.example', 'manual' from workspaces`)
    await blocker.query(`with added as (
      insert into contacts (workspace_id, email, email_key, name)
      select w.id, 'n' || n || '@never.example', 'n' || n || '@never.example', '' from workspaces w, generate_series(1, ${FILLERS}) n
      returning workspace_id, id)
      insert into list_members (workspace_id, list_id, contact_id) select workspace_id, ${listId}, id from added`)
    // The last slice waits for as long as this connection lives.
    await blocker.query('select pg_advisory_lock(7003)')
    await blocker.query(`create function hold() returns trigger language plpgsql as $$ begin
      if (select count(*) from messages) >= ${FILLERS} then perform pg_advisory_xact_lock_shared(7003); end if; return null; end $$`)
    await blocker.query('create trigger hold after insert on messages for each statement execute function hold()')
    const id = await sendTo(api, listId)
    const waits = () =>
      blocker.query(`select from pg_locks where locktype = 'advisory' and objid = 7003 and not granted`)
    await until(async () => (await waits()).rowCount !== 0, 'a launch amid its slices')
    expect((await api(campaigns.get, { params: { id } })).counts.recipients).toBe(0)
    await killOne('server', dataDir, server.pid)
    await server.exited
    server = startServer(environment)
    await server.ready
    api = await signIn(server.url)
    const { state, counts } = await untilSent(api, id, 120)
    expect({ state, counts }).toMatchObject({
      state: 'sent',
      counts: { recipients: 20 + FILLERS, sent: 20, suppressed: FILLERS, queued: 0 },
    })
    expect(new Set(sink.received.flatMap(({ to }) => to)).size).toBe(20)
    expect(sink.received).toHaveLength(20)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 600_000)

const dsn = (address: string, original = '') =>
  `From: MAILER-DAEMON@mx.example\r\nSubject: Undelivered\r\n${original}Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n--b--\r\n`

/** Returns the email of one recipient to the listener. Resolves with the code of its reply; undefined: it gave none. */
async function bounce(port: number, returnPath: string, address: string): Promise<number | undefined> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    const { response } = await transport.sendMail({ envelope: { from: '', to: [returnPath] }, raw: dsn(address) })
    return Number(response.slice(0, 3))
  } catch (error) {
    return (error as { responseCode?: number }).responseCode
  } finally {
    transport.close()
  }
}

test('bounces: what the listener answered with 250, and what a mailbox has, is applied once after kills amid it', async () => {
  const sink = await startMailSink()
  const mailbox = new Account('bounces@shop.example')
  mailbox.appPassword = 'right'
  mailbox.imap.trouble = 'hold-delete'
  const imap = await startImap(() => mailbox, 0)
  const dataDir = newDataFolder('bounces')
  const port = await freePort()
  const environment = {
    ...{ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url, BOUNCE_SMTP_PORT: String(port) },
    COLLECTOR_ALLOW_PRIVATE: `127.0.0.1:${imap.port}`,
  }
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const id = await sendTo(api, await uploadPeople(api, 40))
    await untilSent(api, id, 120)
    const tokens = createTokens(deriveKey(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'message tokens'))
    const list = async (state?: 'bounced') =>
      (await api(campaigns.messages, { params: { id }, query: { state, limit: 200 } })).items
    const messages = await list()
    // The server applies what the mailbox has, and waits for the reply to its deletion until it is killed.
    const [first] = messages as [(typeof messages)[number]]
    const mark = `X-Postlark-Id: ${tokens.sign('message', first.id)}\r\n`
    mailbox.add(Buffer.from(dsn(first.address, mark)), undefined, ['INBOX'])
    const { id: sourceId } = await api(bounceSources.create, {
      body: {
        ...{ kind: 'imap', host: '127.0.0.1', port: imap.port, secure: 'none' },
        ...{ user: mailbox.email, password: 'right' },
      },
    })
    await until(async () => mailbox.imap.held > 0, 'the deletion')
    expect(await list('bounced')).toMatchObject([{ id: first.id, bounce: { source: 'imap' } }])
    const report = ({ id, address }: (typeof messages)[number]) =>
      bounce(port, signReturnAddress(tokens, 'bounce', id, 'bounces.shop.example'), address)
    const applied = new Set<string>()
    const reportSome = (some: typeof messages) =>
      Promise.all(
        some.map(async (message) => {
          const code = await report(message)
          expect([250, 421, 451, undefined]).toContain(code)
          if (code === 250) applied.add(message.id)
        }),
      )
    const dying = reportSome(messages.slice(0, 20))
    await until(async () => applied.size > random(0, 8), 'some reports')
    await killOne('server', dataDir, server.pid)
    await dying
    await server.exited
    const answered = applied.size
    server = startServer(environment)
    await server.ready
    api = await signIn(server.url)
    expect(mailbox.messages).toHaveLength(1)
    mailbox.imap.trouble = 'none'
    const database = await connectTo(dataDir)
    await database.query('update bounce_sources set due_at = now() where id = $1', [sourceId])
    await database.end()
    await until(async () => mailbox.messages.length === 0, 'the deletion after the start')
    const after = new Set((await list('bounced')).map(({ id }) => id))
    expect([...applied].filter((id) => !after.has(id))).toEqual([])

    await killOne('postmaster', dataDir, server.pid)
    await reportSome(messages.slice(20))
    await untilReady(server.url)
    await until(async () => {
      await reportSome(messages.filter(({ id }) => !applied.has(id)))
      return applied.size === messages.length
    }, 'every report')
    expect(await list('bounced')).toHaveLength(messages.length)
    expect((await list('bounced')).find(({ id }) => id === first.id)?.bounce?.source).toBe('imap')
    expect((await api(campaigns.get, { params: { id } })).counts).toMatchObject({ bounced: 40, sent: 0 })
    console.log(`answered before the kill ${answered} of 20, applied by then ${after.size}`)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    await imap.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 300_000)
