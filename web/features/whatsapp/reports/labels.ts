import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { countryName, formatNumber, plural } from '#web/ui/lib/format.ts'

/** "GB" -> "United Kingdom"; numbers of no country are said to be unknown. */
export const countryOrUnknown = (code: string): string =>
  /^[A-Z]{2}$/.test(code) ? countryName(code) : 'Unknown country'

const categories: Record<string, string> = {
  marketing: 'Marketing',
  marketing_lite: 'Marketing, delivered by Meta’s optimization',
  utility: 'Utility',
  authentication: 'Authentication',
  service: 'Service, within 24 hours',
  unknown: 'Unknown category',
}

/** Meta's word for what kind of message is charged, for people. */
export const categoryName = (category: string) => categories[category] ?? category

/** Dollars -> "$1.27"; small sums keep four places, because a message costs less than a cent. null is "unknown". */
export function dollars(sum: number | null, currency = 'USD'): string {
  if (sum === null) return 'unknown'
  const small = sum > 0 && sum < 1
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 4 : 2,
  }).format(sum)
}

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "2026-10" -> "October 2026". */
export function monthInWords(month: string): string {
  const at = Date.parse(`${month}-01T00:00:00Z`)
  return Number.isNaN(at) ? month : months.format(at)
}

/** What is known of the cost, where the whole is unknown because a part is. */
export function knownCost({ byCategory, byCountry }: WhatsAppStats['cost']): number {
  const sum = (rows: { cost: number | null }[]) => rows.reduce((total, { cost }) => total + (cost ?? 0), 0)
  // Groups with one unknown part count as nothing, so the finer grouping knows more.
  return Math.max(sum(byCategory), sum(byCountry))
}

/** Did it work, in one sentence; reading is only known of who lets it be known. */
export function didItWork({ totals }: Pick<WhatsAppStats, 'totals'>): string {
  const { delivered, read, replied, waiting, failed, optedOut } = totals
  if (delivered === 0)
    return waiting > 0
      ? `${plural(waiting, 'message')} on the way. None has reached a phone yet.`
      : failed > 0
        ? `Nothing was delivered: ${plural(failed, 'message')} failed.`
        : 'Nothing has been delivered yet.'
  const came = `${plural(delivered, 'message')} delivered, ${formatNumber(read)} read`
  const back = `${plural(replied, 'person', 'people')} replied`
  return optedOut > 0 ? `${came}, ${back}, ${formatNumber(optedOut)} opted out.` : `${came}, ${back}.`
}
