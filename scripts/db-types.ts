/** Writes server/platform/db/types.ts from the migrated schema; with --verify only says whether it is up to date. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded, THROWAWAY } from '../server/platform/db/embedded/index.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { createLog } from '../server/platform/log.ts'

const folder = mkdtempSync(join(tmpdir(), 'postlark-types-'))
const embedded = await startEmbedded(folder, createLog({ logLevel: 'silent' }), { settings: THROWAWAY })
const pool = new pg.Pool({ host: embedded.host, user: 'postgres', database: 'postgres', max: 1 })
await migrate(pool)
await pool.end()

const status = await new Promise<number>((resolve) => {
  const child = spawn(
    process.execPath,
    [
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect',
      'postgres',
      '--camel-case',
      '--url',
      `postgres://postgres@localhost/postgres?host=${encodeURIComponent(embedded.host)}`,
      '--out-file',
      'server/platform/db/types.ts',
      '--exclude-pattern',
      '(pgboss.*|schema_migrations)',
      ...(process.argv.includes('--verify') ? ['--verify'] : []),
    ],
    { stdio: 'inherit' },
  )
  child.on('exit', (code) => resolve(code ?? 1))
})
await embedded.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(status)
