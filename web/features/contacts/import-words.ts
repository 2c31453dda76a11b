import type { ImportJob } from '#contracts/contacts.ts'
import { formatNumber, plural } from '#web/ui/format.ts'

/** "4,812 new, 130 updated, 12 rows left out". */
export function resultOf(job: Pick<ImportJob, 'imported' | 'updated' | 'skipped' | 'optIns'>): string {
  const parts = [`${formatNumber(job.imported)} new`, `${formatNumber(job.updated)} updated`]
  if (job.skipped > 0) parts.push(`${plural(job.skipped, 'row')} left out`)
  if (job.optIns !== null) parts.push(`consent to WhatsApp recorded for ${plural(job.optIns, 'number')}`)
  return parts.join(', ')
}
