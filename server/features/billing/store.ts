import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Contacts kept now and e-mails sent since the first of the month (UTC). */
export async function usageThisMonth(db: Db, workspaceId: string): Promise<{ contacts: number; emails: number }> {
  const { rows } = await sql<{ contacts: string; emails: string }>`
    select (select count(*) from contacts where workspace_id = ${workspaceId}) as contacts,
           (select count(*) from messages where workspace_id = ${workspaceId}
             and sent_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc') as emails`.execute(db)
  return { contacts: Number(rows[0]?.contacts ?? 0), emails: Number(rows[0]?.emails ?? 0) }
}
