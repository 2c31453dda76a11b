import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadConfig } from '../platform/config.ts'
import { spreadTables } from '../platform/db/citus.ts'
import { THROWAWAY } from '../platform/db/embedded/index.ts'
import { start } from '../start.ts'
import {
  createDatabase,
  dropCopies,
  FIRST_ADMIN,
  isSpread,
  spreadTemplate,
  startPostgres,
  tellEndOfRun,
} from './database.ts'

/**
 * One PostgreSQL for the run, or the server DATABASE_URL names, and in it one migrated database that every product that
 * is started gets a copy of: seconds are spent once.
 */
export default async function setup() {
  const given = process.env.DATABASE_URL
  const server = given ? { url: given, stop: async () => undefined } : await startPostgres(THROWAWAY)
  // A product that is started as a process of its own must not find it.
  delete process.env.DATABASE_URL
  const template = `template_${process.pid}`
  process.env.POSTLARK_TEST_RUN = String(process.pid)
  const { url, drop } = await createDatabase(server.url, template)
  const folder = mkdtempSync(join(tmpdir(), 'postlark-template-'))
  const config = loadConfig({
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'error',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ADMIN_EMAIL: FIRST_ADMIN.email,
    ADMIN_PASSWORD: FIRST_ADMIN.password,
  })
  const running = await start(config, 'none')
  // Every copy is used with a key of its own.
  await running.services.pool.query("delete from settings where key = 'secret_key'")
  await running.stop()
  if (isSpread)
    await spreadTemplate(server.url, template, async () => {
      const pool = new pg.Pool({ connectionString: url })
      await spreadTables(pool)
      await pool.end()
    })
  rmSync(folder, { recursive: true, force: true })
  // What the workers' products write: they end with their workers, without a chance to tidy up.
  const files = mkdtempSync(join(tmpdir(), 'postlark-tests-'))
  process.env.POSTLARK_TEST_FOLDER = files
  process.env.POSTLARK_TEST_SERVER = server.url
  process.env.POSTLARK_TEST_TEMPLATE = template
  return async () => {
    tellEndOfRun(files)
    await dropCopies(server.url)
    await drop()
    await server.stop()
    rmSync(files, { recursive: true, force: true })
  }
}
