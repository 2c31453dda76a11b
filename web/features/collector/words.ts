import type { CollectorResult, CollectorSkipped, SkipReason } from '#contracts/collector.ts'

type Mx = CollectorResult['valid']['mx']

/** How a finding stood on its page, for people. */
const methods: Record<string, string> = {
  link: 'As a link, made to be pressed',
  text: 'In the text of the page',
  words: 'Spelled out, such as “name at firm dot com”: hidden from robots by the owner',
  structured: 'In what the page tells search engines about itself',
  attribute: 'In an attribute of the page that visitors do not see',
  encoded: 'Encoded: hidden from robots by the owner',
  script: 'Put together by a script: hidden from robots by the owner',
  comment: 'In a comment that visitors do not see',
}
export const methodWords = (method: string): string => methods[method] ?? 'In a way that was not noted'

/** Its owner took care that robots do not read it. */
export const isHiddenFromRobots = (method: string): boolean => ['encoded', 'script', 'words'].includes(method)

const types: Record<string, string> = {
  MOBILE: 'mobile',
  FIXED_LINE: 'landline',
  FIXED_LINE_OR_MOBILE: 'landline or mobile',
  TOLL_FREE: 'free of charge',
  PREMIUM_RATE: 'premium rate',
  SHARED_COST: 'shared cost',
  VOIP: 'over the internet',
  PERSONAL_NUMBER: 'personal number',
  PAGER: 'pager',
  UAN: 'company-wide',
  VOICEMAIL: 'voicemail',
}
/** libphonenumber's type in a word or two. */
export const typeWords = (type: string | null): string => (type === null ? 'unknown' : (types[type] ?? 'other'))

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })
/** ISO 3166 -> "Germany"; unknown is said as unknown. */
export const countryName = (code: string | null): string => (code === null ? 'unknown' : (regions.of(code) ?? code))

/** What DNS says of an address' domain. */
export const mxWords: Record<Mx, string> = {
  yes: 'takes mail',
  no: 'takes no mail',
  unknown: 'unknown',
}

/** Why pages were not read: a name for the number, and what to make of it. */
export const skipWords: Record<SkipReason, { label: string; text: string }> = {
  robots: {
    label: 'Forbidden to robots',
    text: 'The site’s robots.txt or the page itself asks robots to stay away. We keep to it.',
  },
  notice: {
    label: 'Forbids collecting',
    text: 'The site says that its contacts must not be collected. Nothing of it is kept.',
  },
  blocked: {
    label: 'Not public',
    text: 'The address leads into a private network. Only the public web is read.',
  },
  error: {
    label: 'Could not be read',
    text: 'The site did not answer, answered with an error, or sent something that is no page.',
  },
  trap: {
    label: 'Endless pages',
    text: 'Calendars, sessions and paths that repeat themselves: they lead nowhere new.',
  },
  duplicate: {
    label: 'The same again',
    text: 'Pages whose content was read already at another address.',
  },
}

/** All pages that were not read. */
export const skippedInAll = (skipped: CollectorSkipped): number =>
  Object.values(skipped).reduce((sum, count) => sum + count, 0)

/** `+4930123456;ext=12` -> "+4930123456, ext. 12". */
export const withExtension = (value: string): string => value.replace(/;ext=/, ', ext. ')
