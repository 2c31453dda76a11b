import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { saveLastBackup } from '#server/platform/backup/index.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { localhostCertificate, localhostKey } from '#server/testing/localhost-certificate.ts'
import { runDoctor } from './index.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'postlark-doctor-'))
afterAll(() => rm(folder, { recursive: true }))

/** Runs the script as an operator does, with this environment alone. */
function doctor(environment: Record<string, string>, ...given: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: '.cache/node', PORT: '0', ...environment }
  return new Promise((resolve) =>
    execFile(process.execPath, ['scripts/doctor.ts', ...given], { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  )
}

/** The same in this process, as data. */
async function look(environment: Record<string, string>) {
  const checks = await runDoctor({ PORT: '0', ...environment })
  return { checks, find: (name: string) => checks.find((check) => check.name === name) }
}

test('doctor: before the first start all is well, and nothing is made', async () => {
  const dataDir = join(folder, 'none', 'yet')
  const { code, output } = await doctor({ DATA_DIR: dataDir })
  expect(output).toContain('ok       Database: Embedded; none yet. The first start makes it.')
  expect(output).toContain('ok       Secret key: None yet.')
  expect(output.split('\n').at(-2)).toMatch(/^\d+ checks: \d+ ok/)
  expect(code).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

test('doctor: each wrong variable is named in a line of its own', async () => {
  const { code, output } = await doctor({
    DATA_DIR: folder,
    ROLE: 'boss',
    SMTP_URL: 'mail.example.com',
    SECRET_KEY: 'k',
  })
  expect(output).toMatch(/^problem {2}Configuration: ROLE must be/m)
  expect(output).toMatch(/^problem {2}Configuration: SMTP_URL must be/m)
  expect(output).toMatch(/^problem {2}Configuration: SECRET_KEY must have/m)
  expect(output).not.toMatch(/^ +at /m)
  expect(code).toBe(1)
  expect(await doctor({ DATA_DIR: folder }, '--jason')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Usage'),
  })
})

test('doctor: an installation that runs is well, and what is wrong with it is told with what to do', async () => {
  await using t = await testApp()
  const url = t.services.connection.connectionString ?? ''
  const environment = { DATA_DIR: t.dataDir, DATABASE_URL: url, SMTP_URL: t.sink.url, PORT: new URL(t.address).port }
  const first = await look(environment)
  expect(first.checks.filter(({ state }) => state === 'problem')).toEqual([])
  expect(first.find('Server')).toMatchObject({ state: 'ok', text: `It responds at ${t.address}.` })
  expect(first.find('Mail server')).toMatchObject({ state: 'ok' })
  expect(first.find('Migrations')).toMatchObject({ state: 'ok' })
  expect(first.find('Jobs')).toMatchObject({ state: 'ok' })
  expect(first.find('Backup')).toMatchObject({ state: 'warning', advice: expect.stringContaining('npm run backup') })

  const { code, output } = await doctor(environment, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(output)).toMatchObject({ ok: true, checks: expect.arrayContaining([first.find('Server')]) })

  const { pool, db } = t.services
  const weeks = new Date(Date.now() - 20 * 86_400_000)
  await saveLastBackup(db, weeks)
  await pool.query('select pgboss.create_queue(\'tests.old\', \'{"policy":"standard"}\'::jsonb)')
  await pool.query(
    `insert into pgboss.job (name, created_on, start_after) values ('tests.old', now() - interval '1 hour', now() - interval '1 hour')`,
  )
  await pool.query("delete from schema_migrations where name = '0012_blog.sql'")
  const second = await look({
    ...environment,
    SECRET_KEY: 'x'.repeat(40),
    SMTP_URL: 'smtp://robin:hushhush@127.0.0.1:1',
  })
  expect(second.find('Backup')).toMatchObject({ state: 'warning', text: expect.stringContaining('20 days ago') })
  expect(second.find('Jobs')).toMatchObject({
    state: 'problem',
    text: expect.stringContaining('the oldest for 1 h'),
  })
  expect(second.find('Migrations')).toMatchObject({ state: 'problem', advice: expect.stringContaining('migrate') })
  expect(second.find('Mail server')).toMatchObject({ state: 'problem', advice: expect.stringContaining('SMTP_URL') })
  expect(second.checks).toContainEqual(
    expect.objectContaining({ name: 'Secret key', state: 'problem', text: expect.stringContaining('not the key of') }),
  )
  expect(JSON.stringify(second.checks)).not.toContain('hushhush')
  await pool.query('alter table settings rename to settings_away')
  const broken = (await look(environment)).find('Database')
  expect(broken).toMatchObject({ state: 'problem', text: expect.stringContaining('"settings" does not exist') })
  await pool.query('alter table settings_away rename to settings')
})

test('doctor: a certificate that nothing trusts, links to localhost and fakes on a public address are told', async () => {
  const secure = createTlsServer({ cert: localhostCertificate, key: localhostKey }).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => secure.once('listening', resolve))
    const { port } = secure.address() as { port: number }
    // This machine, by an address that is not known as loopback.
    const PUBLIC_URL = `https://[::ffff:127.0.0.1]:${port}`
    const exposed = await look({ DATA_DIR: join(folder, 'none'), PUBLIC_URL })
    expect(exposed.find('Mode')).toMatchObject({ state: 'warning', advice: 'Set NODE_ENV=production.' })
    expect(exposed.find('TLS')).toMatchObject({ state: 'problem', text: expect.stringContaining('is refused') })
    writeFileSync(join(folder, 'cert.pem'), localhostCertificate)
    writeFileSync(join(folder, 'key.pem'), localhostKey)
    const bounces = { BOUNCE_SMTP_PORT: '2525', BOUNCE_SMTP_CERT: join(folder, 'cert.pem') }
    const good = await look({ DATA_DIR: join(folder, 'none'), ...bounces, BOUNCE_SMTP_KEY: join(folder, 'key.pem') })
    expect(good.find('BOUNCE_SMTP_CERT')).toMatchObject({ state: 'ok', text: expect.stringContaining('2120') })
    const bad = await look({ DATA_DIR: join(folder, 'none'), ...bounces, BOUNCE_SMTP_KEY: join(folder, 'no.pem') })
    expect(bad.find('BOUNCE_SMTP_CERT')).toMatchObject({ state: 'problem', text: expect.stringContaining('ENOENT') })
    const production = { NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(40), DATA_DIR: join(folder, 'none') }
    const local = await look({ ...production, SMTP_URL: 'smtp://[::ffff:127.0.0.1]:1' })
    expect(local.find('PUBLIC_URL')).toMatchObject({ state: 'problem', text: expect.stringContaining('localhost') })
    const proxied = await look({ ...production, PUBLIC_URL })
    expect(proxied.find('TRUST_PROXY')).toMatchObject({ state: 'warning' })
    expect(proxied.find('Mail server')).toMatchObject({ state: 'problem', advice: expect.stringContaining('SMTP_URL') })
  } finally {
    secure.close()
  }
})

