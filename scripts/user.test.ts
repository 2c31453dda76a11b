import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { testApp } from '#server/testing/app.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'postlark-user-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `npm run user -- …` without npm's own lines. */
function user(given: string[], dataDir = folder): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, NODE_COMPILE_CACHE: '.cache/node' }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/user.ts', ...given], { cwd: ROOT, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out: stdout, err: stderr })
    })
  })
}

test('user command: users are added, listed and changed, and a repeated address is refused', async () => {
  const ada = ['--email', 'Ada@Example.com', '--password', 'a long enough phrase', '--name', 'Ada Example']
  const added = await user(['add', ...ada, '--role', 'admin', '--plan', 'pro', '--verified'])
  expect(added).toMatchObject({ code: 0, err: '' })
  expect(added.out).toMatch(/^\d+\n$/)
  const again = await user([
    'add',
    '--email',
    'ada@EXAMPLE.com',
    '--password',
    'quite another phrase',
    '--name',
    'Eve',
    '--role',
    'user',
  ])
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.err.trim().split('\n')).toHaveLength(1)
  const { out: listed } = await user(['list'])
  expect(listed.split('\n')).toEqual([
    expect.stringMatching(/Ada@example\.com\tAda Example\tadmin\tpro\tverified/i),
    '',
  ])

  expect(
    await user([
      'set',
      '--email',
      'ada@example.com',
      '--plan',
      'free',
      '--role',
      'user',
      '--password',
      'a second long phrase',
    ]),
  ).toMatchObject({ code: 0, out: added.out })

  await using t = await testApp({ isEmbedded: true, environment: { DATA_DIR: folder } })
  const lines = await t.services.db
    .selectFrom('auditLog')
    .where('actor', '=', 'command line')
    .select(['action', 'subject', 'network', 'details'])
    .orderBy('id')
    .execute()
  expect(lines.map((line) => [line.action, line.details])).toEqual([
    ['user_added', { role: 'admin', plan: 'pro', verified: true }],
    ['plan_changed', { from: 'pro', to: 'free' }],
    ['role_changed', { from: 'admin', to: 'user' }],
    ['password_changed', {}],
  ])
  expect(lines.every((line) => line.subject.toLowerCase() === 'ada@example.com' && line.network === '')).toBe(true)
  const { token } = await t.api(accounts.login, {
    body: { email: 'ada@example.com', password: 'a second long phrase' },
  })
  expect(await t.createClient(token)(accounts.user)).toMatchObject({
    name: 'Ada Example',
    role: 'user',
    currentPlan: 'free',
    emailVerified: true,
  })
  await expect(
    t.api(accounts.login, { body: { email: 'ada@example.com', password: 'a long enough phrase' } }),
  ).rejects.toMatchObject({ status: 401 })

  const busy = await user(['list'])
  expect(busy).toMatchObject({ code: 1, out: '' })
  expect(busy.err.trim().split('\n')).toHaveLength(1)
  expect(busy.err).toContain('Stop the server first')
}, 240_000)

test('user command: an invalid argument is refused in one line that names it', async () => {
  const all = ['--email', 'eve@example.com', '--password', 'a long enough phrase', '--name', 'Eve']
  for (const [given, word] of [
    [['add', '--email', 'eve@example.com'], '--password'],
    [['add', ...all, '--role', 'king'], '--role'],
    [['add', ...all, '--plan', 'gold'], '--plan'],
    [['add', '--email', 'eve@example.com', '--password', 'short', '--name', 'Eve'], '--password'],
    [['add', '--email', 'eve', '--password', 'a long enough phrase', '--name', 'Eve'], '--email'],
    [['list', '--color'], '--color'],
  ] as const) {
    const result = await user([...given])
    expect([result.code, result.out]).toEqual([1, ''])
    expect(result.err).toContain(word)
    expect(result.err.trim().split('\n')).toHaveLength(1)
  }
  expect((await user(['dance'])).err).toContain('Usage')
}, 120_000)
