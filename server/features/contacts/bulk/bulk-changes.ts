/** What a change of many contacts does with some of them; each says of whom it changed what was there before. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { AttributeMap } from '../store.ts'
import type { Before } from './bulk-store.ts'

/** The name and custom fields that a change sets; null removes a field. */
export interface FieldChange {
  name?: string | undefined
  attributes?: AttributeMap | undefined
}

/** Rows of a statement by their contact. */
const toBefore = (rows: { id: string; before: unknown }[]): Before =>
  Object.fromEntries(rows.map(({ id, before }) => [id, before]))

/** Puts contacts on a list. Who left it is not put on it again; on a double opt-in list newcomers are pending. Returns who was added. */
export async function addMembers(db: Db, workspaceId: string, ids: string[], listId: string): Promise<Before> {
  const { rows } = await sql<{ id: string; before: unknown }>`
    insert into list_members (workspace_id, list_id, contact_id, status)
    select c.workspace_id, l.id, c.id, case when l.optin = 'double' then 'pending' else 'confirmed' end
    from contacts c join lists l on l.workspace_id = c.workspace_id and l.id = ${listId}
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[]) order by c.id on conflict do nothing
    returning contact_id as id, (select jsonb_build_object('status', status, 'at', at)) as before`.execute(db)
  return toBefore(rows)
}

/** Takes contacts off a list; that somebody left it stays known. Returns who was on it. */
export async function removeMembers(db: Db, workspaceId: string, ids: string[], listId: string): Promise<Before> {
  // Who leaves the list at this moment is waited for, or waits and then finds what was remembered.
  await sql`select from contacts where workspace_id = ${workspaceId} and id = any(${ids}::bigint[]) order by id for update`.execute(
    db,
  )
  const { rows } = await sql<{ id: string; before: unknown }>`
    delete from list_members m where workspace_id = ${workspaceId} and list_id = ${listId}
      and contact_id = any(${ids}::bigint[]) and status <> 'unsubscribed' returning contact_id as id, (select to_jsonb(m)) as before`.execute(
    db,
  )
  return toBefore(rows)
}

/** Changes the name or custom fields. Returns what contacts had that had something else. */
export async function setFields(
  db: Db,
  workspaceId: string,
  ids: string[],
  { name, attributes = {} }: FieldChange,
): Promise<Before> {
  const merged = sql`jsonb_strip_nulls(c.attributes || ${JSON.stringify(attributes)}::jsonb)`
  const named = name === undefined ? sql`c.name` : sql`${name}::text`
  const { rows } = await sql<{ id: string; before: unknown }>`
    with old as materialized (
      select id, name, attributes from contacts where workspace_id = ${workspaceId} and id = any(${ids}::bigint[]) order by id for update
    )
    update contacts c set name = ${named}, attributes = ${merged}, updated_at = now() from old
    where c.workspace_id = ${workspaceId} and c.id = old.id and (c.name, c.attributes) is distinct from (${named}, ${merged})
    returning c.id, (select jsonb_build_object('name', old.name, 'attributes', coalesce(
      (select jsonb_object_agg(key, old.attributes -> key) from unnest(${Object.keys(attributes)}::text[]) key), '{}'))) as before`.execute(
    db,
  )
  return toBefore(rows)
}

/** The common table expression `chosen` (id, channel, address, key): every address that contacts have. */
export const chosenAddresses = (workspaceId: string, ids: string[]) => sql`
  chosen as materialized (
    select c.id, a.channel, a.address, a.key from contacts c cross join lateral (
      values ('email', c.email, c.email_key), ('whatsapp', c.phone, c.phone), ('whatsapp', c.bsuid, c.bsuid)) a (channel, address, key)
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[]) and a.key is not null
  )`

/**
 * Suppresses contacts by every address they have, so that no channel reaches them; what is suppressed already stays as it is.
 * Returns the suppressions of who could be reached before.
 */
export async function suppressContacts(db: Db, workspaceId: string, ids: string[]): Promise<Before> {
  const { rows } = await sql<{ id: string; before: unknown }>`
    with ${chosenAddresses(workspaceId, ids)}, barred as (
      insert into suppressions (workspace_id, channel, address, address_key, reason)
      select distinct on (channel, key) ${workspaceId}::bigint, channel, address, key, 'manual' from chosen order by channel, key
      on conflict do nothing returning id, channel, address_key
    )
    select chosen.id, jsonb_agg(barred.id) as before from chosen
    join barred on barred.channel = chosen.channel and barred.address_key = chosen.key group by chosen.id`.execute(db)
  return toBefore(rows)
}
