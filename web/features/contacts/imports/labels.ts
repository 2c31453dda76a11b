import type { ImportJob } from '#contracts/contacts/imports.ts'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

/** "4,812 new, 130 updated, 12 rows skipped". */
export function formatImportResult(job: Pick<ImportJob, 'imported' | 'updated' | 'skipped' | 'consents'>): string {
  const parts = [`${formatNumber(job.imported)} added`, `${formatNumber(job.updated)} updated`]
  if (job.skipped > 0) parts.push(`${formatNumber(job.skipped)} skipped`)
  if (job.consents !== null) parts.push(`WhatsApp consent recorded for ${plural(job.consents, 'number')}`)
  return parts.join(', ')
}
