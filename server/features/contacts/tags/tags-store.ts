import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

export interface TagRow {
  id: string
  name: string
  createdAt: Date
  contacts: string
}

async function select(db: Db, workspaceId: string, where: ReturnType<typeof sql>, limit: number): Promise<TagRow[]> {
  const { rows } = await sql<TagRow>`
    select t.id, t.name, t.created_at, n.contacts
    from (select * from tags where workspace_id = ${workspaceId} and ${where} order by id limit ${limit}) t
    cross join lateral (
      select count(*) as contacts from contact_tags where workspace_id = ${workspaceId} and tag_id = t.id
    ) n order by t.id`.execute(db)
  return rows
}

/** Tags in the order they were made, after an id. */
export function tagPage(db: Db, workspaceId: string, page: { limit: number; after?: string }): Promise<TagRow[]> {
  return select(db, workspaceId, page.after ? sql`id > ${page.after}` : sql`true`, page.limit)
}

export async function tagById(db: Db, workspaceId: string, id: string): Promise<TagRow | undefined> {
  return (await select(db, workspaceId, sql`id = ${id}`, 1))[0]
}

export async function countTags(db: Db, workspaceId: string): Promise<number> {
  const { n } = await db
    .selectFrom('tags')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Inserts a tag and returns its id. A taken name breaks the unique index. */
export async function insertTag(db: Db, workspaceId: string, name: string): Promise<string> {
  const { id } = await db.insertInto('tags').values({ workspaceId, name }).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Renames a tag. A taken name breaks the unique index. */
export async function renameTag(db: Db, workspaceId: string, id: string, name: string): Promise<void> {
  await db.updateTable('tags').set({ name }).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** Deletes a tag; returns whether it existed. */
export async function deleteTag(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tags')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Those of the ids that are tags of the workspace. */
export async function knownTags(db: Db, workspaceId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('tags')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The id of a tag by its name in any case. */
export async function tagIdByName(db: Db, workspaceId: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from tags
    where workspace_id = ${workspaceId} and lower(name) = lower(${name})`.execute(db)
  return rows[0]?.id
}

/** Takes some contacts off a removed tag, and some clicks that added it; returns how many. In portions, so that nobody waits for a million. */
export async function clearTagged(db: Db, workspaceId: string, tagId: string): Promise<number> {
  const result = await sql`delete from contact_tags where workspace_id = ${workspaceId} and tag_id = ${tagId}
    and contact_id in (select contact_id from contact_tags where workspace_id = ${workspaceId} and tag_id = ${tagId} limit 5000)`.execute(
    db,
  )
  const clicks = await sql`delete from tag_clicks where workspace_id = ${workspaceId} and tag_id = ${tagId}
    and (campaign_id, contact_id) in (select campaign_id, contact_id from tag_clicks
      where workspace_id = ${workspaceId} and tag_id = ${tagId} limit 5000)`.execute(db)
  return Number(result.numAffectedRows ?? 0) + Number(clicks.numAffectedRows ?? 0)
}

/** Puts a tag on contacts; returns the ids of those that did not have it. `givesBack`: they had it before, and nothing happened now. */
export async function tagContacts(
  db: Db,
  workspaceId: string,
  ids: string[],
  tagId: string,
  { givesBack = false } = {},
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`insert into contact_tags (workspace_id, tag_id, contact_id, at)
    select c.workspace_id, t.id, c.id, ${givesBack ? sql`null::timestamptz` : sql`now()`} from contacts c join tags t on t.workspace_id = c.workspace_id and t.id = ${tagId}
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[]) order by c.id on conflict do nothing returning contact_id as id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Takes a tag off contacts; returns the ids of those that had it. */
export async function untagContacts(db: Db, workspaceId: string, ids: string[], tagId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`delete from contact_tags
    where workspace_id = ${workspaceId} and tag_id = ${tagId} and contact_id = any(${ids}::bigint[]) returning contact_id as id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Gives a contact exactly these tags. */
export async function setTags(db: Db, workspaceId: string, contactId: string, tagIds: string[]): Promise<void> {
  await sql`delete from contact_tags where workspace_id = ${workspaceId} and contact_id = ${contactId}
    and tag_id <> all(${tagIds}::bigint[])`.execute(db)
  for (const tagId of new Set(tagIds)) await tagContacts(db, workspaceId, [contactId], tagId)
}

/**
 * The ids of tags by the names that are given, in any case. Those that are missing are made as long as the workspace has fewer
 * than `most`; a name without an id found no room.
 */
export async function makeTags(
  db: Db,
  workspaceId: string,
  names: readonly string[],
  most: number,
): Promise<Map<string, string>> {
  const find = async () => {
    const { rows } = await sql<{ id: string; name: string }>`
      select t.id, given.name from unnest(${names}::text[]) given (name)
      join tags t on t.workspace_id = ${workspaceId} and lower(t.name) = lower(given.name)`.execute(db)
    return new Map(rows.map(({ name, id }) => [name, id]))
  }
  const known = await find()
  const missing = names.filter((name) => !known.has(name))
  const room = missing.length === 0 ? 0 : most - (await countTags(db, workspaceId))
  if (room <= 0) return known
  // In the order of their keys: two imports at once then wait for each other and never forever.
  await sql`insert into tags (workspace_id, name)
    select ${workspaceId}::bigint, min(name) from unnest(${missing}::text[]) given (name)
    group by lower(name) order by lower(name) limit ${room} on conflict do nothing`.execute(db)
  return find()
}

/** Contacts by an address, each with the id of a tag it gets. */
export interface TaggedAddress {
  key: string | null
  phone: string | null
  tagId: string
}

/** Puts tags on the contacts with these addresses. */
export async function tagAddresses(db: Db, workspaceId: string, rows: readonly TaggedAddress[]): Promise<void> {
  for (const byEmail of [true, false]) {
    const part = rows.filter(({ key }) => (key !== null) === byEmail)
    if (part.length === 0) continue
    const same = byEmail ? sql`email_key = given.key` : sql`email_key is null and phone = given.key`
    await sql`insert into contact_tags (workspace_id, tag_id, contact_id)
      select ${workspaceId}::bigint, given.tag_id, c.id
      from unnest(${part.map(({ key, phone }) => key ?? phone)}::text[], ${part.map(({ tagId }) => tagId)}::bigint[]) given (key, tag_id)
      cross join lateral (select id from contacts where workspace_id = ${workspaceId} and ${same} limit 1) c
      order by given.tag_id, c.id on conflict do nothing`.execute(db)
  }
}
