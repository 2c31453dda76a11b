import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, countsOf } from './campaign-rows.ts'
import type { ChannelFields } from './channels/channel.ts'
import { channelOf } from './channels/index.ts'

/** A campaign as the outside sees it. */
function presentCampaign(row: CampaignRow, engaged: { opened: number; clicked: number }, own: ChannelFields): Campaign {
  return {
    id: row.id,
    name: row.name,
    state: row.state as Campaign['state'],
    stateText: row.stateText,
    senderId: row.senderId,
    subject: row.subject,
    templateId: row.templateId,
    html: row.html,
    listIds: row.listIds,
    trackOpens: row.trackOpens,
    trackClicks: row.trackClicks,
    parentId: row.parentId,
    step: row.step,
    followUps: row.followUps,
    counts: countsOf(row),
    ...engaged,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    timeZone: row.timeZone,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...own,
  }
}

/** Campaigns of a workspace with their engagement, in the order of the rows. `isWhole`: one of them, and not a list. */
export async function presentCampaigns(
  db: Db,
  workspaceId: string,
  rows: CampaignRow[],
  isWhole: boolean,
): Promise<Campaign[]> {
  const engaged = await openedAndClicked(
    db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  const own = new Map<string, ChannelFields>()
  for (const [id, mine] of Map.groupBy(rows, ({ channel }) => channel))
    for (const [row, fields] of await channelOf(id).present(db, workspaceId, mine, isWhole)) own.set(row, fields)
  return rows.flatMap((row) => {
    const fields = own.get(row.id)
    return fields ? [presentCampaign(row, engaged.get(row.id) ?? { opened: 0, clicked: 0 }, fields)] : []
  })
}
