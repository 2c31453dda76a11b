import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Email campaigns begun since then, removed ones too: what was sent was sent. */
export async function begunSince(db: Db, workspaceId: string, since: Date) {
  return db
    .selectFrom('campaigns')
    .leftJoin('campaignCounts as counts', (join) =>
      join.onRef('counts.workspaceId', '=', 'campaigns.workspaceId').onRef('counts.campaignId', '=', 'campaigns.id'),
    )
    .where('campaigns.workspaceId', '=', workspaceId)
    .where('campaigns.channel', '=', 'email')
    .where('campaigns.startedAt', '>=', since)
    .where('campaigns.isSample', '=', false)
    .select(['campaigns.id', 'campaigns.trackOpens', 'campaigns.trackClicks'])
    .select(sql<string>`coalesce(counts.sent, 0)`.as('sent'))
    .execute()
}

/** The email campaign whose time comes next. */
export function nextScheduled(db: Db, workspaceId: string) {
  return db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('channel', '=', 'email')
    .where('state', '=', 'scheduled')
    .where('deletedAt', 'is', null)
    .select(['id', 'name', 'scheduledAt'])
    .orderBy('scheduledAt')
    .limit(1)
    .executeTakeFirst()
}

/** What is there of a first email campaign, sample data aside; each costs one look-up, however much there is. */
export async function whatIsThere(db: Db, workspaceId: string) {
  const { rows } = await sql<{ template: boolean; recipients: boolean; campaign: boolean; sent: boolean }>`
    select exists (select 1 from templates where workspace_id = ${workspaceId} and not is_sample) as template,
      exists (select 1 from contacts where workspace_id = ${workspaceId} and source <> 'sample') as recipients,
      exists (select 1 from campaigns where workspace_id = ${workspaceId} and channel = 'email' and deleted_at is null and journey_id is null and not is_sample) as campaign,
      exists (select 1 from campaigns c left join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
        where c.workspace_id = ${workspaceId} and not c.is_sample and (n.sent > 0 or c.state = 'sending')) as sent`.execute(
    db,
  )
  return rows[0] ?? { template: false, recipients: false, campaign: false, sent: false }
}
