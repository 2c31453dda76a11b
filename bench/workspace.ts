import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '#server/platform/config.ts'
import { start } from '#server/start.ts'
import { signIn } from '../e2e/support/server-process.ts'

/** The product in this process on an embedded database of its own, with the first admin signed in, and how to end it. */
export async function startWorkspace() {
  const who = { email: 'a@example.com', password: 'a long enough phrase' }
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
  const config = loadConfig({
    ...{ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', SMTP_URL: 'smtp://127.0.0.1:1' },
    ...{ ADMIN_EMAIL: who.email, ADMIN_PASSWORD: who.password },
  })
  const running = await start(config, 'none')
  const { db } = running.services
  const { id: workspaceId } = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  return {
    db,
    dataDir,
    workspaceId,
    api: await signIn(running.address, who),
    async stop() {
      await running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
