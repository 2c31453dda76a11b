import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { AttributeMap } from '../store.ts'

/** The ids of rows that were given to another contact, by what they are. */
export type Moved = Record<string, string[]>

/** A contact with what hangs on it, as a merge keeps it. */
export interface Snapshot {
  id: string
  email: string | null
  emailKey: string | null
  phone: string | null
  bsuid: string | null
  name: string
  attributes: AttributeMap
  source: string
  createdAt: string
  importId: string | null
  /** Missing in merges of an earlier version. */
  pausedUntil?: string | null
  weeklyLimit?: number | null
  lists: { id: string; status: string; at: string }[]
  tags: string[]
}

export interface MergeRow {
  id: string
  contactId: string
  other: Snapshot
  before: Snapshot
  moved: Moved
  at: Date
}

/** Locks a contact and reads it with its lists and tags; undefined: there is none. */
export async function lockContact(db: Db, workspaceId: string, id: string): Promise<Snapshot | undefined> {
  const { rows } = await sql<{ snapshot: Snapshot }>`
    with locked as materialized (select * from contacts where workspace_id = ${workspaceId} and id = ${id} for update)
    select json_build_object('id', c.id::text, 'email', c.email, 'emailKey', c.email_key, 'phone', c.phone, 'bsuid', c.bsuid, 'name', c.name,
      'attributes', c.attributes, 'source', c.source, 'createdAt', c.created_at, 'importId', c.import_id::text,
      'pausedUntil', c.paused_until, 'weeklyLimit', c.weekly_limit,
      'lists', (select coalesce(json_agg(json_build_object('id', list_id::text, 'status', status, 'at', at) order by list_id), '[]')
        from list_members where workspace_id = ${workspaceId} and contact_id = c.id),
      'tags', (select coalesce(json_agg(tag_id::text order by tag_id), '[]') from contact_tags
        where workspace_id = ${workspaceId} and contact_id = c.id)) as snapshot
    from locked c`.execute(db)
  return rows[0]?.snapshot
}

