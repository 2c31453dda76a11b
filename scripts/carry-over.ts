/**
 * npm run carry-over: brings the rows of the preview, whose embedded database was PGlite (DATA_DIR/database), into the
 * embedded PostgreSQL. The old folder is read from a copy and stays as it is. The server has to be stopped.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { loadConfig } from '../server/platform/config.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { createLog } from '../server/platform/log.ts'

const PGLITE = '@electric-sql/pglite'
const VERSION = '0.5.14'
const BATCH_SIZE = 1_000

/** As much of PGlite as is used here. */
interface Preview {
  query<T>(statement: string): Promise<{ rows: T[] }>
  close(): Promise<void>
}

class CannotCarryOver extends Error {}

async function openPreview(folder: string, temporary: string): Promise<Preview> {
  execFileSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', temporary, `${PGLITE}@${VERSION}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const copy = join(temporary, 'database')
  cpSync(folder, copy, { recursive: true })
  const { PGlite } = await import(pathToFileURL(join(temporary, 'node_modules', PGLITE, 'dist/index.js')).href)
  return PGlite.create({ dataDir: copy })
}

// The last migration of the preview.
const PREVIEW_MIGRATION = '0021_contacts_by_number.sql'

// The tables that had no workspace in the preview: whose it is, and by which column.
const WORKSPACE_OF = new Map([
  ['import_errors', ['imports', 'import_id']],
  ['sender_usage', ['senders', 'sender_id']],
  ['campaign_counts', ['campaigns', 'campaign_id']],
  ['campaign_links', ['campaigns', 'campaign_id']],
  ['claims', ['campaigns', 'campaign_id']],
])

// The tables that had another name in the preview.
const PREVIEW_NAMES = new Map([
  ['crawl_jobs', 'collector_jobs'],
  ['crawl_pages', 'collector_pages'],
  ['crawl_results', 'collector_results'],
  ['images', 'pictures'],
  ['retained_suppressions', 'kept_suppressions'],
  ['whatsapp_consents', 'whatsapp_opt_ins'],
  ['whatsapp_numbers', 'whatsapp_accounts'],
  ['whatsapp_webhook_events', 'whatsapp_hooks'],
  ['workspace_images', 'workspace_pictures'],
])

// The columns that had another name in the preview: by the table.
const PREVIEW_COLUMNS = new Map([
  ['brands', { name: 'colors', was: 'colours' }],
  ['crawl_results', { name: 'organization', was: 'organisation' }],
  ['imports', { name: 'consents', was: 'opt_ins' }],
])

interface Table {
  name: string
  columns: string[]
}

// The stored columns of each table.
const TABLES = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations' group by c.relname`

// What triggers would have noted for the figures of reports (migrations/0054_tracking.sql, 0055_tracking.sql).
const MARKS = [
  `insert into event_changes (workspace_id, campaign_id, message_ids)
  select workspace_id, campaign_id, array_agg(message_id order by message_id)
  from (select distinct workspace_id, campaign_id, message_id from events) e
  group by workspace_id, campaign_id, message_id / 1000`,
  `insert into message_changes (workspace_id, campaign_id, domains, outcomes, messages)
  select workspace_id, campaign_id, array_agg(domain), array_agg(outcome), array_agg(messages) from (
    select workspace_id, campaign_id, case when position('@' in address) > 0 then lower(split_part(address, '@', -1)) else '' end as domain,
      case when state = 'failed' and reason in ('hard', 'soft', 'expired') then 'failed-address'
        when state in ('failed', 'bounced', 'deferred') and reason = 'block' then state || '-block' else state end as outcome,
      count(*) as messages
    from messages where state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed') group by 1, 2, 3, 4
  ) sums group by workspace_id, campaign_id`,
]

