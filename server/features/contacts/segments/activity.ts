import { type RawBuilder, sql } from 'kysely'
import { holding } from '#server/platform/db/like.ts'
import { onNode } from '#server/platform/db/spread.ts'

/** What people did with messages, or what became of these. */
export type Activity = 'sent' | 'opened' | 'clicked' | 'replied' | 'bounced'

export interface ActivityBounds {
  since?: Date
  campaignId?: string
}

const EVENTS = { opened: 'open', clicked: 'click' } as const

const inCampaign = (workspaceId: string, campaignId: string | undefined) =>
  campaignId === undefined
    ? sql``
    : sql`and m.campaign_id in (select id from campaigns where workspace_id = ${workspaceId} and ${campaignId}::bigint in (id, parent_id))`

/** Events by people, from the campaigns down: events are indexed by theirs. */
const ofEvents = (workspaceId: string, kind: string, rest: RawBuilder<unknown>) => sql`
  select m.contact_id from campaigns k join events e on e.campaign_id = k.id ${onNode('e.workspace_id', workspaceId)} and e.kind = ${kind} and e.class = 'human'
    join messages m on m.workspace_id = ${workspaceId} and m.id = e.message_id
  where k.workspace_id = ${workspaceId} ${rest}`

/** A statement of the `contact_id` of everybody who did it, or to whom it happened. Events of bots do not count. */
export function findActive(
  workspaceId: string,
  activity: Activity,
  { since, campaignId }: ActivityBounds,
): RawBuilder<unknown> {
  const campaign = inCampaign(workspaceId, campaignId)
  if (activity === 'opened' || activity === 'clicked')
    return ofEvents(workspaceId, EVENTS[activity], sql`${since ? sql`and e.at >= ${since}` : sql``} ${campaign}`)
  if (activity === 'replied')
    return sql`select m.contact_id from gmail_messages g join messages m on m.workspace_id = g.workspace_id and m.id = g.message_id
      where g.workspace_id = ${workspaceId} and g.replied_at is not null ${since ? sql`and g.replied_at >= ${since}` : sql``} ${campaign}`
  const at = activity === 'sent' ? sql`m.sent_at` : sql`coalesce(m.sent_at, m.first_attempt_at, m.queued_at)`
  return sql`select m.contact_id from messages m where m.workspace_id = ${workspaceId}
    and ${activity === 'sent' ? sql`m.sent_at is not null` : sql`m.trouble = 'bounced'`} ${since ? sql`and ${at} >= ${since}` : sql``} ${campaign}`
}

/** Whether nobody can know who opened or clicked a campaign: it was not tracked, or in total alone. */
export const isUntracked = (
  workspaceId: string,
  activity: 'opened' | 'clicked',
  campaignId: string,
): RawBuilder<unknown> =>
  sql`exists (select 1 from campaigns where workspace_id = ${workspaceId} and id = ${campaignId} and not ${sql.ref(activity === 'opened' ? 'track_opens' : 'track_clicks')})`

/** A statement of the `contact_id` of everybody who clicked a link with exactly this URL, or one that contains a text. */
export const findClickers = (workspaceId: string, text: string, isWhole: boolean): RawBuilder<unknown> =>
  ofEvents(
    workspaceId,
    'click',
    sql`and (k.id, e.link) in (select campaign_id, link from campaign_links
      where workspace_id = ${workspaceId} and ${isWhole ? sql`url = ${text}` : sql`lower(url) like ${holding(text)}`})`,
  )

/** A statement of the `contact_id` of everybody with a custom event of this name. None happened after it was recorded. */
export const findWithEvent = (workspaceId: string, name: string, since: Date | undefined): RawBuilder<unknown> =>
  sql`select contact_id from contact_events where workspace_id = ${workspaceId} and name = ${name}
    ${since ? sql`and recorded_at >= ${since} and at >= ${since}` : sql``}`
