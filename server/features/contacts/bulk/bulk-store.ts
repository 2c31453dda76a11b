/** The rows of changes of many contacts. */
import { sql } from 'kysely'
import type { BulkAction } from '#contracts/contacts/bulk.ts'
import type { ContactFilter } from '#contracts/contacts/filter.ts'
import type { Db } from '#server/platform/db/database.ts'
import { deleteEvents } from '../events/events-store.ts'

/** A change as it is stored. `value` is checked when it is stored. */
export interface ContactJobRow {
  id: string
  action: BulkAction | 'enrol' | 'undo'
  /** The change that this one undoes. */
  undoes: string | null
  value: unknown
  ids: string[] | null
  filter: ContactFilter | null
  requestedBy: string
  state: 'queued' | 'running' | 'done' | 'failed'
  total: string | null
  below: string
  processed: string
  changed: string
  /** Something of it was noted and is not undone yet. */
  isNoted: boolean
  /** The change that undoes it, and how many contacts that put back. */
  undone: { state: ContactJobRow['state']; changed: number } | null
  /** What the list, tag or journey it names is called; null: there is none, or it was deleted since. */
  valueName: string | null
  createdAt: Date
  finishedAt: Date | null
}

/** A change without the contacts that were chosen. */
export type ContactJobSummary = Omit<ContactJobRow, 'ids' | 'filter'>

const SUMMARY = sql`id, action, undoes, value, requested_by, state, total, below, processed, changed, created_at, finished_at,
  exists (select 1 from contact_job_slices s where s.workspace_id = j.workspace_id and s.job_id = j.id) as is_noted,
  (select jsonb_build_object('state', u.state, 'changed', u.changed) from contact_jobs u
    where u.workspace_id = j.workspace_id and u.undoes = j.id) as undone,
  case when action in ('addToList', 'removeFromList')
      then (select name from lists l where l.workspace_id = j.workspace_id and l.id = (j.value #>> '{}')::bigint)
    when action in ('tag', 'untag')
      then (select name from tags t where t.workspace_id = j.workspace_id and t.id = (j.value #>> '{}')::bigint)
    when action = 'enrol'
      then (select name from journeys o where o.workspace_id = j.workspace_id and o.id = (j.value #>> '{}')::bigint) end as value_name`

/** So many changes of a workspace are looked through for those of the last hours. */
const LOOKED_THROUGH = 1_000

/** Larger than any id: everything is still to be changed. */
const EVERYTHING = '999999999999999999'

