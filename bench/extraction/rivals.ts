import { htmlToText, social } from '@crawlee/utils'
import { type CountryCode, findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** One labeled page or fragment. What is in `allow` may be found or not: neither counts. */
export interface Case {
  id: string
  group: string
  url?: string
  country?: string
  html: string
  expect: string[]
  allow?: string[]
}

/** A way to find contacts: returns addresses, or numbers in E.164 with ";ext=" where one is stated. */
export type Contender = (given: Case) => string[]

const EMAIL = /[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,190}\.[a-z]{2,24}/gi
const PHONE = /\+?\(?\d[\d\s()./-]{6,18}\d/g

const countryOfLanguage: Record<string, string> = { sv: 'SE', da: 'DK', ja: 'JP', cs: 'CZ', uk: 'UA' }

/** The rivals are told what a careful user would tell them: the stated country, else that of the page. */
function findCountry(given: Case): CountryCode | undefined {
  const language = /<html[^>]*\slang="([a-z]{2})(?:-([A-Z]{2}))?"/.exec(given.html)
  const domain = /\.([a-z]{2})(?:\/|$)/.exec(given.url ?? '')?.[1]?.toUpperCase()
  const country =
    given.country ??
    language?.[2] ??
    (domain === 'UK' ? 'GB' : domain) ??
    (language?.[1] === 'en' ? undefined : (countryOfLanguage[language?.[1] ?? ''] ?? language?.[1]?.toUpperCase()))
  return country as CountryCode | undefined
}

/** Brings a rival's raw match to E.164; what is no valid number is dropped in its favor. */
function inE164(raw: string, country: CountryCode | undefined): string[] {
  const phone = parsePhoneNumberFromString(raw, country)
  if (!phone?.isValid()) return []
  return [phone.ext ? `${phone.number};ext=${phone.ext}` : phone.number]
}

/** Ways to find e-mail addresses that people use today. */
export const emailRivals: Record<string, Contender> = {
  'regex, raw page': ({ html }) => html.match(EMAIL) ?? [],
  'regex, text': ({ html }) => htmlToText(html).match(EMAIL) ?? [],
  'Crawlee social': ({ html }) => social.parseHandlesFromHtml(html).emails,
}

/** Ways to find phone numbers that people use today. */
export const phoneRivals: Record<string, Contender> = {
  'regex, raw page': (given) => (given.html.match(PHONE) ?? []).flatMap((raw) => inE164(raw, findCountry(given))),
  'libphonenumber-js, text': (given) =>
    findPhoneNumbersInText(htmlToText(given.html), findCountry(given)).map(({ number }) =>
      number.ext ? `${number.number};ext=${number.ext}` : number.number,
    ),
  'Crawlee social': (given) => {
    const { phones, phonesUncertain } = social.parseHandlesFromHtml(given.html)
    return [...phones, ...phonesUncertain].flatMap((raw) => inE164(raw, findCountry(given)))
  },
}
