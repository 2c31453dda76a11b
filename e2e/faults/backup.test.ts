/** A backup of a running server goes on elsewhere, after the server it was made of is lost. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { sendTo, untilSent, uploadPeople } from '../support/sending.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

// So slow a sender that the campaign is paused amid the sending.
const [COUNT, MARK, PER_SECOND] = [200, 20, 30]
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)

/** Runs a script of package.json as an operator does; returns what it prints. */
const run = async (script: string, dataDir: string, file: string) =>
  (
    await execute(process.execPath, [`scripts/${script}.ts`, file], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir },
    })
  ).stdout

test('backup: of a running server, restored in another folder, a half-sent campaign goes on and nobody is sent to twice', async () => {
  const sink = await startMailSink()
  const [first, second] = [newDataFolder('backup'), mkdtempSync(join(tmpdir(), 'postlark-restored-'))]
  const file = join(second, 'postlark.backup')
  const begin = async (dataDir: string) => {
    const server = startServer({ DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url })
    await server.ready
    return server
  }
  let server = await begin(first)
  try {
    const api = await signIn(server.url)
    const [sender] = (await api(senders.list, { query: {} })).items
    const params = { id: sender?.id ?? '' }
    await api(senders.update, { params, body: { limits: { perSecond: PER_SECOND } } })
    const id = await sendTo(api, await uploadPeople(api, COUNT))
    await sink.waitForCount(MARK)
    await api(campaigns.pause, { params: { id } })
    const isStill = async () => {
      const { counts } = await api(campaigns.get, { params: { id } })
      return counts.sent === sink.received.length && counts.queued === COUNT - counts.sent
    }
    await until(isStill, 'the end of what was being sent')
    expect(await run('backup', first, file)).toMatch(/\d+ rows of \d+ tables/)
    await server.stop('SIGKILL')
    const sent = sink.received.length
    expect(await run('restore', second, file)).toContain('were restored')
    server = await begin(second)
    const again = await signIn(server.url)
    expect(await again(campaigns.get, { params: { id } })).toMatchObject({ state: 'paused', counts: { sent } })
    await again(senders.update, { params, body: { limits: { perSecond: 10 * PER_SECOND } } })
    await again(campaigns.resume, { params: { id } })
    expect(await untilSent(again, id, 60)).toMatchObject({ state: 'sent', counts: { sent: COUNT, unconfirmed: 0 } })
    const reached = sink.received.map(({ to }) => to[0])
    expect(reached).toHaveLength(COUNT)
    expect(new Set(reached).size).toBe(COUNT)
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(first, { recursive: true, force: true })
    rmSync(second, { recursive: true, force: true })
  }
})
