import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { Account } from '#sandbox/gmail/accounts.ts'
import { startImap } from '#sandbox/gmail/imap/server.ts'
import { createTokens, signReturnAddress } from '#server/engine/index.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { connectTo, killOne, untilReady } from '../support/postgres-processes.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { seededRandom } from '../support/random.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const random = seededRandom()

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
