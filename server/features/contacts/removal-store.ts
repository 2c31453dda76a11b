/** What goes of contacts with an account, slice by slice. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Rows a statement: others hardly wait. */
const SLICE = 2_000

/** Ends the imports of a workspace: no further row is imported. */
export async function stopImports(db: Db, workspaceId: string): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'failed', error: 'The account was deleted.', finishedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running'])
    .execute()
}

/** Deletes some contacts with their memberships and tags. Returns how many contacts. */
export async function deleteSomeContacts(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`with gone as (
      delete from contacts where workspace_id = ${workspaceId}
        and id = any(array(select id from contacts where workspace_id = ${workspaceId} limit ${SLICE})) returning id
    ), members as (delete from list_members where workspace_id = ${workspaceId} and contact_id = any(array(select id from gone))),
    tagged as (delete from contact_tags where workspace_id = ${workspaceId} and contact_id = any(array(select id from gone))),
    edited as (delete from contact_edits where workspace_id = ${workspaceId} and contact_id = any(array(select id from gone))),
    happened as (delete from contact_events where workspace_id = ${workspaceId} and contact_id = any(array(select id from gone))),
    clicked as (delete from tag_clicks where workspace_id = ${workspaceId} and contact_id = any(array(select id from gone)))
    select count(*)::int as n from gone`.execute(db)
  return rows[0]?.n ?? 0
}

/** Deletes some rows that could not be imported. Returns how many. */
export async function deleteSomeImportErrors(db: Db, workspaceId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import_errors e using (select import_id, row from import_errors where workspace_id = ${workspaceId} limit ${SLICE}) bad
    where e.workspace_id = ${workspaceId} and e.import_id = bad.import_id and e.row = bad.row`.execute(db)
  return Number(numAffectedRows ?? 0)
}
