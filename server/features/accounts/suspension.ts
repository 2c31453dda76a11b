import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** What a campaign says that does not go on because its account is suspended. */
export const SUSPENDED =
  'Paused: the account was suspended. Nothing is lost. Resume it once the account is active again.'

/** A condition: nobody suspended the account of the workspace in this column. What leaves by itself asks it first. */
export const isOpen = (workspaceId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from users where users.workspace_id = ${sql.ref(workspaceId)} and suspended_at is null)`

/** Whether anything may leave a workspace by itself: its account is not suspended. */
export async function isWorkspaceOpen(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .where('suspendedAt', 'is', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}
