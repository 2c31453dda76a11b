/** The checks of an installation with the embedded database, while its server runs, and after it was killed. */
import { execFile } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { newDataFolder } from '../support/prepared-folder.ts'
import { freePort, startServer } from '../support/server-process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)

test('doctor: it works while the server runs and after it was killed, and leaves the folder as it was', async () => {
  const sink = await startMailSink()
  const dataDir = newDataFolder('doctor')
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: sink.url }
  const run = async (script: string, ...given: string[]) => {
    const options = { cwd: ROOT, env: { ...process.env, ...environment } }
    return (await execute(process.execPath, [`scripts/${script}.ts`, ...given], options)).stdout
  }
  const look = () => ({ entries: readdirSync(dataDir).sort(), key: readFileSync(join(dataDir, 'secret.key'), 'utf8') })
  let server = startServer(environment)
  try {
    await server.ready
    const before = look()
    const running = await run('doctor')
    expect(running).toContain(`ok       Server: It responds at ${server.url}.`)
    expect(running).toMatch(/^ok {7}Database: Embedded PostgreSQL/m)
    expect(running).toContain('warning  Backup: None was made')
    await run('backup', join(dataDir, 'imports.backup'))
    await server.stop('SIGKILL')
    const stopped = await run('doctor')
    expect(stopped).toContain('ok       Server: It is not running.')
    expect(stopped).toMatch(/^ok {7}Backup: The last one was made \d+ s ago/m)
    rmSync(join(dataDir, 'imports.backup'))
    if (process.getuid?.() === 0) {
      chownSync(dataDir, 10_001, 10_001)
      expect(await run('doctor')).toContain('warning  Database: Not looked at')
      chownSync(dataDir, 0, 0)
    }
    expect(look()).toEqual(before)
    server = startServer(environment)
    await server.ready
  } finally {
    await server.stop('SIGKILL')
    await sink.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