test('doctor: an empty database is left empty, one that is away and a port that is taken are problems', async () => {
  const database = await testDatabase({ isEmpty: true })
  const other = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    writeFileSync(join(folder, 'secret.key'), 'k'.repeat(40), { mode: 0o644 })
    const found = await look({ DATA_DIR: folder, DATABASE_URL: database.url, PORT: String(port) })
    expect(found.find('Database')).toMatchObject({ state: 'ok', text: expect.stringContaining('empty') })
    expect(found.find('Server')).toMatchObject({ state: 'problem', text: expect.stringContaining('Another program') })
    expect(found.find('Secret key')).toMatchObject({ state: 'warning', advice: expect.stringContaining('chmod 600') })
    const away = await look({ DATA_DIR: folder, DATABASE_URL: 'postgres://robin:hushhush@localhost:1/none' })
    expect(away.find('Database')).toMatchObject({ state: 'problem', text: expect.stringContaining('ECONNREFUSED') })
    expect(JSON.stringify(away.checks)).not.toContain('hushhush')
    const nowhere = await look({ DATA_DIR: join(folder, 'secret.key', 'data') })
    expect(nowhere.find('Data folder')).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('not a folder'),
    })
    expect((await look({ DATA_DIR: folder, DATABASE_URL: database.url })).find('Database')?.text).toContain('empty')
  } finally {
    other.close()
    await database.drop()
  }
})
