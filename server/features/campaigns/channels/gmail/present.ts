import type { SendingWindow } from '#contracts/campaigns/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { mergeOf } from '../../merged-rows.ts'
import type { ChannelFields } from '../channel.ts'
import { noFields } from '../no-fields.ts'
import { attachmentsOf } from './attachments.ts'
import { forecastGmail } from './forecast.ts'
import { readReplies } from './sync/replies-store.ts'

/** Whether replies and bounces of the accounts of a campaign can be seen. */
function readsOf({ senderIds }: CampaignRow, readable: number): 'all' | 'some' | 'none' {
  if (readable === 0) return 'none'
  return readable < senderIds.length ? 'some' : 'all'
}

/** The fields of Gmail campaigns by id; files and the forecast of one campaign only. */
export async function presentGmail(
  db: Db,
  workspaceId: string,
  rows: CampaignRow[],
  isWhole: boolean,
): Promise<Map<string, ChannelFields>> {
  const replies = await readReplies(
    db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  const fields = new Map<string, ChannelFields>()
  for (const row of rows) {
    const { readable = 0, replied = 0 } = replies.get(row.id) ?? {}
    const reads = readsOf(row, readable)
    fields.set(row.id, {
      ...noFields,
      channel: 'gmail',
      senderIds: row.senderIds,
      window: row.sendingWindow as SendingWindow | null,
      spread: row.spread,
      attachments: isWhole ? await attachmentsOf(db, row.id) : [],
      merge: mergeOf(row),
      reads,
      replied: reads === 'none' ? null : replied,
      forecast: isWhole ? await forecastGmail(db, row) : null,
    })
  }
  return fields
}
