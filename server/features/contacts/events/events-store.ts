/** What contacts did elsewhere. */
import { sql } from 'kysely'
import { EVENT_DAYS, MAX_EVENT_NAMES, MAX_EVENTS } from '#contracts/contacts/events.ts'
import type { Db } from '#server/platform/db/database.ts'
import { anySpelling, type ErasedAddresses, without } from '../erasure/erased.ts'

export interface NewEvent {
  name: string
  properties: Record<string, string | number | boolean | null>
  /** null: now. */
  at: string | null
  /** The Idempotency-Key of the request, with the hash of what came with it; null: it had none. */
  request: { key: string; hash: string } | null
}

/** The event that a key was used for. */
export async function findByKey(
  db: Db,
  workspaceId: string,
  key: string,
): Promise<{ id: string; hash: string | null } | undefined> {
  const row = await db
    .selectFrom('contactEvents')
    .where('workspaceId', '=', workspaceId)
    .where('requestKey', '=', key)
    .select(['id', 'requestHash as hash'])
    .executeTakeFirst()
  return row
}

/** The id of a contact, by its id or the key of its address. Until the transaction ends it is not removed. */
export async function holdContact(
  db: Db,
  workspaceId: string,
  by: { id: string } | { emailKey: string },
): Promise<string | undefined> {
  const is = 'id' in by ? sql`id = ${by.id}` : sql`email_key = ${by.emailKey}`
  const { rows } = await sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspaceId} and ${is} for key share`.execute(db)
  return rows[0]?.id
}

/** Stores an event of a contact, and of its events the newest. Returns its id; undefined where another one has its key. */
export async function insertEvent(
  db: Db,
  workspaceId: string,
  contactId: string,
  { name, properties, at, request }: NewEvent,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into contact_events (workspace_id, contact_id, name, properties, at, request_key, request_hash)
    values (${workspaceId}, ${contactId}, ${name}, ${JSON.stringify(properties)}::jsonb,
      ${at === null ? sql`now()` : sql`least(${at}::timestamptz, now())`}, ${request?.key ?? null}, ${request?.hash ?? null})
    on conflict (workspace_id, request_key) where request_key is not null do nothing returning id`.execute(db)
  await sql`delete from contact_events where workspace_id = ${workspaceId} and contact_id = ${contactId} and id <= (
    select id from contact_events where workspace_id = ${workspaceId} and contact_id = ${contactId} order by id desc offset ${MAX_EVENTS} limit 1)`.execute(
    db,
  )
  return rows[0]?.id
}

/** Forgets the events of removed contacts. */
export async function deleteEvents(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await sql`delete from contact_events where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::bigint[])`.execute(
    db,
  )
}

/** Forgets the events of those of these contacts that are gone. */
export async function deleteGone(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await sql`delete from contact_events where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::bigint[])
    and contact_id not in (select id from contacts where workspace_id = ${workspaceId} and id = any(${contactIds}::bigint[]))`.execute(
    db,
  )
}

/** Gives a contact the events of another one; returns their ids. */
export async function moveEvents(db: Db, workspaceId: string, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update contact_events set contact_id = ${to} where workspace_id = ${workspaceId} and contact_id = ${from} returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Takes an erased person out of the properties of others' events. */
export async function clearProperties(db: Db, who: ErasedAddresses): Promise<void> {
  const spelling = anySpelling(who)
  await sql`
    update contact_events set properties = (
      select jsonb_object_agg(${without(sql`p.key`, who)}, case
        when jsonb_typeof(p.value) = 'string' then to_jsonb(${without(sql`(p.value #>> '{}')`, who)})
        when p.value::text ~* ${spelling} then to_jsonb(${who.pseudonym}::text) else p.value end)
      from jsonb_each(properties) p)
    where workspace_id = ${who.workspaceId} and properties::text ~* ${spelling}`.execute(db)
}

/** Forgets the events of all workspaces that are too old. */
export async function deleteOld(db: Db): Promise<void> {
  await sql`delete from contact_events where recorded_at < now() - make_interval(days => ${EVENT_DAYS})`.execute(db)
}

/** The names of events, each with the time the last one was recorded. Looked up one by one in their index, however many events there are. */
export async function listNames(db: Db, workspaceId: string): Promise<{ name: string; lastAt: Date }[]> {
  const { rows } = await sql<{ name: string; lastAt: Date }>`
    with recursive names (name) as (
      (select name from contact_events where workspace_id = ${workspaceId} order by name limit 1)
      union all
      select (select e.name from contact_events e where e.workspace_id = ${workspaceId} and e.name > names.name order by e.name limit 1)
      from names where names.name is not null
    )
    select name, (select max(e.recorded_at) from contact_events e where e.workspace_id = ${workspaceId} and e.name = names.name) as last_at
    from names where name is not null limit ${MAX_EVENT_NAMES}`.execute(db)
  return rows
}
