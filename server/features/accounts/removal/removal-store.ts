/**
 * What goes with an account. The one store that touches other features' tables: what belongs to a workspace is one thing
 * when it is removed, and a table nobody thought of must not be left behind.
 */
import { sql } from 'kysely'
import { stopImports } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { clearThrottles } from '#server/platform/throttle.ts'

/** Rows a statement: others hardly wait. */
const SLICE = 2_000

async function count(db: Db, query: ReturnType<typeof sql<{ n: string }>>): Promise<number> {
  return Number((await query.execute(db)).rows[0]?.n ?? 0)
}

/** Ends what runs: no further message is handed over, no further row imported and no further page read. Returns the campaigns that were stopped. */
export async function stopEverything(db: Db, workspaceId: string): Promise<string[]> {
  const stopped = await db
    .updateTable('campaigns')
    .set({ state: 'cancelled', stateText: '', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['scheduled', 'sending', 'paused'])
    .returning('id')
    .execute()
  await stopImports(db, workspaceId)
  await db
    .updateTable('crawlJobs')
    .set({ state: 'stopped', stateText: '', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running', 'paused'])
    .execute()
  return stopped.map((row) => row.id)
}

/** Deletes the user; sessions and links in emails go with them in the same statement. Limits stored under their address go too. */
export async function deleteUser(db: Db, userId: string, workspaceId: string, emailKey: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).execute()
  const tests = ['test-own', 'test-others', 'test-addresses', 'from-addresses'].map((what) => `${what}:${workspaceId}`)
  await clearThrottles(
    db,
    [`password:${userId}`, `export:${userId}`, `sender:${workspaceId}`, ...tests],
    `:${emailKey}`,
  )
}

/** Whether a worker still has messages of the workspace in its hands. */
export async function isSending(db: Db, workspaceId: string): Promise<boolean> {
  const claim = await db
    .selectFrom('claims')
    .where('workspaceId', '=', workspaceId)
    .select('id')
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

/** Deletes some messages of a campaign and their events; returns how many messages. */
export function deleteMessages(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  return count(
    db,
    sql`with gone as (
        delete from messages where workspace_id = ${workspaceId} and id = any(array(
          select id from messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId} limit ${SLICE})) returning id
      ), events as (delete from events where workspace_id = ${workspaceId} and message_id = any(array(select id from gone)))
      select count(*) as n from gone`,
  )
}

/** Deletes some events of a campaign that came while its messages went; returns how many. */
export function deleteEvents(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  return count(
    db,
    sql`with gone as (
        delete from events where workspace_id = ${workspaceId} and id = any(array(
          select id from events where workspace_id = ${workspaceId} and campaign_id = ${campaignId} limit ${SLICE})) returning id
      ) select count(*) as n from gone`,
  )
}

export async function collectorIds(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('crawlJobs').where('workspaceId', '=', workspaceId).select('id').execute()
  return rows.map((row) => row.id)
}

/** Deletes some pages or results of a collection; returns how many. */
export function deleteCollected(
  db: Db,
  workspaceId: string,
  table: 'crawl_pages' | 'crawl_results',
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
  await db.transaction().execute(async (db) => {
    for (const name of await otherTables(db))
      await sql`delete from ${sql.table(name)} where workspace_id = ${workspaceId}`.execute(db)
    await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  })
}
