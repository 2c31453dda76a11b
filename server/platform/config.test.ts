import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { loadConfig } from './config.ts'
import { ConfigError } from './environment.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postlark-config-'))
  writeFileSync(join(folder, 'a-file'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function startWith(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: join(folder, 'data'),
    NODE_COMPILE_CACHE: '.cache/node',
    ...environment,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, ['server/main.ts'], { cwd: ROOT, env, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: stdout + stderr })
    })
  })
}

const KEY = 'k'.repeat(32)

/** The line that a start with this environment ends with. */
function catchConfigError(environment: Record<string, string>): string {
  try {
    loadConfig({ DATA_DIR: join(folder, 'data'), ...environment })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('the configuration was taken')
}

test.each<[name: string, environment: Record<string, string>]>([
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: '-1' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'example.com' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'ftp://example.com' }],
  ['DATA_DIR', { DATA_DIR: '/dev/null/below' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/x' }],
  ['DATABASE_BACKEND', { DATABASE_BACKEND: 'oracle' }],
  ['DATABASE_BACKEND', { DATABASE_BACKEND: 'citus' }],
  ['DATABASE_BACKEND', { DATABASE_BACKEND: 'cockroachdb', DATABASE_URL: 'postgres://localhost/x' }],
  ['ROLE', { ROLE: 'boss' }],
  ['ROLE', { ROLE: 'worker' }],
  ['SECRET_KEY', { SECRET_KEY: 'short' }],
  ['SECRET_KEY', { NODE_ENV: 'production' }],
  ['SMTP_URL', { SMTP_URL: 'http://localhost:25' }],
  ['MAIL_FROM', { MAIL_FROM: 'nobody' }],
  ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'accounts.google.com' }],
  ['GOOGLE_CLIENT_ID', { GOOGLE_ISSUER: 'https://accounts.google.com' }],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'an id' }],
  [
    'GOOGLE_ISSUER',
    {
      NODE_ENV: 'production',
      SECRET_KEY: KEY,
      GOOGLE_ISSUER: 'http://id.example.com',
      GOOGLE_CLIENT_ID: 'x',
      GOOGLE_CLIENT_SECRET: 'y',
    },
  ],
  ['GMAIL_API_URL', { GMAIL_API_URL: 'x' }],
  ['WHATSAPP_API_URL', { WHATSAPP_API_URL: 'x' }],
  ['STRIPE_API_URL', { STRIPE_API_URL: 'x' }],
  ['STRIPE_SECRET_KEY', { STRIPE_API_URL: 'https://api.stripe.com' }],
  ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_x' }],
  ['COLLECTOR_ALLOW_PRIVATE', { COLLECTOR_ALLOW_PRIVATE: 'a b:1' }],
  ['DNS_SERVERS', { DNS_SERVERS: '1.1.1.1:many' }],
  ['ADMIN_EMAIL', { ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'a long enough phrase' }],
  ['ADMIN_EMAIL', { ADMIN_PASSWORD: 'a long enough phrase' }],
  ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'ada@example.com' }],
  ['ADMIN_PASSWORD', { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'short' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'nginx' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
])('configuration: an unusable %s is refused with one line that names it: %o', (name, environment) => {
  const line = catchConfigError(environment)
  expect(line.split('\n')).toHaveLength(1)
  expect(line).toContain(name)
  expect(line).not.toContain(KEY)
})

test('configuration: the process exits with code 1 and one line if a variable is unusable', async () => {
  expect(await startWith({ PORT: 'eighty' })).toEqual({ code: 1, output: 'postlark: PORT must be a port number\n' })
}, 60_000)

const load = (environment: Record<string, string> = {}) =>
  loadConfig({ DATA_DIR: join(folder, 'data'), ...environment })

test.each([
  ['true', true],
  ['1', 1],
  ['2', 2],
  ['0', undefined],
  ['false', undefined],
  ['10.0.0.0/8, ::1', '10.0.0.0/8,::1'],
  ['loopback', 'loopback'],
])('configuration: TRUST_PROXY=%s is read as %s', (text, meaning) => {
  expect(load({ TRUST_PROXY: text }).trustProxy).toBe(meaning)
})

test('configuration: with one trusted proxy a client cannot forge the address used for rate limits', async () => {
  await using t = await testApp({ environment: { TRUST_PROXY: '1' } })
  const ask = async (forwarded: string) => {
    const [payload, headers] = [{ email: 'one-of-many@example.com' }, { 'x-forwarded-for': forwarded }]
    return (await t.inject({ method: 'POST', url: '/api/auth/forgot-password', payload, headers })).statusCode
  }
  for (let i = 0; i < 100; i++) await ask(`198.51.100.${i}, 203.0.113.5`)
  expect([await ask('198.51.100.200, 203.0.113.5'), await ask('198.51.100.200, 203.0.113.6')]).toEqual([429, 202])
})

test('configuration: a generated secret is private and the same at the next start; an empty file is refused', () => {
  const dataDir = join(folder, 'fresh')
  const { secretKey, secretKeyFile = '' } = loadConfig({ DATA_DIR: dataDir })
  expect(statSync(secretKeyFile).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o066).toBe(0)
  expect(loadConfig({ DATA_DIR: dataDir }).secretKey).toBe(secretKey)
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
  writeFileSync(secretKeyFile, '')
  expect(catchConfigError({ DATA_DIR: dataDir })).toContain('SECRET_KEY')
})

test('configuration: a process starts only with the SECRET_KEY its database was created with', async () => {
  const database = await testDatabase()
  try {
    const environment = { DATABASE_URL: database.url }
    const first = await testApp({ environment })
    const { secretKey } = first.services.config
    await first[Symbol.asyncDispose]()
    await expect(testApp({ environment })).rejects.toThrow(/^SECRET_KEY is not the key of this database.*DATA_DIR/)
    await expect(testApp({ environment: { ...environment, SECRET_KEY: KEY } })).rejects.toThrow(ConfigError)
    await using again = await testApp({ environment: { ...environment, SECRET_KEY: secretKey } })
    const { rows } = await again.services.pool.query("select value from settings where key = 'secret_key'")
    expect(rows).toHaveLength(1)
    expect(rows[0].value).not.toContain(secretKey)
  } finally {
    await database.drop()
  }
})
