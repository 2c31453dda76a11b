import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/**
 * Contacts kept now and e-mails sent since the first of the month (UTC). Of campaigns that began this month the counts kept
 * with them are enough; only of those that reach over from before the messages themselves are looked at.
 */
export async function usageThisMonth(db: Db, workspaceId: string): Promise<{ contacts: number; emails: number }> {
  const month = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`
  const { rows } = await sql<{ contacts: string; emails: string }>`
    select (select count(*) from contacts where workspace_id = ${workspaceId}) as contacts,
      (select coalesce(sum(n.sent + n.bounced + n.unconfirmed), 0) from campaigns c join campaign_counts n on n.campaign_id = c.id
        where c.workspace_id = ${workspaceId} and c.started_at >= ${month})
      + (select count(*) from campaigns c join messages m on m.campaign_id = c.id
        where c.workspace_id = ${workspaceId} and c.started_at < ${month} and (c.finished_at is null or c.finished_at >= ${month})
          and m.sent_at >= ${month}) as emails`.execute(db)
  return { contacts: Number(rows[0]?.contacts ?? 0), emails: Number(rows[0]?.emails ?? 0) }
}
