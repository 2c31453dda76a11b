import { sql } from 'kysely'
import { deliveryColumns, repliesToIt } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'

export type ChannelName = 'email' | 'gmail' | 'whatsapp'

/** A campaign that was sent, or a follow-up of one, with what its figures need. */
export interface SentCampaign {
  id: string
  channel: ChannelName
  startedAt: Date
  sent: number
  trackOpens: boolean
  trackClicks: boolean
}

const ofChannel = (channel: ChannelName | undefined) => (channel ? sql`and c.channel = ${channel}` : sql``)

/** Campaigns begun since then, removed ones and follow-ups too: what was sent was sent. Their counts are maintained by triggers. */
export async function sentSince(db: Db, workspaceId: string, since: Date, channel: ChannelName | undefined) {
  const { rows } = await sql<SentCampaign>`
    select c.id, c.channel, coalesce(c.started_at, p.started_at) as started_at, coalesce(n.sent, 0)::int as sent, c.track_opens, c.track_clicks
    from campaigns c
    left join campaigns p on p.workspace_id = c.workspace_id and p.id = c.parent_id
    left join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and not c.is_sample and coalesce(c.started_at, p.started_at) >= ${since} ${ofChannel(channel)}`.execute(
    db,
  )
  return rows
}

interface Reached {
  delivered: number
  read: number
  replied: number
}

/** Of WhatsApp campaigns: whom they reached, who read, and who replied. */
export async function readAndReplied(
  db: Db,
  workspaceId: string,
  campaignIds: string[],
): Promise<Map<string, Reached>> {
  if (campaignIds.length === 0) return new Map()
  const { rows } = await sql<Reached & { campaignId: string }>`
    select m.campaign_id, ${deliveryColumns},
      count(*) filter (where m.conversation_id is not null and exists (select 1 from ${repliesToIt(workspaceId)}))::int as replied
    from whatsapp_messages m where m.workspace_id = ${workspaceId} and m.campaign_id = any(${campaignIds}::bigint[]) and m.direction = 'out'
    group by m.campaign_id`.execute(db)
  return new Map(rows.map(({ campaignId, ...counts }) => [campaignId, counts]))
}

/** The campaign that started last and is there. */
export async function lastStarted(db: Db, workspaceId: string, channel: ChannelName | undefined) {
  const { rows } = await sql<SentCampaign & { name: string; state: string }>`
    select c.id, c.name, c.channel, c.state, c.started_at, c.track_opens, c.track_clicks, coalesce(n.sent, 0)::int as sent
    from campaigns c left join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.parent_id is null and c.journey_id is null and c.deleted_at is null and not c.is_sample and c.started_at is not null
      and c.state in ('sending', 'paused', 'sent', 'cancelled', 'failed') ${ofChannel(channel)}
    order by c.started_at desc limit 1`.execute(db)
  return rows[0]
}

/** The campaign whose time comes next. */
export async function nextToStart(db: Db, workspaceId: string, channel: ChannelName | undefined) {
  const { rows } = await sql<{ id: string; name: string; channel: ChannelName; scheduledAt: Date }>`
    select c.id, c.name, c.channel, c.scheduled_at from campaigns c
    where c.workspace_id = ${workspaceId} and c.parent_id is null and c.deleted_at is null and c.state = 'scheduled'
      and c.scheduled_at is not null ${ofChannel(channel)}
    order by c.scheduled_at limit 1`.execute(db)
  return rows[0]
}

const EACH = 10

/** What waits for the user: what failed first, then unread conversations, then drafts. */
export async function needsAttention(db: Db, workspaceId: string) {
  const { rows } = await sql<{
    kind: 'draft' | 'import' | 'sender' | 'gmail' | 'number' | 'campaign' | 'journey' | 'conversations'
    id: string | null
    name: string
    channel: ChannelName | null
    detail: string
    at: Date
  }>`
    (select 'campaign' as kind, id::text as id, name, channel, left(state_text, 300) as detail, coalesce(finished_at, updated_at) as at from campaigns
      where workspace_id = ${workspaceId} and parent_id is null and deleted_at is null and updated_at > now() - interval '30 days'
        and (state = 'failed' or state = 'paused') order by updated_at desc limit ${EACH})
    union all
    (select 'journey', id::text, name, null, left(state_text, 300), updated_at from journeys
      where workspace_id = ${workspaceId} and state in ('active', 'paused') and state_text <> '' order by id desc limit ${EACH})
    union all
    (select 'sender', id::text, coalesce(nullif(from_email, ''), name), null, left(state_text, 300), created_at from senders
      where workspace_id = ${workspaceId} and state = 'failing' and kind <> 'gmail' order by id limit ${EACH})
    union all
    (select 'gmail', s.id::text, s.from_email, null,
        case when g.revoked_at is not null or g.refresh_until <= now() then 'Its permission at Google has ended. Connect the account again.' else left(s.state_text, 300) end,
        coalesce(g.revoked_at, s.created_at) from gmail_accounts g join senders s on s.workspace_id = g.workspace_id and s.id = g.sender_id
      where g.workspace_id = ${workspaceId} and (g.revoked_at is not null or g.refresh_until <= now() or s.state = 'failing') order by s.id limit ${EACH})
    union all
    (select 'number', id::text, coalesce(nullif(name, ''), display_phone), null, left(state_text, 300), coalesce(checked_at, created_at) from whatsapp_numbers
      where workspace_id = ${workspaceId} and state <> 'working' order by id limit ${EACH})
    union all
    (select 'import', id::text, file_name, null, coalesce(left(error, 300), ''), coalesce(finished_at, created_at) from imports
      where workspace_id = ${workspaceId} and state = 'failed' and created_at > now() - interval '14 days' order by id desc limit ${EACH})
    union all
    (select 'conversations', null, '', null, count(*)::text, max(last_at) from whatsapp_conversations
      where workspace_id = ${workspaceId} and state = 'open' and unread > 0 having count(*) > 0)
    union all
    (select 'draft', id::text, name, channel, '', updated_at from campaigns
      where workspace_id = ${workspaceId} and parent_id is null and journey_id is null and deleted_at is null and state = 'draft' order by updated_at desc limit 3)`.execute(
    db,
  )
  return rows
}
