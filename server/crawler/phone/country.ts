import { type CountryCode, getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PageContent } from '../page/read.ts'
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

/** Languages that addresses of firms are written in most. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'cs', 'sv', 'da', 'nb', 'fi', 'hu', 'tr', 'ru', 'ja']
const SHORT: Record<string, CountryCode> = {
  uk: 'GB',
  usa: 'US',
  'u.s.a.': 'US',
  'united states of america': 'US',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'great britain': 'GB',
  'czech republic': 'CZ',
  turkey: 'TR',
  holland: 'NL',
  'the netherlands': 'NL',
}

const names = new Map<string, CountryCode>()
/** A country by its name in one of the languages. */
function named(name: string): CountryCode | undefined {
  if (names.size === 0)
    for (const language of LANGUAGES) {
      const display = new Intl.DisplayNames(language, { type: 'region' })
      for (const code of getCountries()) names.set((display.of(code) ?? code).toLowerCase(), code)
    }
  return SHORT[name] ?? names.get(name)
}

const known = (code: string | undefined): CountryCode | undefined => {
  const text = code?.trim() ?? ''
  if (text.length > 2) return named(text.toLowerCase())
  const upper = text.toUpperCase() === 'UK' ? 'GB' : text.toUpperCase()
  return upper && isSupportedCountry(upper) ? upper : undefined
}

/** Calling codes of the numbers on a page that state one; more than that are not looked at. */
const MAX_STATED = 30
const STATED = /(?:\+|tel:00|phone=)(?=[1-9])[\d().\s-]{8,20}/g

/** The country of all numbers of a page that state theirs, if it is one and the same. */
function stated(page: PageContent): CountryCode | undefined {
  const countries = new Set<CountryCode>()
  const texts = [page.text, ...page.actions.map(({ href }) => href).filter((href) => /^tel:/i.test(href))]
  for (const text of texts.slice(0, MAX_STATED))
    for (const [written] of [...text.matchAll(STATED)].slice(0, MAX_STATED)) {
      const number = parsePhoneNumberFromString(`+${written.replace(/\(0\)|\D/g, '')}`)
      if (number?.country) countries.add(number.country)
    }
  return countries.size === 1 ? [...countries][0] : undefined
}

/**
 * Whose national numbers a page writes: what the user said, what the page states of its address, the ending of its
 * domain, its language with a region, the numbers on it that state their country, its language.
 * undefined: only international numbers can be read.
 */
export function detectCountry(
  page: PageContent,
  addresses: Stated[],
  url: string,
  asked: string | undefined,
): CountryCode | undefined {
  const ending = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? '')?.[1]
  const [language = '', region] = page.lang.toLowerCase().split(/[-_]/)
  return (
    known(asked) ??
    known(addresses.find((one) => one.country)?.country) ??
    known(page.country) ??
    (ending && !ANYWHERE.has(ending) ? known(ending) : undefined) ??
    known(region) ??
    stated(page) ??
    // Sites that never set it say US.
    (page.localeRegion === 'US' ? undefined : known(page.localeRegion)) ??
    BY_LANGUAGE[language]
  )
}
