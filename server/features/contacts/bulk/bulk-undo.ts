/** How a part of a change of many contacts is undone. What was changed again since stays as it is, and nobody who left is put back. */
import { sql } from 'kysely'
import type { BulkAction } from '#contracts/contacts/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { contactParts } from '../contact-parts.ts'
import type { Secret } from '../suppressions/retained-suppressions.ts'
import { tagContacts, untagContacts } from '../tags/tags-store.ts'
import type { FieldChange } from './bulk-changes.ts'
import type { Before } from './bulk-store.ts'
import { putBack } from './removed-store.ts'
import { resubscribeContacts } from './unsubscribe-store.ts'

/** Every change can be undone but an undo, and that contacts entered a journey: they leave it there. */
export const isUndoable = (action: BulkAction | 'enrol' | 'undo'): action is BulkAction =>
  action !== 'undo' && action !== 'enrol'

/** Undoes what a change did with some contacts. Returns how many are as they were. */
export async function undoSlice(
  { db, config }: { db: Db; config: Secret },
  workspaceId: string,
  { action, value }: { action: BulkAction; value: unknown },
  before: Before,
): Promise<number> {
  switch (action) {
    case 'tag':
      return (await untagContacts(db, workspaceId, Object.keys(before), value as string)).length
    case 'untag':
      return (await tagContacts(db, workspaceId, Object.keys(before), value as string, { givesBack: true })).length
    case 'addToList':
      return leaveAgain(db, workspaceId, value as string, before)
    case 'removeFromList':
      return returnMembers(db, workspaceId, before)
    case 'setField':
      return restoreFields(db, workspaceId, value as FieldChange, before)
    case 'suppress':
      return liftSuppressions(db, workspaceId, before)
    case 'unsubscribe':
      return resubscribeContacts(db, workspaceId, before)
    case 'recordConsent':
      return withdrawConsents(db, workspaceId, Object.values(before) as string[])
    case 'delete':
      return putBack(db, config, workspaceId, before)
  }
}

/** Consents on which no message was sent: the others are evidence for it. */
async function withdrawConsents(db: Db, workspaceId: string, ids: string[]): Promise<number> {
  let count = 0
  for (const part of contactParts()) count += (await part.withdrawConsents?.(db, workspaceId, ids)) ?? 0
  return count
}

const each = (before: Before) => sql`jsonb_each(${JSON.stringify(before)}::jsonb) b (id, was)`

/** Those who are on the list as they were put on it: who confirmed or left since decided for themselves. */
async function leaveAgain(db: Db, workspaceId: string, listId: string, before: Before): Promise<number> {
  const result =
    await sql`delete from list_members m using (select id::bigint, was ->> 'status' as status, (was ->> 'at')::timestamptz as at from ${each(before)} offset 0) b
    where m.workspace_id = ${workspaceId} and m.list_id = ${listId} and m.contact_id = b.id and m.status = b.status and m.at = b.at`.execute(
      db,
    )
  return Number(result.numAffectedRows ?? 0)
}

async function returnMembers(db: Db, workspaceId: string, before: Before): Promise<number> {
  // Rows that come back are counted: on spread tables the number of a statement has those in conflict too.
  const { rows } = await sql`
    insert into list_members (workspace_id, list_id, contact_id, status, at, asked_at, asks, import_id)
    select m.workspace_id, m.list_id, m.contact_id, m.status, m.at, m.asked_at, m.asks, m.import_id
    from ${each(before)} cross join lateral jsonb_populate_record(null::list_members, b.was) m
    join contacts c on c.workspace_id = ${workspaceId} and c.id = m.contact_id
    join lists l on l.workspace_id = ${workspaceId} and l.id = m.list_id
    where m.workspace_id = ${workspaceId} and not exists (select 1 from suppressions s
      where s.workspace_id = ${workspaceId} and s.channel = 'email' and s.address_key = c.email_key and s.reason = 'unsubscribe')
    order by m.contact_id on conflict do nothing returning contact_id`.execute(db)
  return rows.length
}

/** Each value that still is what the change made it. */
async function restoreFields(
  db: Db,
  workspaceId: string,
  { name, attributes = {} }: FieldChange,
  before: Before,
): Promise<number> {
  const set = sql`${JSON.stringify(attributes)}::jsonb`
  const named =
    name === undefined ? sql`c.name` : sql`case when c.name = ${name}::text then b.was ->> 'name' else c.name end`
  const merged = sql`jsonb_strip_nulls(c.attributes || coalesce((
    select jsonb_object_agg(key, old) from jsonb_each(b.was -> 'attributes') a (key, old)
    where coalesce(c.attributes -> key, 'null') = coalesce(${set} -> key, 'null')), '{}'))`
  const result = await sql`
    update contacts c set name = ${named}, attributes = ${merged}, updated_at = now() from ${each(before)}
    where c.workspace_id = ${workspaceId} and c.id = b.id::bigint and (c.name, c.attributes) is distinct from (${named}, ${merged})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

/** Suppressions that nobody gave another reason since. */
async function liftSuppressions(db: Db, workspaceId: string, before: Before): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with lifted as (
      delete from suppressions where workspace_id = ${workspaceId} and reason = 'manual'
        and id in (select jsonb_array_elements(b.was)::bigint from ${each(before)}) returning id
    )
    select count(*)::int as n from ${each(before)} where exists (select 1 from lifted where b.was @> to_jsonb(lifted.id))`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}
