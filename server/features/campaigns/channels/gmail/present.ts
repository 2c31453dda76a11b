import type { NotGmail, OfGmail } from '#contracts/campaigns/channels/gmail/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { FieldsOf } from '../channel.ts'
import { readMergedRows } from '../email/merged-rows.ts'
import { readHours } from '../hours/hours.ts'
import { listAttachments } from './attachments.ts'
import { forecastGmail } from './forecast.ts'
import { readReplies } from './sync/replies-store.ts'

/** What campaigns over other channels have in the fields of Gmail campaigns. */
export const absentGmail: FieldsOf<typeof NotGmail> = {
  senderIds: [],
  window: null,
  spread: false,
  attachments: [],
  merge: null,
  reads: null,
  replied: null,
  forecast: null,
}

/** Whether replies and bounces of the accounts of a campaign can be seen. */
function describeReads({ senderIds }: CampaignRow, readable: number): 'all' | 'some' | 'none' {
  if (readable === 0) return 'none'
  return readable < senderIds.length ? 'some' : 'all'
}

/** The fields of Gmail campaigns by id; files and the forecast of one campaign only. */
export async function presentGmail(
  db: Db,
  workspaceId: string,
  rows: CampaignRow[],
  isWhole: boolean,
): Promise<Map<string, FieldsOf<typeof OfGmail>>> {
  const ids = rows.map(({ id }) => id)
  const replies = await readReplies(db, workspaceId, ids)
  const hours = await readHours(db, workspaceId, ids)
  const merges = await readMergedRows(db, workspaceId, ids)
  const fields = new Map<string, FieldsOf<typeof OfGmail>>()
  for (const row of rows) {
    const { readable = 0, replied = 0 } = replies.get(row.id) ?? {}
    const reads = describeReads(row, readable)
    fields.set(row.id, {
      senderIds: row.senderIds,
      ...(hours.get(row.id) ?? { window: null, spread: false }),
      attachments: isWhole ? await listAttachments(db, row.id) : [],
      merge: merges.get(row.id) ?? null,
      reads,
      replied: reads === 'none' ? null : replied,
      forecast: isWhole ? await forecastGmail(db, row) : null,
    })
  }
  return fields
}
