import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { accounts } from '#contracts/accounts/accounts.ts'
import { admin } from '#contracts/admin/admin.ts'
import { job } from '#server/platform/queue.ts'
import { sharedApp, type TestApp, testApp } from '#server/testing/app.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { untilPasses } from '#server/testing/until.ts'

type Health = z.output<typeof admin.health.response>
const findLine = (health: Health, name: string) => health.lines.find((line) => line.name === name)

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t[Symbol.asyncDispose]())

test('health: a healthy installation shows every check as ok', async () => {
  const root = await t.person({ role: 'admin' })
  const health = await root.api(admin.health)
  for (const name of ['Kind and size', 'Tables', 'Jobs', 'Failed jobs', 'Worker', 'Mail server', 'Campaigns'])
    expect(findLine(health, name), name).toMatchObject({ state: 'ok', advice: '' })
  expect(findLine(health, 'Kind and size')?.text).toMatch(/^Embedded PostgreSQL \d+\.\d+.* MB/)
  // How quick and how roomy the machine is that tests this is its own affair.
  expect(findLine(health, 'Response time')?.text).toMatch(/^[\d.]+ ms\.$/)
  expect(findLine(health, 'Email')?.text).toContain('Real, through 127.0.0.1')
  expect(findLine(health, 'Disk')?.text).toContain(t.dataDir)
  expect(health.jobs.map((row) => row.name)).toContain('accounts.email')
  // The second look knows what was done between the two.
  expect(findLine(await root.api(admin.health), 'Campaigns')?.text).toBe('None is sending.')
})

test('health: an unreachable mail server is bad, with advice and without its password', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  await new Promise((resolve) => closed.close(resolve))
  await using t = await testApp({ environment: { SMTP_URL: `smtp://robin:hushhush@127.0.0.1:${port}` } })
  const root = await t.person({ role: 'admin' })
  const health = await root.api(admin.health)
  expect(health.state).toBe('bad')
  expect(findLine(health, 'Mail server')).toMatchObject({ state: 'bad', advice: expect.stringContaining('SMTP_URL') })
  expect(findLine(health, 'Mail server')?.text).toContain(`127.0.0.1:${port} cannot be used`)
  expect(JSON.stringify(health)).not.toMatch(/hushhush|robin:/)
})

test('health: the sandbox is shown as sandbox', async () => {
  const t = await sharedApp({ mail: 'sandbox' })
  const root = await t.person({ role: 'admin' })
  const health = await root.api(admin.health)
  expect(findLine(health, 'Email')?.text).toBe('Sandbox: no real messages are sent.')
  expect(findLine(health, 'Mail server')).toMatchObject({ state: 'ok' })
})

test('health: queued jobs, failed jobs and tables of another version are reported', async () => {
  const root = await t.person({ role: 'admin' })
  const { queue, pool } = t.services
  const lonely = job('tests.lonely', z.object({}))
  const failing = job('tests.failing', z.object({}), { retries: 0 })
  const ran = Promise.withResolvers<void>()
  await pool.query('select pgboss.create_queue(\'tests.lonely\', \'{"policy":"standard"}\'::jsonb)')
  await queue.enqueue(lonely, {})
  await pool.query(
    "update pgboss.job set created_on = now() - interval '20 minutes', start_after = now() - interval '20 minutes' where name = 'tests.lonely'",
  )
  t.services.log.level = 'silent'
  await queue.handle(failing, async () => {
    ran.resolve()
    throw new Error('no')
  })
  await queue.enqueue(failing, {})
  await ran.promise
  await untilPasses(async () =>
    expect(findLine(await root.api(admin.health), 'Failed jobs')?.text).toContain('1 tests.failing'),
  )
  await pool.query("insert into schema_migrations (name) values ('9999_later.sql')")
  const health = await root.api(admin.health)
  expect(health.state).toBe('bad')
  expect(findLine(health, 'Jobs')).toMatchObject({
    state: 'bad',
    text: expect.stringMatching(/the oldest for 2[01] min/),
  })
  expect(health.jobs.find((row) => row.name === 'tests.lonely')).toMatchObject({
    waiting: 1,
    oldestSeconds: expect.toSatisfy((seconds) => seconds >= 1_200 && seconds < 1_320),
  })
  expect(findLine(health, 'Tables')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('9999_later.sql'),
  })
  await pool.query("delete from schema_migrations where name = '0012_blog.sql'")
  expect(findLine(await root.api(admin.health), 'Tables')).toMatchObject({ state: 'bad' })
})

test('health: accepted and refused emails are told apart, with the text of the mail server', async () => {
  const refused = 'refused@example.com'
  const sink = await startMailSink((stage, address) =>
    stage === 'rcpt' && address === refused ? '550 5.1.1 no such user' : undefined,
  )
  await using t = await testApp({ sink, environment: { LOG_LEVEL: 'silent' } })
  const root = await t.person({ role: 'admin' })
  expect(findLine(await root.api(admin.health), 'Last email')).toMatchObject({ state: 'unknown' })
  const look = async (name: string) => findLine(await root.api(admin.health), name)
  await t.api(accounts.forgotPassword, { body: { email: root.email } })
  await untilPasses(async () => expect(await look('Last email')).toMatchObject({ state: 'ok' }))
  expect(await look('Failed emails')).toMatchObject({ state: 'ok' })
  await t.api(accounts.signup, { body: { name: 'Gone', email: refused, password: 'a quite long phrase' } })
  await untilPasses(async () =>
    expect(await look('Failed emails')).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('550 5.1.1 no such user'),
    }),
  )
  await sink.stop()
})
