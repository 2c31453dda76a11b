import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A campaign that is there for its workspace, with what its figures need. Times in milliseconds. */
export async function campaignFacts(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{
    trackOpens: boolean
    trackClicks: boolean
    startedAt: Date | null
    channel: string
    sent: string
    bounced: string
    attempted: string
  }>`
    select c.track_opens, c.track_clicks, c.started_at, c.channel, coalesce(n.sent, 0) as sent, coalesce(n.bounced, 0) as bounced,
      coalesce(n.sent + n.deferred + n.failed + n.bounced + n.unconfirmed, 0) as attempted
    from campaigns c left join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.id = ${campaignId} and c.deleted_at is null`.execute(db)
  return rows[0]
}

/** Requests and different messages by kind and class. An event may stand for several requests (`times`). */
export async function countEvents(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{ kind: string; class: 'human' | 'machine'; total: string; messages: string }>`
    select kind, class, sum(times) as total, count(distinct message_id) as messages
    from events where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
    group by kind, class`.execute(db)
  return rows
}

/** People who opened or clicked. */
export async function countEngaged(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(distinct message_id) from events
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and kind in ('open', 'click') and class = 'human'`.execute(
    db,
  )
  return Number(rows[0]?.count ?? 0)
}

/** Every destination, the most followed first; one that stands in the mail twice is one. */
export async function countLinks(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{ link: number; url: string; clicks: string; unique: string; machine: string }>`
    select min(l.link) as link, l.url, coalesce(sum(e.times) filter (where e.class = 'human'), 0) as clicks,
      count(distinct e.message_id) filter (where e.class = 'human') as "unique",
      coalesce(sum(e.times) filter (where e.class = 'machine'), 0) as machine
    from campaign_links l
    left join events e on e.workspace_id = ${workspaceId} and e.campaign_id = l.campaign_id and e.kind = 'click' and e.link = l.link
    where l.workspace_id = ${workspaceId} and l.campaign_id = ${campaignId}
    group by l.url order by clicks desc, machine desc, min(l.link)`.execute(db)
  return rows.map((row) => ({
    link: row.link,
    url: row.url,
    clicks: Number(row.clicks),
    unique: Number(row.unique),
    machine: Number(row.machine),
  }))
}

/** When the first and the last open or click came. */
export async function findEventSpan(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<{ first: Date; last: Date } | undefined> {
  const { rows } = await sql<{ first: Date | null; last: Date | null }>`
    select min(at) as first, max(at) as last from events
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and kind in ('open', 'click')`.execute(db)
  const { first, last } = rows[0] ?? {}
  return first && last ? { first, last } : undefined
}

/** Opens and clicks by people, and machine traffic of both, in buckets of so many seconds since 1970. */
export async function countByTime(db: Db, workspaceId: string, campaignId: string, seconds: number) {
  const { rows } = await sql<{ bucket: string; opens: string; clicks: string; machine: string }>`
    select floor(extract(epoch from at) / ${seconds}::int)::bigint as bucket,
      coalesce(sum(times) filter (where class = 'human' and kind = 'open'), 0) as opens,
      coalesce(sum(times) filter (where class = 'human' and kind = 'click'), 0) as clicks,
      coalesce(sum(times) filter (where class = 'machine'), 0) as machine
    from events where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and kind in ('open', 'click')
    group by 1`.execute(db)
  return new Map(
    rows.map((row) => [
      Number(row.bucket),
      { opens: Number(row.opens), clicks: Number(row.clicks), machine: Number(row.machine) },
    ]),
  )
}

/** Opens by people for each user agent, the most frequent first; the rare rest is one row with an empty name. */
export async function countAgents(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{ userAgent: string; opens: string }>`
    with agents as (
      select user_agent, sum(times) as opens, row_number() over (order by sum(times) desc) as place
      from events where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and kind = 'open' and class = 'human'
      group by user_agent
    )
    select case when place <= 5000 then user_agent else '' end as user_agent, sum(opens) as opens from agents group by 1`.execute(
    db,
  )
  return rows.map((row) => ({ userAgent: row.userAgent, opens: Number(row.opens) }))
}

/** Different human openers and clickers of each campaign that has any. */
export async function countPeople(db: Db, workspaceId: string, campaignIds: string[]) {
  if (campaignIds.length === 0) return []
  const { rows } = await sql<{ campaignId: string; opened: string; clicked: string }>`
    select campaign_id, count(distinct message_id) filter (where kind = 'open') as opened,
      count(distinct message_id) filter (where kind = 'click') as clicked
    from events where workspace_id = ${workspaceId} and campaign_id = any(${campaignIds}::bigint[]) and kind in ('open', 'click') and class = 'human'
    group by campaign_id`.execute(db)
  return rows
}

/** People who opened, clicked, did either, and unsubscribed, of each campaign that has any. */
export async function countEngagement(db: Db, workspaceId: string, campaignIds: string[]) {
  if (campaignIds.length === 0) return []
  const { rows } = await sql<{
    campaignId: string
    opened: number
    clicked: number
    engaged: number
    unsubscribed: number
  }>`
    select campaign_id, count(distinct message_id) filter (where kind = 'open')::int as opened,
      count(distinct message_id) filter (where kind = 'click')::int as clicked,
      count(distinct message_id) filter (where kind in ('open', 'click'))::int as engaged,
      count(distinct message_id) filter (where kind = 'unsubscribe')::int as unsubscribed
    from events where workspace_id = ${workspaceId} and campaign_id = any(${campaignIds}::bigint[])
      and kind in ('open', 'click', 'unsubscribe') and class = 'human'
    group by campaign_id`.execute(db)
  return rows
}

/** Messages of each campaign whose address was refused for good, then or later. */
export async function countBounces(db: Db, workspaceId: string, campaignIds: string[]) {
  if (campaignIds.length === 0) return []
  const { rows } = await sql<{ campaignId: string; count: number }>`
    select campaign_id, count(*)::int as count from messages
    where workspace_id = ${workspaceId} and campaign_id = any(${campaignIds}::bigint[])
      and (state = 'bounced' or (state = 'failed' and reason in ('hard', 'soft', 'expired'))) group by campaign_id`.execute(
    db,
  )
  return rows
}

/** One message of a campaign that is there, and all its events. */
export async function messageWithEvents(db: Db, workspaceId: string, campaignId: string, messageId: string) {
  const message = await db
    .selectFrom('messages')
    .innerJoin('campaigns', 'campaigns.id', 'messages.campaignId')
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
      join.onRef('campaignLinks.campaignId', '=', 'events.campaignId').onRef('campaignLinks.link', '=', 'events.link'),
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
