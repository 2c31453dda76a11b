import { sql } from 'kysely'
import type { CampaignState, Counts, TrackingMode } from '#contracts/campaigns/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import { choiceColumns } from './audience/choice-store.ts'
import { linkTagsColumn } from './link-tags/link-tags.ts'

const columns = [
  'campaigns.id',
  'campaigns.workspaceId',
  'campaigns.name',
  'campaigns.channel',
  'campaigns.state',
  'campaigns.stateText',
  'campaigns.senderId',
  'campaigns.subject',
  'campaigns.preheader',
  'campaigns.fromName',
  'campaigns.replyTo',
  'campaigns.templateId',
  'campaigns.html',
  'campaigns.trackOpens',
  'campaigns.trackClicks',
  'campaigns.totalsOf',
  'campaigns.scheduledAt',
  'campaigns.timeZone',
  'campaigns.startedAt',
  'campaigns.audienceAt',
  'campaigns.finishedAt',
  'campaigns.createdAt',
  'campaigns.updatedAt',
  'campaigns.parentId',
  'campaigns.step',
  'campaigns.afterMinutes',
  'campaigns.stopOnReply',
  'campaigns.stopOnClick',
  'campaigns.isSample',
  'campaigns.journeyId',
] as const

/** Campaigns of a workspace with their counts, those that were removed skipped. */
export function selectCampaigns(db: Db, workspaceId: string) {
  return db
    .selectFrom('campaigns')
    .leftJoin('campaignCounts as counts', (join) =>
      join.onRef('counts.workspaceId', '=', 'campaigns.workspaceId').onRef('counts.campaignId', '=', 'campaigns.id'),
    )
    .where('campaigns.workspaceId', '=', workspaceId)
    .where('campaigns.deletedAt', 'is', null)
    .select(columns)
    .select([
      // Exact, unlike a Date: every edit of a draft changes it.
      sql<string>`campaigns.updated_at::text`.as('revision'),
      'counts.queued',
      'counts.claimed',
      'counts.sent',
      'counts.deferred',
      'counts.failed',
      'counts.bounced',
      'counts.suppressed',
      'counts.unconfirmed',
      ...choiceColumns(workspaceId),
      linkTagsColumn(workspaceId),
      sql<
        string[]
      >`array(select sender_id::text from campaign_senders where workspace_id = ${workspaceId} and campaign_id = campaigns.id order by position)`.as(
        'senderIds',
      ),
      sql<number>`(select count(*)::int from campaigns f where f.workspace_id = ${workspaceId} and f.parent_id = campaigns.id)`.as(
        'followUps',
      ),
    ])
}

export type CampaignRow = NonNullable<Awaited<ReturnType<typeof campaignById>>>

export function campaignById(db: Db, workspaceId: string, id: string) {
  return selectCampaigns(db, workspaceId).where('campaigns.id', '=', id).executeTakeFirst()
}

/** Newest first, without the emails of journeys; `before` is the last id of the page before. */
export function campaignPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string; state?: CampaignState; channel?: string },
) {
  let query = selectCampaigns(db, workspaceId)
    .where('campaigns.parentId', 'is', null)
    .where('campaigns.journeyId', 'is', null)
    .orderBy('campaigns.id', 'desc')
    .limit(page.limit)
  if (page.before) query = query.where('campaigns.id', '<', page.before)
  if (page.state) query = query.where('campaigns.state', '=', page.state)
  if (page.channel) query = query.where('campaigns.channel', '=', page.channel)
  return query.execute()
}

/** The counts as the outside sees them: a claimed message is still queued. While the recipients are being written there are none. */
export function toCounts(
  row: Pick<
    CampaignRow,
    'audienceAt' | 'queued' | 'claimed' | 'sent' | 'deferred' | 'failed' | 'bounced' | 'suppressed' | 'unconfirmed'
  >,
): Counts {
  const number = (value: string | null) => (row.audienceAt === null ? 0 : Number(value ?? 0))
  const parts = {
    queued: number(row.queued) + number(row.claimed),
    sent: number(row.sent),
    deferred: number(row.deferred),
    failed: number(row.failed),
    bounced: number(row.bounced),
    suppressed: number(row.suppressed),
    unconfirmed: number(row.unconfirmed),
  }
  return { recipients: Object.values(parts).reduce((sum, part) => sum + part, 0), ...parts }
}

/** How opens and clicks are tracked, as it is chosen. */
export interface TrackingChoice {
  trackOpens: boolean
  trackClicks: boolean
  trackingMode: TrackingMode
}

/**
 * `trackOpens` and `trackClicks` are stored as true only where those of each recipient are known, so that whatever shows or asks for
 * these needs no look at the mode. What is counted in total alone is named in `totalsOf`.
 */
export interface StoredTracking {
  trackOpens: boolean
  trackClicks: boolean
  totalsOf: string[] | null
}

/** The choice that is stored. */
export const readTracking = ({ trackOpens, trackClicks, totalsOf }: StoredTracking): TrackingChoice => ({
  trackOpens: totalsOf?.includes('opens') ?? trackOpens,
  trackClicks: totalsOf?.includes('clicks') ?? trackClicks,
  trackingMode: totalsOf === null ? 'individual' : 'aggregate',
})
