import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A campaign that is there for its workspace, with what its figures need; undefined: there is none. */
export async function campaignFacts(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{
    trackOpens: boolean
    trackClicks: boolean
    /** What is counted without recipients; null: those of each recipient are known. */
    totalsOf: string[] | null
    startedAt: Date | null
    channel: string
    sent: string
    bounced: string
    attempted: string
  }>`
    select c.track_opens, c.track_clicks, c.totals_of, c.started_at, c.channel, coalesce(n.sent, 0) as sent, coalesce(n.bounced, 0) as bounced,
      coalesce(n.sent + n.deferred + n.failed + n.bounced + n.unconfirmed, 0) as attempted
    from campaigns c left join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId} and c.deleted_at is null`.execute(db)
  return rows[0]
}

/** The destinations of a campaign by the lowest number of a link to each. */
export async function listDestinations(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{ link: number; url: string }>`
    select min(link) as link, url from campaign_links where workspace_id = ${workspaceId} and campaign_id = ${campaignId} group by url`.execute(
    db,
  )
  return rows
}

/** One message of a campaign that is there, and all its events. */
export async function messageWithEvents(db: Db, workspaceId: string, campaignId: string, messageId: string) {
  const message = await db
    .selectFrom('messages')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.workspaceId', '=', 'messages.workspaceId')
        .onRef('campaigns.id', '=', 'messages.campaignId'),
    )
    .where('messages.workspaceId', '=', workspaceId)
    .where('messages.campaignId', '=', campaignId)
    .where('messages.id', '=', messageId)
    .where('campaigns.deletedAt', 'is', null)
    .select([
      'messages.state',
      'messages.reason',
      'messages.response',
      'messages.queuedAt',
      'messages.firstAttemptAt',
      'messages.sentAt',
      'messages.dueAt',
      'campaigns.channel',
    ])
    .executeTakeFirst()
  if (!message) return undefined
  const events = await db
    .selectFrom('events')
    .leftJoin('campaignLinks', (join) =>
      join
        .onRef('campaignLinks.workspaceId', '=', 'events.workspaceId')
        .onRef('campaignLinks.campaignId', '=', 'events.campaignId')
        .onRef('campaignLinks.link', '=', 'events.link'),
    )
    .where('events.workspaceId', '=', workspaceId)
    .where('events.messageId', '=', messageId)
    .select(['events.kind', 'events.at', 'events.class', 'events.reason', 'events.userAgent', 'campaignLinks.url'])
    .orderBy('events.at')
    .orderBy('events.id')
    .limit(1000)
    .execute()
  return { message, events }
}