/** Writes the fields of a contact. */
export async function writeFields(
  db: Db,
  workspaceId: string,
  id: string,
  {
    email,
    emailKey,
    phone,
    bsuid,
    name,
    attributes,
  }: Pick<Snapshot, 'email' | 'emailKey' | 'phone' | 'bsuid' | 'name' | 'attributes'>,
): Promise<void> {
  await db
    .updateTable('contacts')
    .set({ email, emailKey, phone, bsuid, name, attributes: JSON.stringify(attributes), updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Puts a contact on the lists of another, with the status it has there. Who left a list by either of them has left it. */
export async function takeLists(db: Db, workspaceId: string, from: string, to: string): Promise<void> {
  await sql`
    insert into list_members as m (workspace_id, list_id, contact_id, status, at)
    select workspace_id, list_id, ${to}::bigint, status, at from list_members
    where workspace_id = ${workspaceId} and contact_id = ${from} order by list_id
    on conflict (workspace_id, list_id, contact_id) do update set status = 'unsubscribed', at = excluded.at
      where excluded.status = 'unsubscribed' and m.status <> 'unsubscribed'`.execute(db)
}

/** Gives a contact the tags of another, with the clicks that added them. */
export async function takeTags(db: Db, workspaceId: string, from: string, to: string): Promise<void> {
  await sql`insert into contact_tags (workspace_id, tag_id, contact_id, at)
    select workspace_id, tag_id, ${to}::bigint, at from contact_tags where workspace_id = ${workspaceId} and contact_id = ${from}
    order by tag_id on conflict do nothing`.execute(db)
  await sql`insert into tag_clicks (workspace_id, campaign_id, contact_id, tag_id, url, at)
    select workspace_id, campaign_id, ${to}::bigint, tag_id, url, at from tag_clicks where workspace_id = ${workspaceId} and contact_id = ${from}
    order by campaign_id, tag_id on conflict do nothing`.execute(db)
}

/** Gives a contact the places where another was found; returns their ids. */
export async function moveOrigins(db: Db, workspaceId: string, from: string, to: string): Promise<string[]> {
  const rows = await db
    .updateTable('contactOrigins')
    .set({ contactId: to })
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', from)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Gives a contact what another one was asked and confirmed; returns the ids. Nothing more is sent to the address that went: what
 * it did not confirm so far, it was not asked.
 */
export async function moveConfirmations(db: Db, workspaceId: string, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update confirmations set contact_id = ${to}, next_mail = null, due_at = null
    where workspace_id = ${workspaceId} and contact_id = ${from} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Gives a contact what another one changed on its preference page, and its wishes where it has none itself; returns the ids of the changes. */
export async function movePreferences(db: Db, workspaceId: string, from: string, to: string): Promise<string[]> {
  await sql`update contacts c set paused_until = greatest(c.paused_until, o.paused_until), weekly_limit = least(c.weekly_limit, o.weekly_limit)
    from contacts o where c.workspace_id = ${workspaceId} and c.id = ${to} and o.workspace_id = ${workspaceId} and o.id = ${from}`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    update preference_changes set contact_id = ${to} where workspace_id = ${workspaceId} and contact_id = ${from} returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Gives sources, confirmations, edits, events and changes of preferences back to the contact they came from. */
export async function moveBack(db: Db, workspaceId: string, moved: Moved, to: string): Promise<void> {
  const { origins = [], confirmations = [], preferences = [], edits = [], happened = [] } = moved
  await sql`update contact_origins set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${origins}::bigint[])`.execute(
    db,
  )
  await sql`update confirmations set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${confirmations}::bigint[])`.execute(
    db,
  )
  await sql`update preference_changes set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${preferences}::bigint[])`.execute(
    db,
  )
  await sql`update contact_edits set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${edits}::bigint[])`.execute(
    db,
  )
  await sql`update contact_events set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${happened}::bigint[])`.execute(
    db,
  )
}

/**
 * The person's own word holds under the address that stays too: it is suppressed as that of the other contact is. Returns the
 * ids of the new suppressions.
 */
export async function takeSuppressions(db: Db, workspaceId: string, from: Snapshot, to: Snapshot): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into suppressions (workspace_id, channel, address, address_key, reason, note, campaign_id)
    select s.workspace_id, s.channel, own.address, own.key, s.reason, 'Merged with a contact that was suppressed', s.campaign_id
    from suppressions s
    join (values ('email', ${to.email}::text, ${to.emailKey}::text, ${from.emailKey}::text), ('whatsapp', ${to.phone}::text, ${to.phone}::text, ${from.phone}::text))
      as own (channel, address, key, other) on own.channel = s.channel and own.key is not null
    where s.workspace_id = ${workspaceId} and s.address_key = own.other and s.reason in ('unsubscribe', 'complaint')
    on conflict do nothing returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lifts suppressions that a merge made, unless the person said so themselves since. */
export async function dropSuppressions(db: Db, workspaceId: string, ids: string[]): Promise<void> {
  await sql`delete from suppressions where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])
    and note = 'Merged with a contact that was suppressed'`.execute(db)
}

/** Deletes the row of a contact whose belongings were taken over. What was merged into it can be undone once it is there again. */
export async function deleteMerged(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('contacts').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
  await db.deleteFrom('listMembers').where('workspaceId', '=', workspaceId).where('contactId', '=', id).execute()
  await db.deleteFrom('contactTags').where('workspaceId', '=', workspaceId).where('contactId', '=', id).execute()
}

export async function insertMerge(
  db: Db,
  workspaceId: string,
  { contactId, other, before, moved }: Omit<MergeRow, 'id' | 'at'>,
  mergedBy: string,
): Promise<string> {
  const { id } = await db
    .insertInto('contactMerges')
    .values({
      workspaceId,
      contactId,
      other: JSON.stringify(other),
      before: JSON.stringify(before),
      moved: JSON.stringify(moved),
      mergedBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The merges into a contact that can be undone, newest first. */
export async function listMerges(db: Db, workspaceId: string, contactId: string, days: number): Promise<MergeRow[]> {
  const rows = await db
    .selectFrom('contactMerges')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', '=', contactId)
    .where('at', '>', sql<Date>`now() - make_interval(days => ${days})`)
    .select(['id', 'contactId', 'other', 'before', 'moved', 'at'])
    .orderBy('id', 'desc')
    .execute()
  return rows as unknown as MergeRow[]
}

export async function deleteMerge(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('contactMerges').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Forgets what was merged into contacts, which go, and what was merged into that before. */
export async function deleteMerges(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await sql`
    with recursive gone as (
      select id, (other->>'id')::bigint as other_id from contact_merges where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::bigint[])
      union select m.id, (m.other->>'id')::bigint from gone join contact_merges m on m.workspace_id = ${workspaceId} and m.contact_id = gone.other_id
    ) delete from contact_merges where workspace_id = ${workspaceId} and id = any(array(select id from gone))`.execute(
    db,
  )
}

/** Clears merges of all workspaces that cannot be undone any more: the ids stay, for links in emails to the contact that went. */
export async function forgetMerges(db: Db, days: number): Promise<void> {
  await sql`update contact_merges set other = jsonb_build_object('id', other->>'id'), before = '{}', moved = '{}', merged_by = ''
    where at < now() - make_interval(days => ${days}) and before <> '{}'`.execute(db)
}

/** Puts a contact back with its own id, lists and tags. A taken address breaks the unique index. */
export async function restoreContact(db: Db, workspaceId: string, other: Snapshot): Promise<void> {
  await sql`
    insert into contacts (id, workspace_id, email, email_key, phone, bsuid, name, attributes, source, created_at, import_id, paused_until, weekly_limit)
    overriding system value
    values (${other.id}, ${workspaceId}, ${other.email}, ${other.emailKey}, ${other.phone}, ${other.bsuid}, ${other.name},
      ${JSON.stringify(other.attributes)}::jsonb, ${other.source}, ${other.createdAt}, ${other.importId}, ${other.pausedUntil ?? null}, ${other.weeklyLimit ?? null})`.execute(
    db,
  )
  await sql`
    insert into list_members (workspace_id, list_id, contact_id, status, at)
    select l.workspace_id, l.id, ${other.id}::bigint, given.status, given.at
    from unnest(${other.lists.map(({ id }) => id)}::bigint[], ${other.lists.map(({ status }) => status)}::text[], ${other.lists.map(({ at }) => at)}::timestamptz[])
      as given (id, status, at)
    join lists l on l.workspace_id = ${workspaceId} and l.id = given.id order by l.id on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into contact_tags (workspace_id, tag_id, contact_id, at)
    select workspace_id, id, ${other.id}::bigint, null from tags
    where workspace_id = ${workspaceId} and id = any(${other.tags}::bigint[]) order by id on conflict do nothing`.execute(
    db,
  )
}

/** Takes a contact off the lists and tags it has through another one only. Whom the person left in the meantime stays left. */
export async function leaveTaken(
  db: Db,
  workspaceId: string,
  id: string,
  { lists, tags }: { lists: string[]; tags: string[] },
): Promise<void> {
  await sql`delete from list_members where workspace_id = ${workspaceId} and contact_id = ${id} and list_id = any(${lists}::bigint[])
    and status <> 'unsubscribed'`.execute(db)
  await sql`delete from contact_tags where workspace_id = ${workspaceId} and contact_id = ${id} and tag_id = any(${tags}::bigint[])`.execute(
    db,
  )
}
