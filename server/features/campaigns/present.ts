import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { openedAndClicked } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, readTracking, toCounts } from './campaign-rows.ts'
import { allChannels, requireChannel } from './channels/index.ts'

/** A campaign as the outside sees it. */
function presentCampaign(row: CampaignRow, engaged: { opened: number; clicked: number }, own: object): Campaign {
  const common = {
    id: row.id,
    name: row.name,
    state: row.state as Campaign['state'],
    stateText: row.stateText,
    senderId: row.senderId,
    subject: row.subject,
    preheader: row.preheader,
    fromName: row.fromName,
    replyTo: row.replyTo,
    templateId: row.templateId,
    html: row.html,
    listIds: row.listIds,
    segmentIds: row.segmentIds,
    excludeListIds: row.excludeListIds,
    excludeSegmentIds: row.excludeSegmentIds,
    ...readTracking(row),
    linkTags: row.linkTags,
    parentId: row.parentId,
    step: row.step,
    followUps: row.followUps,
    isSample: row.isSample,
    counts: toCounts(row),
    ...(row.totalsOf ? { opened: null, clicked: null } : engaged),
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    timeZone: row.timeZone,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
  // The contract says for each channel which fields its campaigns have; every response is checked against it.
  return Object.assign({ ...common, channel: row.channel }, ...allChannels().map(({ absent }) => absent), own)
}

/** The fields of campaigns whose channel has none of its own. */
const presentNothing = async (_db: Db, _workspaceId: string, rows: CampaignRow[]) =>
  new Map(rows.map(({ id }) => [id, {}]))

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
  const own = new Map<string, object>()
  for (const [id, mine] of Map.groupBy(rows, ({ channel }) => channel)) {
    const { present = presentNothing } = requireChannel(id)
    for (const [row, fields] of await present(db, workspaceId, mine, isWhole)) own.set(row, fields)
  }
  return rows.flatMap((row) => {
    const fields = own.get(row.id)
    return fields ? [presentCampaign(row, engaged.get(row.id) ?? { opened: 0, clicked: 0 }, fields)] : []
  })
}
