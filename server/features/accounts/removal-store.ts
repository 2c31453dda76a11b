/**
 * What goes with an account. The one store that touches other features' tables: what belongs to a workspace is one thing
 * when it is removed, and a table nobody thought of must not be left behind.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Rows a statement: others hardly wait. */
const SLICE = 2_000

async function count(db: Db, query: ReturnType<typeof sql<{ n: string }>>): Promise<number> {
  return Number((await query.execute(db)).rows[0]?.n ?? 0)
}

/** Ends what runs: no further message is handed over, no further row imported and no further page read. Answers the campaigns that were stopped. */
export async function stopEverything(db: Db, workspaceId: string): Promise<string[]> {
  const stopped = await db
    .updateTable('campaigns')
    .set({ state: 'cancelled', stateText: '', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['scheduled', 'sending', 'paused'])
    .returning('id')
    .execute()
  await db
    .updateTable('imports')
    .set({ state: 'failed', error: 'The account was deleted.', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running'])
    .execute()
  await db
    .updateTable('collectorJobs')
    .set({ state: 'stopped', stateText: '', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running', 'paused'])
    .execute()
  return stopped.map((row) => row.id)
}

/** Removes the user; his sessions and links in mail go with him in the same statement. Limits kept under his address go too. */
export async function deleteUser(db: Db, userId: string, workspaceId: string, emailKey: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute()
  const end = `:${emailKey}`
  const tests = ['test-own', 'test-others', 'test-addresses', 'from-addresses'].map((what) => `${what}:${workspaceId}`)
  await sql`delete from throttles where right(key, ${end.length}) = ${end}
    or key = any(${[`password:${userId}`, `export:${userId}`, `sender:${workspaceId}`, ...tests]}::text[])`.execute(db)
}

/** Leaves of the audit log that something was done, and when: neither whose affair it was, nor from where, nor the details. */
export async function forgetInLog(db: Db, userId: string, workspaceId: string): Promise<void> {
  await sql`update audit_log set workspace_id = null, details = '{}', network = case when actor_id = ${userId} then '' else network end
    where workspace_id = ${workspaceId}`.execute(db)
}

/** Whether a worker still has messages of the workspace in its hands. */
export async function isSending(db: Db, workspaceId: string): Promise<boolean> {
  const claim = await db
    .selectFrom('claims')
    .innerJoin('campaigns', 'campaigns.id', 'claims.campaignId')
    .where('campaigns.workspaceId', '=', workspaceId)
    .select('claims.id')
    .limit(1)
    .executeTakeFirst()
  return claim !== undefined
}

export async function importFiles(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('imports').where('workspaceId', '=', workspaceId).select('filePath').execute()
  return rows.map((row) => row.filePath)
}

export async function campaignIds(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('campaigns').where('workspaceId', '=', workspaceId).select('id').execute()
  return rows.map((row) => row.id)
}

// Ids are given as arrays: they lead the planner to the index where a join alone would read whole tables.

/** Deletes some messages of a campaign and what came back for them; answers how many messages. */
export function deleteMessages(db: Db, campaignId: string): Promise<number> {
  return count(
    db,
    sql`with gone as (
        delete from messages where id = any(array(select id from messages where campaign_id = ${campaignId} limit ${SLICE})) returning id
      ), events as (delete from events where message_id = any(array(select id from gone)))
      select count(*) as n from gone`,
  )
}

/** Deletes some events of a campaign that came while its messages went; answers how many. */
export function deleteEvents(db: Db, campaignId: string): Promise<number> {
  return count(
    db,
    sql`with gone as (
        delete from events where id = any(array(select id from events where campaign_id = ${campaignId} limit ${SLICE})) returning id
      ) select count(*) as n from gone`,
  )
}

/** Deletes some contacts and their memberships; answers how many contacts. */
export function deleteContacts(db: Db, workspaceId: string): Promise<number> {
  return count(
    db,
    sql`with gone as (
        delete from contacts where workspace_id = ${workspaceId}
          and id = any(array(select id from contacts where workspace_id = ${workspaceId} limit ${SLICE})) returning id
      ), members as (delete from list_members where contact_id = any(array(select id from gone)))
      select count(*) as n from gone`,
  )
}

export async function collectorIds(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('collectorJobs').where('workspaceId', '=', workspaceId).select('id').execute()
  return rows.map((row) => row.id)
}

/** Deletes some pages or results of a collection; answers how many. */
export function deleteCollected(
  db: Db,
  workspaceId: string,
  table: 'collector_pages' | 'collector_results',
  jobId: string,
): Promise<number> {
  return count(
    db,
    sql`with gone as (
        delete from ${sql.table(table)} where job_id = ${jobId} and workspace_id = ${workspaceId}
          and id = any(array(select id from ${sql.table(table)} where job_id = ${jobId} and workspace_id = ${workspaceId} limit ${SLICE})) returning 1
      ) select count(*) as n from gone`,
  )
}

/** Deletes some rows that could not be imported; answers how many. */
export function deleteImportErrors(db: Db, workspaceId: string): Promise<number> {
  return count(
    db,
    sql`with bad as (
        select e.import_id, e.row from import_errors e join imports i on i.id = e.import_id where i.workspace_id = ${workspaceId} limit ${SLICE}
      ), gone as (
        delete from import_errors e using bad where e.import_id = bad.import_id and e.row = bad.row returning 1
      ) select count(*) as n from gone`,
  )
}

// Emptied in slices above, by indexes that do not begin with the workspace; and the log, which knows it no longer.
const EMPTIED = ['contacts', 'list_members', 'messages', 'events', 'audit_log']

/** Every other table that carries the workspace, as the database itself knows them: none can be forgotten. */
async function otherTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    where c.table_schema = current_schema() and c.column_name = 'workspace_id' and not c.table_name = any(${EMPTIED}::text[])
    order by c.table_name`.execute(db)
  return rows.map((row) => row.name)
}

/** Deletes what is left once the large tables are empty, the workspace last. */
export async function deleteWorkspace(db: Db, workspaceId: string): Promise<void> {
  const campaigns = await campaignIds(db, workspaceId)
  await db.transaction().execute(async (db) => {
    if (campaigns.length > 0) await db.deleteFrom('campaignCounts').where('campaignId', 'in', campaigns).execute()
    for (const name of await otherTables(db))
      await sql`delete from ${sql.table(name)} where workspace_id = ${workspaceId}`.execute(db)
    await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  })
}
