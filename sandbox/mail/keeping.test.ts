import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SandboxScope } from '#server/features/sandbox/index.ts'
import { createLog } from '#server/platform/log.ts'
import { converse, email } from '../smtp-client.fixture.ts'
import { startMailSandbox } from './mail-sandbox.ts'
import { MailStore } from './store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postlark-mails-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (segmentBytes = 1e9, totalBytes = 1e9) => new MailStore(folder, { segmentBytes, totalBytes })
const mail = (n: number, text = `mail ${n}`, workspace: string | null = null) => ({
  row: {
    workspace,
    from: `Ada <ada${n}@example.com>`,
    to: [`to${n}@example.com`],
    subject: `Number ${n} "grüßt"`,
    at: new Date(1e12).toISOString(),
  },
  raw: Buffer.from(text),
})
const files = (kind: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(kind))
    .map((name) => join(folder, name))
const listIds = async (store: MailStore, q?: string) =>
  (await store.list({ scope: 'all', limit: 10, q })).items.map((row) => row.id)

test('mail emulator: stored emails are found, paged and searched after a restart', async () => {
  const first = open()
  for (let n = 1; n <= 25; n++) first.append([mail(n)])
  first.close()
  const store = open()
  expect(store.count('all')).toBe(25)
  const page = await store.list({ scope: 'all', limit: 10, before: 11 })
  expect([page.items.map((row) => row.id), page.more]).toEqual([[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], false])
  expect(await listIds(store, 'TO17@')).toEqual([17])
  expect(await listIds(store, 'number 9 "GRÜSST"'.replace('SS', 'ß'))).toEqual([9])
  expect(await listIds(store, 'offset')).toEqual([])
  expect(store.source('all', 17)?.toString()).toBe('mail 17')
  store.close()
})

test('mail emulator: a torn email is dropped at the start, lost rows are rebuilt, and new ones follow', async () => {
  const first = open()
  for (let n = 1; n <= 5; n++) first.append([mail(n)])
  first.close()
  const [mailFile = '', rowsFile = ''] = [files('.mail')[0], files('.rows')[0]]
  truncateSync(mailFile, statSync(mailFile).size - 3)
  truncateSync(rowsFile, 40)
  const store = open()
  expect(await listIds(store)).toEqual([4, 3, 2, 1])
  expect(store.append([mail(9)])[0]?.id).toBe(5)
  store.close()
  appendFileSync(mailFile, Buffer.alloc(300))
  appendFileSync(rowsFile, '{"id":6,"to')
  const again = open()
  expect(await listIds(again)).toEqual([5, 4, 3, 2, 1])
  expect(again.source('all', 5)?.toString()).toBe('mail 9')
  again.close()
})

test('mail emulator: the oldest emails are deleted above the size limit, and ids continue', async () => {
  const store = open(2_000, 10_000)
  for (let n = 1; n <= 100; n++) store.append([mail(n, 'x'.repeat(300))])
  const sizes = [...files('.mail'), ...files('.rows')].map((file) => statSync(file).size)
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(13_000)
  expect((await listIds(store))[0]).toBe(100)
  expect(store.row('all', 1)).toBeUndefined()
  expect(store.source('all', 100)?.length).toBe(300)
  store.close()
})

test('mail emulator: an emptied store stays empty after a restart and reuses no id', async () => {
  const store = open(500)
  for (let n = 1; n <= 10; n++) store.append([mail(n)])
  store.clear('all')
  store.clear('all')
  expect([store.count('all'), await listIds(store), store.source('all', 3)]).toEqual([0, [], undefined])
  store.close()
  const again = open()
  expect(again.append([mail(11)])[0]?.id).toBe(11)
  again.close()
})

test('mail emulator: a workspace finds and clears its own emails only, also after a restart', async () => {
  const [ada, ben] = [{ workspaceId: '7' }, { workspaceId: '18446744073709' }]
  const subjects = async (store: MailStore, scope: SandboxScope, q?: string) =>
    (await store.list({ scope, limit: 3, q })).items.map((row) => row.id)
  const first = open(2_000)
  for (let n = 1; n <= 12; n++) first.append([mail(n, 'x', n % 3 === 0 ? '7' : n % 3 === 1 ? ben.workspaceId : null)])
  first.close()
  const store = open(2_000)
  expect([await subjects(store, ada), await subjects(store, ben), await subjects(store, 'system')]).toEqual([
    [12, 9, 6],
    [10, 7, 4],
    [11, 8, 5],
  ])
  expect((await store.list({ scope: ada, limit: 3, before: 6 })).items.map((row) => row.id)).toEqual([3])
  expect([store.row(ben, 9), store.source('system', 9), store.count(ada)]).toEqual([undefined, undefined, 4])
  expect(await subjects(store, ada, 'number 10 ')).toEqual([])
  expect(await subjects(store, ben, 'number 10 ')).toEqual([10])
  store.clear(ada)
  store.append([mail(13, 'x', '7')])
  store.close()
  const again = open(2_000)
  expect([await subjects(again, ada), again.row('all', 9), again.count(ben)]).toEqual([[13], undefined, 4])
  again.close()
})

test('mail emulator: every acknowledged email survives a kill', async () => {
  const log = createLog({ logLevel: 'silent' })
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../sandbox-process.fixture.ts', import.meta.url)), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const acknowledged: string[] = []
  const send = async (name: string) => {
    const client = await converse(url)
    await client.say('EHLO test\r\n')
    for (let n = 0; ; n++) {
      const subject = `${name}-${n}`
      const reply = await client.mail('a@example.com', email(subject, 'x'.repeat(900))).catch(() => undefined)
      if (!reply?.startsWith('250')) return
      acknowledged.push(subject)
      if (acknowledged.length === 400) child.kill('SIGKILL')
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(send))
  const box = await startMailSandbox({ dataDir: folder, secretKey: 'a key of this test' }, log)
  const kept = new Set<string>()
  for (let before: string | undefined; ; ) {
    const page = await box.mails?.list({ scope: 'all', limit: 200, before })
    for (const row of page?.items ?? []) kept.add(row.subject)
    if (!page?.more) break
    before = page.items.at(-1)?.id
  }
  await box.stop()
  expect(acknowledged.length).toBeGreaterThanOrEqual(400)
  expect(acknowledged.filter((subject) => !kept.has(subject))).toEqual([])
  // At most what was under way when it was killed.
  expect(kept.size - acknowledged.length).toBeLessThanOrEqual(4)
})
