import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, watch } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLong } from '#server/testing/long.ts'
import { freshCheckout, npm } from '../support/fresh-checkout.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

test('npm start: a fresh checkout serves, stops on Ctrl-C and keeps its data', async () => {
  // `npm test` built everything in its own checkout just before, in the same way.
  using checkout = freshCheckout({ isBuilt: !isLong })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = { PORT: String(port) }

  // A start that cannot listen leaves the first admin, whose password is told once, to the next one.
  const other = createServer().listen(port)
  await once(other, 'listening')
  using refused = npm(checkout.folder, ['start'], environment)
  await refused.says(/PORT \d+ is in use by another program/)
  await refused.exited
  other.close()

  using first = npm(checkout.folder, ['start'], environment)
  const admin = await first.says(/First admin, shown once: +e-mail (\S+) +password (\S+)\n/)
  expect(refused.output().includes('postlark: building')).toBe(isLong)
  expect(first.output()).toContain(`Postlark is ready: http://localhost:${port}`)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const landing = await fetch(url)
  expect(landing.status).toBe(200)
  expect(await landing.text()).toMatch(/<h1[^>]*>[^<]+/)
  const unknown = await fetch(`${url}/no-such-page/at-all`)
  expect(unknown.status).toBe(404)
  expect(await unknown.text()).toContain('Page Not Found')
  // Link checkers and monitors ask for the head alone.
  for (const [path, status] of [
    ['/', 200],
    ['/blogs', 200],
    ['/no-such-page/at-all', 404],
  ] as const)
    expect((await fetch(`${url}${path}`, { method: 'HEAD' })).status, path).toBe(status)
  const who = { email: admin[1] ?? '', password: admin[2] ?? '' }
  await signIn(url, who)

  // Ctrl-C reaches npm, the shell and the server alike, and an impatient person presses it again.
  first.signalGroup('SIGINT')
  first.signalGroup('SIGINT')
  await first.exited
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  expect(first.output()).not.toMatch(/"level":50|Error/)

  using second = npm(checkout.folder, ['start'], environment)
  await second.says(/Postlark is ready/)
  expect(second.output()).not.toContain('postlark: building')
  expect(second.output()).not.toContain('password')
  await signIn(url, who)
  second.signalGroup('SIGTERM')
  await second.exited
})

test('server stop: the server ends with 0 on one or several signals, also while it starts', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-stop-'))
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: 'smtp://127.0.0.1:1' }
  try {
    for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT', 'SIGTERM']] as const) {
      const server = startServer(environment)
      await server.ready
      const ended = Promise.all(signals.map((signal) => server.stop(signal)))
      expect(await ended).toEqual(signals.map(() => 0))
    }
    const early = startServer({ ...environment, LOG_LEVEL: 'trace' })
    // Its handlers are set before anything is opened; PostgreSQL's process is the first thing seen from outside.
    const folder = join(dataDir, 'postgres')
    while (!existsSync(join(folder, 'postmaster.pid'))) await once(watch(folder), 'change')
    expect(await early.stop('SIGINT')).toBe(0)
    const after = startServer(environment)
    await after.ready
    expect(await after.stop()).toBe(0)
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
})
