import type { Exclusion } from '#contracts/campaigns/check.ts'
import { formatNumber } from '#web/ui/lib/format.ts'

const why = (category: string): Record<Exclusion['reason'], string> => ({
  no_consent: 'without recorded consent',
  other_purpose: `whose consent does not cover ${category} messages`,
  opted_out: 'opted out',
  unreachable: 'undeliverable before',
  needs_number: 'known only by a WhatsApp ID, which can’t receive authentication codes',
  no_phone: 'without a phone number',
  sample: 'sample contacts',
})

/** "3 without a recorded consent, 1 opted out". `category`: of the template, in Meta's word. */
export function describeExclusions(excluded: Exclusion[], category = ''): string {
  const words = why(category.toLowerCase())
  return excluded.map(({ reason, people }) => `${formatNumber(people)} ${words[reason]}`).join(', ')
}
