import type { CollectorResult, CollectorSkipped, SkipReason } from '#contracts/collector/collector.ts'
import { countryName } from '#web/ui/lib/format.ts'

type Mx = CollectorResult['valid']['mx']

/** How a finding stood on its page, for people. */
const methods: Record<string, string> = {
  link: 'As a link',
  text: 'In the page text',
  words: 'Spelled out, such as “name at firm dot com” (hidden from robots by the owner)',
  structured: 'In structured data for search engines',
  attribute: 'In a page attribute that visitors don’t see',
  encoded: 'Encoded (hidden from robots by the owner)',
  script: 'Built by a script (hidden from robots by the owner)',
  comment: 'In a comment that visitors don’t see',
}
export const methodWords = (method: string): string => methods[method] ?? 'Not recorded'

/** Its owner took care that robots do not read it. */
export const isHiddenFromRobots = (method: string): boolean => ['encoded', 'script', 'words'].includes(method)

const types: Record<string, string> = {
  MOBILE: 'mobile',
  FIXED_LINE: 'landline',
  FIXED_LINE_OR_MOBILE: 'landline or mobile',
  TOLL_FREE: 'toll-free',
  PREMIUM_RATE: 'premium rate',
  SHARED_COST: 'shared cost',
  VOIP: 'VoIP',
  PERSONAL_NUMBER: 'personal number',
  PAGER: 'pager',
  UAN: 'company-wide',
  VOICEMAIL: 'voicemail',
}
/** libphonenumber's type in a word or two. */
export const typeWords = (type: string | null): string => (type === null ? 'unknown' : (types[type] ?? 'other'))

/** ISO 3166 -> "Germany"; unknown is said as unknown. */
export const countryOrUnknown = (code: string | null): string => (code === null ? 'unknown' : countryName(code))

/** What DNS says of an address' domain. */
export const mxWords: Record<Mx, string> = {
  yes: 'accepts email',
  no: 'does not accept email',
  unknown: 'unknown',
}

/** Why pages were not read: a name for the number, and what to make of it. */
export const skipWords: Record<SkipReason, { label: string; text: string }> = {
  robots: {
    label: 'Robots not allowed',
    text: 'The site’s robots.txt or the page itself does not allow crawling. Postlark respects it.',
  },
  notice: {
    label: 'Collecting not allowed',
    text: 'The site states that its contacts must not be collected. Nothing from it is saved.',
  },
  blocked: {
    label: 'Not public',
    text: 'The URL leads to a private network. Postlark only reads the public web.',
  },
  error: {
    label: 'Could not be read',
    text: 'The site did not respond, returned an error, or returned something that is not a page.',
  },
  trap: {
    label: 'Endless pages',
    text: 'Calendars, sessions and repeating paths that lead to no new pages.',
  },
  duplicate: {
    label: 'Duplicate',
    text: 'Pages with the same content as a page already read.',
  },
}

/** All pages that were not read. */
export const skippedInAll = (skipped: CollectorSkipped): number =>
  Object.values(skipped).reduce((sum, count) => sum + count, 0)

/** `+4930123456;ext=12` -> "+4930123456, ext. 12". */
export const withExtension = (value: string): string => value.replace(/;ext=/, ', ext. ')
