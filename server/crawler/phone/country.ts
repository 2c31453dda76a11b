import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max'
import type { Page } from '../page/read.ts'
import type { Stated } from '../structured.ts'

/** Where a language is mostly spoken: only a hint, the weakest there is. */
const BY_LANGUAGE: Record<string, CountryCode> = {
  de: 'DE',
  fr: 'FR',
  it: 'IT',
  es: 'ES',
  pt: 'PT',
  nl: 'NL',
  pl: 'PL',
  cs: 'CZ',
  sk: 'SK',
  sv: 'SE',
  da: 'DK',
  nb: 'NO',
  nn: 'NO',
  no: 'NO',
  fi: 'FI',
  hu: 'HU',
  ro: 'RO',
  bg: 'BG',
  el: 'GR',
  tr: 'TR',
  ru: 'RU',
  uk: 'UA',
  ja: 'JP',
  ko: 'KR',
  zh: 'CN',
  he: 'IL',
  hi: 'IN',
  hr: 'HR',
  sl: 'SI',
  lt: 'LT',
  lv: 'LV',
  et: 'EE',
  id: 'ID',
  th: 'TH',
  vi: 'VN',
}
/** Endings of domains that are used all over the world, whatever country they belong to. */
const ANYWHERE = new Set([
  'co',
  'io',
  'ai',
  'me',
  'tv',
  'cc',
  'ws',
  'fm',
  'am',
  'ly',
  'to',
  'gg',
  'sh',
  'so',
  'la',
  'eu',
  'vc',
  'st',
  'gl',
])

const known = (code: string | undefined): CountryCode | undefined => {
  const upper = code?.toUpperCase() === 'UK' ? 'GB' : code?.toUpperCase()
  return upper && isSupportedCountry(upper) ? upper : undefined
}

/**
 * Whose national numbers a page writes: what the user said, what the page states of its address, the ending of its
 * domain, its language with a region, its language. undefined: only international numbers can be read.
 */
export function countryOf(
  page: Page,
  stated: Stated[],
  url: string,
  asked: string | undefined,
): CountryCode | undefined {
  const ending = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? '')?.[1]
  const [language = '', region] = page.lang.toLowerCase().split(/[-_]/)
  return (
    known(asked) ??
    known(stated.find((one) => one.country)?.country) ??
    (ending && !ANYWHERE.has(ending) ? known(ending) : undefined) ??
    known(region) ??
    BY_LANGUAGE[language]
  )
}
