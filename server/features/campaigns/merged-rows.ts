import type { MergedRows } from '#contracts/campaigns/parts.ts'
import type { CampaignRow } from './campaign-rows.ts'

const FIXED = ['email', 'name', 'phone']

/** What columns are in Liquid, those every contact has first. */
const fieldsOf = (targets: string[]) => [
  ...FIXED.filter((field) => targets.includes(field)),
  ...targets.filter((field) => !FIXED.includes(field)).map(attributePath),
]

/** company -> attributes.company; a name with spaces or dots needs brackets. */
function attributePath(field: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(field) ? `attributes.${field}` : `attributes["${field}"]`
}

/** The spreadsheet whose rows a campaign goes to; null: it goes to lists chosen by hand. */
export function mergeOf(row: CampaignRow): MergedRows | null {
  // Lists chosen since are the audience now.
  if (!row.mergeImportId || !row.mergeState || !row.listIds.includes(row.mergeListId ?? '')) return null
  return {
    importId: row.mergeImportId,
    listId: row.mergeListId,
    fileName: row.mergeFileName ?? '',
    state: row.mergeState as MergedRows['state'],
    total: Number(row.mergeTotal ?? 0),
    bad: Number(row.mergeBad ?? 0),
    people: row.mergePeople,
    fields: fieldsOf(Object.values(row.mergeMapping ?? {}).map(String)),
  }
}
