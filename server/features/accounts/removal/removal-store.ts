/** What goes with an account: the user, and all that is left of the workspace once the large tables are empty. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { clearThrottles } from '#server/platform/throttle.ts'

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

// Emptied in slices before, by indexes that do not begin with the workspace; and the log, which knows it no longer.
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
