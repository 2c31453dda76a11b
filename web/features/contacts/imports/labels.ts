import type { ImportJob } from '#contracts/contacts/imports.ts'
import { formatNumber, plural } from '#web/ui/lib/format.ts'

type Counts = Pick<ImportJob, 'imported' | 'updated' | 'skipped' | 'consents'> &
  Partial<Pick<ImportJob, 'duplicates' | 'keep' | 'target'>>

/** Rows that repeat an earlier one, which the server counts as updated or as skipped: said apart. */
const repeated = ({ duplicates = 0, keep }: Counts, kept: ImportJob['keep']) => (keep === kept ? duplicates : 0)

/** "4,812 added, 130 updated, 12 skipped". */
export function formatImportResult(job: Counts): string {
  const skipped = job.skipped - repeated(job, 'first')
  const isSuppressing = job.target === 'suppressions'
  const parts = [
    `${formatNumber(job.imported)} ${isSuppressing ? 'suppressed' : 'added'}`,
    `${formatNumber(Math.max(0, job.updated - repeated(job, 'last')))} ${isSuppressing ? 'already suppressed' : 'updated'}`,
  ]
  if (skipped > 0) parts.push(`${formatNumber(skipped)} skipped`)
  if (job.consents !== null) parts.push(`WhatsApp consent recorded for ${plural(job.consents, 'number')}`)
  return parts.join(', ')
}

/** How many rows of the file repeat an earlier one, and which of them counts; empty without any. */
export function formatDuplicates({ duplicates, keep }: Pick<ImportJob, 'duplicates' | 'keep'>): string {
  if (duplicates === 0) return ''
  return duplicates === 1
    ? `1 duplicate row in the file: kept the ${keep}.`
    : `${plural(duplicates, 'duplicate row')} in the file: kept the ${keep} of each.`
}
