import type { OfEmail } from '#contracts/campaigns/channels/email/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { FieldsOf } from '../channel.ts'
import { readHours } from '../hours/hours.ts'
import { forecastEmail } from './forecast.ts'

type Own = Pick<FieldsOf<typeof OfEmail>, 'window' | 'forecast'>

/** The fields of email campaigns by id; the forecast of one campaign only. */
export async function presentEmail(
  db: Db,
  workspaceId: string,
  rows: CampaignRow[],
  isWhole: boolean,
): Promise<Map<string, Own>> {
  const fields = new Map<string, Own>()
  const hours = await readHours(
    db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  for (const row of rows)
    fields.set(row.id, {
      window: hours.get(row.id)?.window ?? null,
      forecast: isWhole ? await forecastEmail(db, row) : null,
    })
  return fields
}
