import type { OfEmail } from '#contracts/campaigns/channels/email/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { FieldsOf } from '../channel.ts'
import { forecastEmail } from './forecast.ts'

/** The fields of email campaigns by id; the forecast of one campaign only. */
export async function presentEmail(
  db: Db,
  _workspaceId: string,
  rows: CampaignRow[],
  isWhole: boolean,
): Promise<Map<string, Pick<FieldsOf<typeof OfEmail>, 'forecast'>>> {
  const fields = new Map<string, Pick<FieldsOf<typeof OfEmail>, 'forecast'>>()
  for (const row of rows) fields.set(row.id, { forecast: isWhole ? await forecastEmail(db, row) : null })
  return fields
}
