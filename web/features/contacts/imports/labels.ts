import type { AskingPace, ImportJob } from '#contracts/contacts/imports.ts'
import { formatDuration, formatNumber, plural } from '#web/ui/lib/format.ts'

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

/** How many phone numbers could not be read, and what becomes of them; empty without any. */
export function formatInvalidPhones({ invalidPhones, country }: Pick<ImportJob, 'invalidPhones' | 'country'>): string {
  if (invalidPhones === 0) return ''
  const [they, them] = invalidPhones === 1 ? ['It is', 'it'] : ['They are', 'them']
  const advice = country === null ? ` Import the file again with a default country to use ${them}.` : ''
  return `${plural(invalidPhones, 'phone number')} could not be read. ${they} stored as text in the custom field “phone”.${advice}`
}

/** How many dates could not be read, and what became of their contacts; empty without any. */
export function formatInvalidDates({ invalidDates }: Pick<ImportJob, 'invalidDates'>): string {
  if (invalidDates === 0) return ''
  const [contacts, them] = invalidDates === 1 ? ['The contact was', 'it'] : ['Their contacts were', 'them']
  return `${plural(invalidDates, 'date')} could not be read. ${contacts} imported without ${them}.`
}

const DAY = 86_400

/** Days until the last of so many emails leaves, by the limits of days; 0: today. */
function countDays(emails: number, { perDay, rampUp }: AskingPace): number {
  let left = emails
  for (const [day, limit] of rampUp.entries()) {
    if (left <= limit) return day
    left -= limit
  }
  return rampUp.length + (perDay === null || left <= perDay ? 0 : left / perDay)
}

function describePace({ perSecond, perDay, rampUp }: AskingPace): string {
  const second = `at most ${perSecond === 1 ? 'one' : formatNumber(perSecond)} a second`
  const [today] = rampUp
  if (today !== undefined) return `${second} and ${formatNumber(today)} today, more each day while the sender ramps up`
  return perDay === null ? second : `${second} and ${formatNumber(perDay)} a day`
}

/**
 * What an import of so many rows into a double opt-in list sends, and how long that takes at the pace of the sender. `warnings`:
 * what keeps emails waiting. `isEstimated`: the rows were not counted to the end.
 */
export function describeAsking(
  rows: number | null,
  asking: AskingPace,
  isEstimated = false,
): { text: string; warnings: string[] } {
  const { perSecond, queued, monthLeft, monthUntil, problem } = asking
  const all = (rows ?? 0) + queued
  const seconds = Math.max(all / perSecond, countDays(all, asking) * DAY)
  const pace = describePace(asking)
  const text =
    rows === null
      ? `Each person gets one confirmation email, ${pace}.`
      : `${isEstimated ? 'About' : 'Up to'} ${plural(rows, 'confirmation email')} will be sent, ${pace}. ${
          queued > 0 ? `${formatNumber(queued)} wait before them. ` : ''
        }At this pace that takes ${seconds < 60 ? 'less than a minute' : seconds > 2 * DAY ? `about ${plural(Math.round(seconds / DAY), 'day')}` : formatDuration(seconds)}.`
  const warnings: string[] = []
  if (problem !== null) warnings.push(`They wait for now: ${problem}`)
  if (all > monthLeft || rows === null)
    warnings.push(
      `Your plan has ${plural(monthLeft, 'email')} left until ${monthUntil}${
        rows === null ? '.' : `, so ${formatNumber(all - monthLeft)} wait until then.`
      }`,
    )
  return { text, warnings }
}