/** Stores a change that is to run. Returns its id. */
export async function insertJob(
  db: Db,
  workspaceId: string,
  given: Pick<ContactJobRow, 'action' | 'value' | 'ids' | 'filter' | 'requestedBy'> & {
    undoes?: string
    total?: number
  },
): Promise<string> {
  const { action, value, ids, filter, requestedBy, undoes = null, total = ids?.length ?? null } = given
  const { rows } = await sql<{ id: string }>`
    insert into contact_jobs (workspace_id, action, value, ids, filter, requested_by, total, below, undoes)
    values (${workspaceId}, ${action}, ${JSON.stringify(value ?? null)}::jsonb, ${ids}::bigint[],
      ${filter === null ? null : JSON.stringify(filter)}::jsonb, ${requestedBy}, ${total}, ${EVERYTHING}, ${undoes})
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
  // By itself: what another one noted while this waited is seen only by the next statement.
  if (locked)
    await sql`select from contact_jobs where workspace_id = ${workspaceId} and id = ${id} for update`.execute(db)
  const { rows } = await sql<ContactJobRow>`
    select ${SUMMARY}, ids::text[] as ids, filter from contact_jobs j where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Changes that are no undo and run or ended in the last hours, newest first, before an id. */
export async function jobPage(
  db: Db,
  workspaceId: string,
  { limit, before = EVERYTHING, hours }: { limit: number; before?: string; hours: number },
): Promise<ContactJobSummary[]> {
  const { rows } = await sql<ContactJobSummary>`
    with page as materialized (
      select id from (select id, finished_at from contact_jobs where workspace_id = ${workspaceId} and undoes is null and id < ${before}
        order by id desc limit ${LOOKED_THROUGH}) latest
      where finished_at is null or finished_at > now() - make_interval(hours => ${hours}) order by id desc limit ${limit}
    ) select ${SUMMARY} from contact_jobs j where workspace_id = ${workspaceId} and id in (select id from page) order by id desc`.execute(
    db,
  )
  return rows
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
      finished_at = case when ${now.done} then (select now()) end
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

/** What was there before, by the id of each contact that was changed; null: nothing to be remembered. */
export type Before = Record<string, unknown>

/** Remembers what a change did with some contacts, the last of which has the id `below`. */
export async function insertSlice(
  db: Db,
  workspaceId: string,
  id: string,
  below: string,
  before: Before,
): Promise<void> {
  await sql`insert into contact_job_slices (workspace_id, job_id, below, changes)
    values (${workspaceId}, ${id}, ${below}, ${JSON.stringify(before)}::jsonb)`.execute(db)
}

/** That the slice `s` of the change `j` holds what it did with a contact. */
export const holdsContact = (workspaceId: string, contactId: string) => sql`
  s.workspace_id = ${workspaceId} and s.job_id = j.id and s.changes ? ${contactId}::text
  and s.below = (select max(below) from contact_job_slices where workspace_id = ${workspaceId} and job_id = j.id and below <= ${contactId})`

/** Takes out the part of a change that was remembered last; undefined: there is none any more. */
export async function takeSlice(db: Db, workspaceId: string, id: string): Promise<Before | undefined> {
  const { rows } = await sql<{ changes: Before }>`
    delete from contact_job_slices where workspace_id = ${workspaceId} and job_id = ${id} and below = (
      select min(below) from contact_job_slices where workspace_id = ${workspaceId} and job_id = ${id})
    returning changes`.execute(db)
  return rows[0]?.changes
}

/** Forgets what changes did that can no longer be undone, events of contacts that are removed for good, and old changes themselves. */
export async function forgetChanges(db: Db, { undoHours, days }: { undoHours: number; days: number }): Promise<void> {
  const isOver = sql`s.at < now() - make_interval(hours => ${undoHours})`
  await sql`
    delete from contact_events e using (
      select s.workspace_id, k.id::bigint as contact_id from contact_job_slices s
      join contact_jobs j on j.workspace_id = s.workspace_id and j.id = s.job_id and j.action = 'delete'
      cross join lateral jsonb_object_keys(s.changes) k (id) where ${isOver}
    ) gone where e.workspace_id = gone.workspace_id and e.contact_id = gone.contact_id
      and not exists (select 1 from contacts c where c.workspace_id = gone.workspace_id and c.id = gone.contact_id)`.execute(
    db,
  )
  await sql`delete from contact_job_slices s where ${isOver}`.execute(db)
  await sql`delete from contact_jobs where finished_at < now() - make_interval(days => ${days})`.execute(db)
}

/** Forgets what changes did with one contact, and its events. */
export async function forgetContact(db: Db, workspaceId: string, contactId: string): Promise<void> {
  await deleteEvents(db, workspaceId, [contactId])
  await sql`
    update contact_job_slices s set changes = changes - ${contactId}::text from contact_jobs j
    where j.workspace_id = ${workspaceId} and ${holdsContact(workspaceId, contactId)}`.execute(db)
}

/** Forgets contacts of one person that changes removed, and their events: it reads all that is set aside. */
export async function forgetRemoved(
  db: Db,
  workspaceId: string,
  { emailKey, phone, bsuid }: { emailKey: string | null; phone: string | null; bsuid: string | null },
): Promise<void> {
  const who = JSON.stringify({ key: emailKey ?? '', phone: phone ?? '', bsuid: bsuid ?? '' })
  const isTheirs = '(@.email_key == $key || @.phone == $phone || @.bsuid == $bsuid)'
  const isInSlice = sql`jsonb_path_exists(changes, ${`$.*.contact ? ${isTheirs}`}::jsonpath, ${who}::jsonb)`
  const isContact = sql`jsonb_path_exists(value, ${`$.contact ? ${isTheirs}`}::jsonpath, ${who}::jsonb)`
  await sql`delete from contact_events where workspace_id = ${workspaceId} and contact_id in (
    select key::bigint from contact_job_slices cross join lateral jsonb_each(changes)
    where workspace_id = ${workspaceId} and ${isInSlice} and ${isContact})`.execute(db)
  await sql`update contact_job_slices set changes = (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(changes)
      where not ${isContact})
    where workspace_id = ${workspaceId} and ${isInSlice}`.execute(db)
}
