/**
 * What the container image holds, laid out by the script of the Dockerfile and run as the Dockerfile says: as another user, on a
 * root file system that cannot be written to. No container runtime is needed, but root is.
 */
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { layOutImage } from '../../scripts/image.ts'
import { ADMIN, freePort, signIn } from '../support/server-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const USER = 10_001
const isRoot = process.getuid?.() === 0
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'postlark-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The variables of the image, and the command that it runs. */
function readDockerfile() {
  const final = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM ')).replaceAll('\\\n', ' ')
  const variables = /^ENV (.*)$/m.exec(final)?.[1]?.trim().split(/\s+/) ?? []
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(final)?.[1] ?? '[]') as string[]
  return { variables, command }
}

/** Runs a command in the image, with the variables of the Dockerfile and these. */
function runInImage(data: string, variables: string[], command: string[]) {
  const root = mkdtempSync(join(folder, 'root-'))
  const sandbox = ['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', 'e2e/support/read-only-root.sh']
  const given = [...sandbox, join(folder, 'app'), data, root, '-i', 'PATH=/usr/bin:/bin', ...variables, ...command]
  const child = spawn('unshare', given, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  return {
    child,
    exited,
    output: Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join('')),
  }
}

/** Sends a signal to the process inside, which is the child of unshare. */
function signalInside(pid: number, name: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  process.kill(Number(children[0]), name)
}

test.skipIf(!isRoot)('image: its files run as another user, and write nowhere but in the data folder', async () => {
  const { all = 0 } = layOutImage(join(folder, 'app'))
  // With the base image, 400 MB at most.
  expect(all).toBeLessThan(320e6)
  const data = join(folder, 'data')
  mkdirSync(data)
  chownSync(data, USER, USER)
  const { variables, command } = readDockerfile()
  expect(command).toEqual([
    expect.stringContaining('node/bin/node'),
    '--max-semi-space-size=16',
    'build/server/main.js',
  ])
  const [node = ''] = command

  const probe =
    'for f in /x /app/x /tmp/x /etc/x; do (: > $f) 2>/dev/null && echo "$f was written"; done; : > /data/x; id -u'
  expect(await runInImage(data, variables, ['sh', '-c', probe]).output).toBe(`${USER}\n`)
  rmSync(join(data, 'x'))

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = [
    ...variables,
    `PORT=${port}`,
    'HOST=127.0.0.1',
    `SECRET_KEY=${'k'.repeat(40)}`,
    'SMTP_URL=smtp://127.0.0.1:1',
    `ADMIN_EMAIL=${ADMIN.email}`,
    `ADMIN_PASSWORD=${ADMIN.password}`,
  ]
  const doctor = await runInImage(data, settings, [node, 'scripts/doctor.ts']).output
  expect(doctor).toContain('ok       Database: Embedded; none yet.')
  // Node's own.
  expect(readdirSync(data)).toEqual(['cache'])

  const server = runInImage(data, settings, command)
  const ready = new Promise<void>((resolve, reject) => {
    server.child.stdout?.on('data', (chunk: Buffer) => String(chunk).includes('Postlark is ready') && resolve())
    void server.output.then((output) => reject(new Error(`the server ended:\n${output}`)))
  })
  try {
    await ready
    for (const path of ['/healthz', '/readyz', '/api/system', '/', '/login']) {
      const { status } = await fetch(`${url}${path}`)
      expect([path, status]).toEqual([path, 200])
    }
    const api = await signIn(url)
    await api(contacts.create, { body: { email: 'ada@example.com' } })
    signalInside(server.child.pid ?? 0, 'SIGTERM')
    expect(await server.exited).toBe(0)
    expect(await server.output).not.toMatch(/EROFS|EACCES|EPERM|Read-only/)
  } finally {
    server.child.kill('SIGKILL')
    await server.exited
  }
  const script = (name: string, ...given: string[]) =>
    runInImage(data, settings, [node, `scripts/${name}.ts`, ...given]).output
  expect(await script('backup', '/data/postlark.backup')).toMatch(/ rows of \d+ tables, /)
  renameSync(join(data, 'postgres'), join(data, 'postgres.old'))
  expect(await script('restore', '/data/postlark.backup')).toMatch(/ rows of \d+ tables were restored\.$/m)
  expect(await script('rollups')).toBe('Every figure is what its events say.\n')
  expect(await script('retention', '24')).toBe('Nothing to merge.\n')
  for (const name of ['postlark.backup', 'postgres.old']) rmSync(join(data, name), { recursive: true })

  expect(readdirSync(data).sort()).toEqual(['cache', 'database.lock', 'journal', 'postgres', 'tmp'])
  expect(readdirSync(join(data, 'tmp'))).toEqual([])
})
