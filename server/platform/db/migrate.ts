import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { oneAtATime } from './lock.ts'
import { findUnsupportedServer } from './supported/index.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url).pathname

// The first of the files that one baseline replaced before the first release.
const UNRELEASED = '0001_foundation.sql'

/** The database cannot be brought up to date; the message is for the operator, in one line. */
export class MigrationError extends Error {}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
}

/** How the database stands to this version's files: not applied yet, applied by a newer version, how many applied. */
export async function migrationState(
  pool: pg.Pool,
): Promise<{ missing: string[]; unknown: string[]; applied: number }> {
  const files = await migrationFiles()
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations order by name')
  const names = rows.map((row) => row.name)
  return {
    missing: files.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !files.includes(name)),
    applied: names.length,
  }
}

/**
 * Applies the numbered SQL files not yet applied, each in a transaction, one process at a time: all, or those named in
 * `only`. Returns their names. Throws MigrationError, with nothing applied, for a server that is not supported, for a database of a
 * version before the first release, and where a file named in `only` does not exist here.
 */
export async function migrate(pool: pg.Pool, only?: string[]): Promise<string[]> {
  const unsupported = await findUnsupportedServer(pool)
  if (unsupported) throw new MigrationError(`${unsupported.problem} ${unsupported.advice}`)
  return oneAtATime(pool, async (client) => {
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const known = new Set(rows.map((row) => row.name))
    if (known.has(UNRELEASED))
      throw new MigrationError(
        'The database was created by a version before the first release and cannot be upgraded; nothing was changed. Use an empty database: another DATA_DIR, or another DATABASE_URL.',
      )
    const files = await migrationFiles()
    const missing = only?.find((name) => !files.includes(name))
    if (missing) throw new MigrationError(`This version has no migration ${missing}.`)
    const fresh = files.filter((name) => !known.has(name) && (only?.includes(name) ?? true))
    for (const name of fresh) {
      await client.query('begin')
      try {
        await client.query(await readFile(join(FOLDER, name), 'utf8'))
        await client.query('insert into schema_migrations (name) values ($1)', [name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return fresh
  })
}
