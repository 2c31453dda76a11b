import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postlark-config-'))
  writeFileSync(join(folder, 'a-file'), '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function startWith(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, ['server/main.ts'], { cwd: ROOT, env, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: stdout + stderr })
    })
  })
}

const KEY = 'k'.repeat(32)

test.concurrent.each<[name: string, environment: Record<string, string>]>([
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: '-1' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'example.com' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'ftp://example.com' }],
  ['DATA_DIR', { DATA_DIR: '/dev/null/below' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/x' }],
  ['DATABASE_BACKEND', { DATABASE_BACKEND: 'oracle' }],
  ['DATABASE_BACKEND', { DATABASE_BACKEND: 'citus' }],
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
])('a %s that cannot be used stops the start with one line that names it: %o', async (name, environment) => {
  const { code, output } = await startWith(environment)
  expect([code, output.trimEnd().split('\n').length]).toEqual([1, 1])
  expect(output).toContain(name)
  expect(output).not.toContain(KEY)
})
