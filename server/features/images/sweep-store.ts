import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

// A draft in somebody's browser may name what was uploaded for it.
const AGE = sql`interval '7 days'`
/** Tables of many rows that hold no HTML of ours. */
const SKIPPED = [
  ...['contacts', 'list_members', 'messages', 'events', 'audit_log', 'throttles', 'suppressions', 'contact_origins'],
  ...[
    'import_errors',
    'crawl_pages',
    'crawl_results',
    'whatsapp_messages',
    'whatsapp_webhook_events',
    'gmail_messages',
  ],
]

interface Column {
  table: string
  column: string
}

/** Every column that may show an image, as the database itself knows them: a new table cannot be forgotten. */
async function columnsWithText(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as "column" from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    where c.table_schema = current_schema() and c.data_type in ('text', 'jsonb') and c.table_name <> all(${SKIPPED}::text[])`.execute(
    db,
  )
  return rows
}

/**
 * Deletes images that no library, post, template, campaign or anything else names any more; returns how many. What was
 * uploaded less than seven days ago is left: it may stand in something that was not saved yet.
 */
export async function sweepImages(db: Db): Promise<number> {
  const { rows: old } = await sql`select 1 from images where created_at < now() - ${AGE} limit 1`.execute(db)
  if (old.length === 0) return 0
  const named = sql.join(
    (await columnsWithText(db)).map(
      ({ table, column }) => sql`select m[1] as hash from ${sql.table(table)} as t
        cross join lateral regexp_matches(t.${sql.ref(column)}::text, '/media/([0-9a-f]{40})-', 'g') as m`,
    ),
    sql` union `,
  )
  const { rows } = await sql<{ n: string }>`
    with named as materialized (${named}), gone as (
      delete from images p where created_at < now() - ${AGE} and not exists (select 1 from named where named.hash = p.hash)
      returning 1
    ) select count(*) as n from gone`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
