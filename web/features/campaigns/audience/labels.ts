import type { Exclusion } from '#contracts/campaigns/check.ts'
import { formatNumber } from '#web/ui/lib/format.ts'

/** After a number of people. `category`: of a WhatsApp template, in Meta's word. */
export const labelReason = (reason: Exclusion['reason'], category = ''): string =>
  ({
    excluded: 'excluded by your lists and segments',
    sample: 'sample contacts',
    no_email: 'without an email address',
    unsubscribed: 'unsubscribed',
    pending: 'not confirmed yet',
    bounced: 'bounced before',
    suppressed: 'on the suppression list',
    paused: 'paused emails',
    frequency_cap: 'at the weekly limit',
    no_lawful_basis: 'found on web pages, without a recorded lawful basis',
    no_consent: 'without recorded consent',
    other_purpose: `whose consent does not cover ${category ? `${category} messages` : 'this template'}`,
    opted_out: 'opted out',
    unreachable: 'undeliverable before',
    needs_number: 'known only by a WhatsApp ID, which can’t receive authentication codes',
    no_phone: 'without a phone number',
  })[reason]

/** "3 without recorded consent, 1 opted out". */
export const describeExclusions = (excluded: Exclusion[], category = ''): string =>
  excluded
    .map(({ reason, people }) => `${formatNumber(people)} ${labelReason(reason, category.toLowerCase())}`)
    .join(', ')
