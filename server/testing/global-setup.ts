import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../platform/config.ts'
import { start } from '../start.ts'

/** Makes one migrated data folder that every test file copies: seconds are spent once. */
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-template-'))
  const config = loadConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'error',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'the first admin phrase',
  })
  const running = await start(config, 'none')
  await running.stop()
  // Where the stand-ins listen belongs to this folder alone.
  rmSync(join(folder, 'sandbox'), { recursive: true, force: true })
  process.env.POSTLARK_TEST_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
