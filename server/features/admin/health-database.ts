import type { HealthLine } from '#contracts/admin/admin.ts'
import { measureLatency } from '#server/platform/db/latency.ts'
import { migrationState } from '#server/platform/db/migrate.ts'
import type { Services } from '#server/services.ts'
import { many, spellBytes } from './health-labels.ts'

const SLOW_MS = 250

/** Which database it is, how large, how quick, and whether its tables are those this version wants. */
export async function databaseLines({ pool, alone }: Pick<Services, 'pool' | 'alone'>): Promise<HealthLine[]> {
  const milliseconds = (await measureLatency(pool)) * 1_000
  const { rows } = await pool.query<{ version: string; size: string }>(
    "select current_setting('server_version') as version, pg_database_size(current_database()) as size",
  )
  const kind = alone ? 'Embedded PostgreSQL' : 'PostgreSQL'
  const slow = milliseconds > SLOW_MS
  const { missing, unknown, applied } = await migrationState(pool)
  const area = 'database'
  return [
    {
      area,
      name: 'Kind and size',
      state: 'ok',
      text: `${kind} ${rows[0]?.version ?? ''}, ${spellBytes(Number(rows[0]?.size ?? 0))}.`,
      advice: '',
    },
    {
      area,
      name: 'Response time',
      state: slow ? 'warning' : 'ok',
      text: `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms.`,
      advice: slow
        ? alone
          ? 'The database is slow. For this load, use a separate PostgreSQL (DATABASE_URL).'
          : 'The database is slow. Check the load of its machine and the network latency.'
        : '',
    },
    {
      area,
      name: 'Tables',
      state: missing.length > 0 ? 'bad' : unknown.length > 0 ? 'warning' : 'ok',
      text:
        missing.length > 0
          ? `${many(missing.length, 'migration')} not applied: ${missing.join(', ')}.`
          : unknown.length > 0
            ? `The database is newer than this process: ${unknown.join(', ')}.`
            : `Up to date: ${many(applied, 'migration')} applied.`,
      advice:
        missing.length > 0
          ? 'Run npm run migrate, or restart the server: it migrates as it starts.'
          : unknown.length > 0
            ? 'Restart this process with the newer version.'
            : '',
    },
  ]
}