async function copyTable(preview: Preview, client: pg.PoolClient, { name, columns: names }: Table): Promise<number> {
  let count = 0
  const columns = names.map((column) => `"${column}"`).join(', ')
  const [owner, key] = WORKSPACE_OF.get(name) ?? []
  const old = PREVIEW_NAMES.get(name) ?? name
  const renamed = PREVIEW_COLUMNS.get(name)
  const stored = renamed ? `(select t.*, t.${renamed.was} as ${renamed.name} from ${old} t)` : old
  const source = owner ? `(select t.*, o.workspace_id from ${old} t join ${owner} o on o.id = t.${key})` : stored
  await preview.query(`declare carried no scroll cursor with hold for select to_json(t)::text as row from ${source} t`)
  for (;;) {
    const { rows } = await preview.query<{ row: string }>(`fetch ${BATCH_SIZE} from carried`)
    if (rows.length === 0) break
    await client.query(
      `insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, $1)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
    count += rows.length
  }
  await preview.query('close carried')
  return count
}

/** Numbers given out from now on come after those that were carried over. */
async function raiseSequences(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(`
    select c.relname as name, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null`)
  for (const { name, column, sequence } of rows)
    await client.query(`select setval('${sequence}', coalesce(max("${column}"), 0) + 1, false) from "${name}"`)
}

async function carryOver(preview: Preview, client: pg.PoolClient): Promise<void> {
  const { rows: known } = await preview.query(`select 1 from schema_migrations where name = '${PREVIEW_MIGRATION}'`)
  if (known.length === 0)
    throw new CannotCarryOver('The preview is of another version. Start its own version once more, then try again.')
  if ((await client.query('select 1 from contacts union all select 1 from campaigns limit 1')).rows.length > 0)
    throw new CannotCarryOver(
      'DATA_DIR/postgres has contacts or campaigns already. Move it away first; nothing was changed.',
    )
  const { rows: tables } = await client.query<Table>(TABLES)
  const old = new Map((await preview.query<Table>(TABLES)).rows.map(({ name, columns }) => [name, columns]))
  await client.query('begin')
  // No trigger counts again what is counted already, and no key asks for a row that comes later.
  await client.query('set local session_replication_role = replica')
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  let rows = 0
  // What the preview did not have yet stays at its default.
  for (const { name, columns } of tables) {
    const before = old.get(PREVIEW_NAMES.get(name) ?? name)
    const renamed = PREVIEW_COLUMNS.get(name)?.name ?? []
    const known = [...(before ?? []), ...(WORKSPACE_OF.has(name) ? ['workspace_id'] : [])].concat(renamed)
    const had = columns.filter((column) => known.includes(column))
    if (before && had.length > 0) rows += await copyTable(preview, client, { name, columns: had })
  }
  // Members from before are asked to confirm by hand only (POST /api/lists/{id}/confirmations).
  await client.query("update list_members set asked_at = at where status = 'pending'")
  // Which limit a campaign reserved of went by its channel.
  await client.query("update campaigns set reserved_of = 'whatsapp_messages' where channel = 'whatsapp'")
  // The reason had another name.
  await client.query("update messages set reason = 'no_consent' where reason = 'no_opt_in'")
  for (const marks of MARKS) await client.query(marks)
  await raiseSequences(client)
  await client.query('commit')
  await client.query('analyze')
  console.log(`${rows} rows of ${tables.length} tables were carried over. DATA_DIR/database is no longer needed.`)
}

async function run() {
  const config = loadConfig()
  const folder = join(config.dataDir, 'database')
  if (!existsSync(join(folder, 'PG_VERSION')))
    throw new CannotCarryOver(`There is no database of the preview in ${folder}.`)
  const temporary = mkdtempSync(join(tmpdir(), 'postlark-carry-over-'))
  const database = await openDatabase(config, createLog({ logLevel: 'silent' }))
  try {
    await migrate(database.pool)
    const preview = await openPreview(folder, temporary)
    const client = await database.pool.connect()
    await carryOver(preview, client).finally(() => client.release(true))
    await preview.close()
  } finally {
    await database.close()
    rmSync(temporary, { recursive: true, force: true })
  }
}

run().catch((error) => {
  console.error(error instanceof CannotCarryOver ? error.message : error)
  process.exitCode = 1
})
