import type { LeftOut } from '#contracts/campaign-check.ts'
import { formatNumber } from '#web/ui/format.ts'

const why = (category: string): Record<LeftOut['reason'], string> => ({
  no_opt_in: 'without a recorded consent',
  other_purpose: `whose consent does not cover ${category} messages`,
  opted_out: 'opted out',
  unreachable: 'could not be reached before',
  needs_number: 'known by a WhatsApp id only, which takes no codes to sign in',
  no_phone: 'without a phone number',
})

/** "3 without a recorded consent, 1 opted out". `category`: of the template, in Meta's word. */
export function leftOutInWords(leftOut: LeftOut[], category = ''): string {
  const words = why(category.toLowerCase())
  return leftOut.map(({ reason, people }) => `${formatNumber(people)} ${words[reason]}`).join(', ')
}
