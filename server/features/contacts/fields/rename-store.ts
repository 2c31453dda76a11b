/** A custom field gets another name: what knows it by its name, and the values of contacts. */
import { sql } from 'kysely'
import { type FieldUse, MAX_FIELD_USES } from '#contracts/contacts/fields.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Values that one transaction moves: others wait for it. */
const MAX_VALUES = 50_000

/** What of a workspace names a field: as `attributes.name` or `attributes["name"]`, or as the field of time zones. At most MAX_FIELD_USES. */
export async function findUses(db: Db, workspaceId: string, name: string): Promise<FieldUse[]> {
  const escaped = name.replace(/[.-]/g, '\\$&')
  const quote = `\\\\?["']`
  const pattern = `attributes(\\.${escaped}(?![[:alnum:]_-])|\\s*\\[\\s*${quote}${escaped}${quote}\\s*\\])`
  const uses = (kind: FieldUse['kind'], table: string) =>
    sql`select ${kind}::text as kind, t.id, t.name, null::jsonb as campaign from ${sql.table(table)} t
      where t.workspace_id = ${workspaceId} and to_jsonb(t)::text ~ ${pattern}`
  const { rows } = await sql<FieldUse>`select kind, id, name, campaign from (
    ${uses('template', 'templates')}
    union all ${uses('block', 'saved_blocks')}
    union all ${uses('segment', 'segments')}
    union all ${uses('form', 'forms')}
    union all ${uses('automation', 'whatsapp_automations')}
    union all select 'journey', j.id, j.name, null from journeys j where j.workspace_id = ${workspaceId} and j.state <> 'archived'
      and (j.definition::text ~ ${pattern} or jsonb_path_exists(j.definition,
        '$.**.attributes ? (@.type() == "object").keyvalue() ? (@.key == $name)', jsonb_build_object('name', ${name}::text)))
    union all select 'campaign', c.id, c.name, jsonb_build_object('channel', c.channel, 'state', c.state) from campaigns c where c.workspace_id = ${workspaceId} and c.deleted_at is null and (
      (to_jsonb(c) - 'plan')::text ~ ${pattern} or c.sending_window ->> 'zoneField' = ${name}
      or c.plan -> 'fields' @> jsonb_build_array(jsonb_build_object('path', 'attributes.' || ${name}::text)))
    union all select 'import', i.id, i.file_name, null from imports i where i.workspace_id = ${workspaceId} and i.state in ('queued', 'running')
  ) uses limit ${MAX_FIELD_USES}`.execute(db)
  return rows
}

/**
 * Gives a field another name, with the values of contacts and of requests that are not confirmed. Returns why not: another field
 * or value has the name, or more contacts than one transaction changes have a value.
 */
export async function renameField(
  db: Db,
  workspaceId: string,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<'renamed' | 'taken' | 'too_many'> {
  const { rows } = await sql<{ isTaken: boolean; values: number }>`
    select exists (select 1 from contact_fields where workspace_id = ${workspaceId} and name = ${to} and deleted_at is null)
        or exists (select 1 from contacts where workspace_id = ${workspaceId} and attributes ? ${to}) as is_taken,
      (select count(*)::int from (select 1 from contacts where workspace_id = ${workspaceId} and attributes ? ${from}
        limit ${MAX_VALUES + 1}) c) as values`.execute(db)
  if (rows[0]?.isTaken) return 'taken'
  if ((rows[0]?.values ?? 0) > MAX_VALUES) return 'too_many'
  await sql`delete from contact_fields where workspace_id = ${workspaceId} and name = ${to} and deleted_at is not null`.execute(
    db,
  )
  await sql`update contact_fields set name = ${to}, updated_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
  await sql`update contacts set attributes = attributes - ${from}::text || jsonb_set('{}', array[${to}::text], attributes -> ${from})
    where workspace_id = ${workspaceId} and attributes ? ${from}`.execute(db)
  await sql`update confirmations set fields = jsonb_set(fields, '{attributes}',
      (fields -> 'attributes') - ${from}::text || jsonb_set('{}', array[${to}::text], fields -> 'attributes' -> ${from}))
    where workspace_id = ${workspaceId} and confirmed_at is null and fields -> 'attributes' ? ${from}`.execute(db)
  return 'renamed'
}
