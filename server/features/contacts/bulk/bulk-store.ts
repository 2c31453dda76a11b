/** What a change of many contacts does with some of them, and the rows of the changes. */
import { sql } from 'kysely'
import type { BulkAction } from '#contracts/contacts/bulk.ts'
import type { ContactFilter } from '#contracts/contacts/filter.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AttributeMap } from '../store.ts'

/** A change as it is stored. `value` is checked when it is stored. */
export interface ContactJobRow {
  id: string
  action: BulkAction
  value: unknown
  ids: string[] | null
  filter: ContactFilter | null
  requestedBy: string
  state: 'queued' | 'running' | 'done' | 'failed'
  total: string | null
  below: string
  processed: string
  changed: string
  createdAt: Date
  finishedAt: Date | null
}

/** Larger than any id: everything is still to be changed. */
const EVERYTHING = '999999999999999999'

/** Stores a change that is to run. Returns its id. */
export async function insertJob(
  db: Db,
  workspaceId: string,
  given: Pick<ContactJobRow, 'action' | 'value' | 'ids' | 'filter' | 'requestedBy'>,
): Promise<string> {
  const { action, value, ids, filter, requestedBy } = given
  const { rows } = await sql<{ id: string }>`
    insert into contact_jobs (workspace_id, action, value, ids, filter, requested_by, total, below)
    values (${workspaceId}, ${action}, ${JSON.stringify(value ?? null)}::jsonb, ${ids}::bigint[],
      ${filter === null ? null : JSON.stringify(filter)}::jsonb, ${requestedBy}, ${ids?.length ?? null}, ${EVERYTHING})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

/** A change, locked until the transaction ends where it is to be worked on. */
export async function findJob(
  db: Db,
  workspaceId: string,
  id: string,
  locked = false,
): Promise<ContactJobRow | undefined> {
  const { rows } = await sql<ContactJobRow>`
    select id, action, value, ids::text[] as ids, filter, requested_by, state, total, below, processed, changed, created_at, finished_at
    from contact_jobs where workspace_id = ${workspaceId} and id = ${id} ${locked ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows[0]
}

/** Changes of a workspace that have not ended. */
export async function countUnfinished(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from contact_jobs where workspace_id = ${workspaceId} and state in ('queued', 'running')`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Notes how far a change is; `done` ends it. */
export async function noteProgress(
  db: Db,
  workspaceId: string,
  id: string,
  now: { below: string; processed: number; changed: number; total: number | null; done: boolean },
): Promise<void> {
  await sql`
    update contact_jobs set below = ${now.below}, processed = processed + ${now.processed}, changed = changed + ${now.changed},
      total = case when ${now.done} then processed + ${now.processed} else coalesce(${now.total}::bigint, total) end,
      state = case when ${now.done} then 'done' else 'running' end,
      ids = case when ${now.done} and ids is not null then '{}' else ids end,
      finished_at = case when ${now.done} then now() end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

/** Ends a change that failed for the last time. */
export async function failJob(db: Db, workspaceId: string, id: string): Promise<void> {
  await sql`update contact_jobs set state = 'failed', finished_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and state in ('queued', 'running')`.execute(db)
}

/** How many of these ids are contacts of the workspace. */
export async function countKnown(db: Db, workspaceId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from contacts where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

const affected = async (query: { execute: (db: Db) => Promise<{ numAffectedRows?: bigint | undefined }> }, db: Db) =>
  Number((await query.execute(db)).numAffectedRows ?? 0)

/** Puts contacts on a list. Who left it is not put on it again; on a double opt-in list newcomers are pending. Returns how many were added. */
export function addMembers(db: Db, workspaceId: string, ids: string[], listId: string): Promise<number> {
  return affected(
    sql`insert into list_members (workspace_id, list_id, contact_id, status)
      select c.workspace_id, l.id, c.id, case l.optin when 'double' then 'pending' else 'confirmed' end
      from contacts c join lists l on l.workspace_id = c.workspace_id and l.id = ${listId}
      where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[]) order by c.id on conflict do nothing`,
    db,
  )
}

/** Takes contacts off a list; that somebody left it stays known. Returns how many were on it. */
export function removeMembers(db: Db, workspaceId: string, ids: string[], listId: string): Promise<number> {
  return affected(
    sql`delete from list_members where workspace_id = ${workspaceId} and list_id = ${listId}
      and contact_id = any(${ids}::bigint[]) and status <> 'unsubscribed'`,
    db,
  )
}

/** Changes the name or custom fields; null removes a field. Returns how many contacts had another value. */
export function setFields(
  db: Db,
  workspaceId: string,
  ids: string[],
  { name, attributes }: { name?: string | undefined; attributes?: AttributeMap | undefined },
): Promise<number> {
  const merged = sql`jsonb_strip_nulls(attributes || ${JSON.stringify(attributes ?? {})}::jsonb)`
  const named = name === undefined ? sql`name` : sql`${name}::text`
  return affected(
    sql`update contacts set name = ${named}, attributes = ${merged}, updated_at = now()
      where workspace_id = ${workspaceId} and id = any(${ids}::bigint[]) and (name, attributes) is distinct from (${named}, ${merged})`,
    db,
  )
}

/**
 * Suppresses contacts by every address they have, so that no channel reaches them. Who unsubscribes says it themselves: that
 * replaces any other reason but a complaint, and takes them off every list. Returns how many could be reached before.
 */
export async function suppressContacts(
  db: Db,
  workspaceId: string,
  ids: string[],
  reason: 'unsubscribe' | 'manual',
): Promise<number> {
  const update =
    reason === 'unsubscribe'
      ? sql`do update set reason = 'unsubscribe', at = now() where s.reason not in ('unsubscribe', 'complaint')`
      : sql`do nothing`
  const { rows } = await sql<{ n: number }>`
    with chosen as materialized (
      select c.id, a.channel, a.address, a.key from contacts c cross join lateral (
        values ('email', c.email, c.email_key), ('whatsapp', c.phone, c.phone), ('whatsapp', c.bsuid, c.bsuid)) a (channel, address, key)
      where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[]) and a.key is not null
    ), barred as (
      insert into suppressions as s (workspace_id, channel, address, address_key, reason)
      select distinct on (channel, key) ${workspaceId}::bigint, channel, address, key, ${reason} from chosen order by channel, key
      on conflict (workspace_id, channel, address_key) ${update} returning channel, address_key
    )
    select count(distinct chosen.id)::int as n from chosen join barred on barred.channel = chosen.channel and barred.address_key = chosen.key`.execute(
    db,
  )
  if (reason === 'unsubscribe')
    await sql`update list_members set status = 'unsubscribed', at = now()
      where workspace_id = ${workspaceId} and contact_id = any(${ids}::bigint[]) and status <> 'unsubscribed'`.execute(
      db,
    )
  return rows[0]?.n ?? 0
}
