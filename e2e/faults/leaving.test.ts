import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { senders } from '#contracts/senders/senders.ts'
import { openPool } from '#server/platform/db/database.ts'
import { testDatabase } from '#server/testing/database.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { sendTo, uploadPeople } from '../support/sending.ts'
import { connectApi, freePort, startServer } from '../support/server-process.ts'

// So slow a sender that the account is gone amid the sending.
const [COUNT, MARK, PER_SECOND] = [500, 20, 30]
const [EMAIL, PASSWORD] = ['leaving@example.net', 'eleven larks at the lake']

test('account deletion: a campaign another process sends is stopped, and no data is left', async () => {
  const sink = await startMailSink()
  const postgres = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-leaving-'))
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    SMTP_URL: sink.url,
    SECRET_KEY: 'a secret key of more than thirty-two characters',
  }
  const started = async (role: string) => {
    const server = startServer({ ...environment, ROLE: role, PORT: String(await freePort()) })
    await server.ready
    return server
  }
  const servers = [await started('web'), await started('worker')]
  const pool = openPool({ connectionString: postgres.url }, 10, () => undefined)
  const number = async (query: string) => Number((await pool.query(`select count(*) as n from ${query}`)).rows[0].n)
  try {
    const url = servers[0]?.url ?? ''
    await connectApi(url)(accounts.signup, { body: { name: 'Ada', email: EMAIL, password: PASSWORD } })
    const mail = await sink.mailTo(EMAIL)
    const link = /token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? ''
    const { token } = await connectApi(url)(accounts.verifyEmail, { body: { token: link } })
    const api = connectApi(url, token)
    await pool.query("update users set plan = 'business'")
    const [sender] = (await api(senders.list, { query: {} })).items
    await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
    await sendTo(api, await uploadPeople(api, COUNT))
    await sink.waitForCount(MARK)
    await api(accounts.remove, { body: { email: EMAIL, password: PASSWORD } })
    await expect(api(accounts.user)).rejects.toMatchObject({ status: 401 })
    // The first admin's workspace stays.
    await until(async () => (await number('workspaces')) === 1, 'the end of the workspace')
    const sent = sink.received.length
    expect(sent).toBeLessThan(COUNT)
    for (const table of [
      'contacts',
      'list_members',
      'lists',
      'messages',
      'events',
      'campaigns',
      'campaign_counts',
      'claims',
      'imports',
    ])
      expect([table, await number(table)]).toEqual([table, 0])
    expect(await number(`pgboss.job where data::text ilike '%${EMAIL}%'`)).toBe(0)
    expect(sink.received.length).toBe(sent)
  } finally {
    await pool.end()
    for (const server of servers) await server.stop()
    await sink.stop()
    await postgres.drop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
