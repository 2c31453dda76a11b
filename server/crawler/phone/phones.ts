import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { around } from '../email/emails.ts'
import { decodePercent, unescapeCode } from '../email/hidden.ts'
import { plainText } from '../email/scan.ts'
import { findOwners } from '../owners.ts'
import type { PageContent } from '../page/read.ts'
import { statedIn } from '../structured.ts'
import type { Finding, Method } from '../types.ts'
import { detectCountry } from './country.ts'
import { labelBefore, speaksOfCalling } from './labels.ts'
import { type Candidate, candidates, isOtherShape } from './shapes.ts'

/** A number as it was written, read as a person of `country` would. undefined: nobody can be called there. */
function readNumber(text: string, country: CountryCode | undefined): PhoneNumber | undefined {
  // The trunk 0 in brackets belongs to calls from inside: +49 (0)30.
  const bare = text.replace(/^(\(?(?:\+|00)\d[\d\s]{0,4}\)?)\s*[\s.-]?\(0\)/, '$1 ').replace(/^\(\+(\d+)\)/, '+$1')
  const international = bare.replace(/^\s*\(?00\)?(?=[\s]?[1-9])/, '+')
  const number = parsePhoneNumberFromString(international, {
    ...(country && { defaultCountry: country }),
    extract: false,
  })
  if (number?.isValid()) return number
  if (international !== bare && country) {
    const national = parsePhoneNumberFromString(bare, { defaultCountry: country, extract: false })
    if (national?.isValid()) return national
  }
  return undefined
}

/** Numbers of WhatsApp and others are often written with the country and without the plus: `44 7400 123456`. */
function readWithoutPlus(text: string): PhoneNumber | undefined {
  const digits = text.replace(/\D/g, '')
  return /^[1-9]\d{10,14}$/.test(digits) ? readNumber(`+${digits}`, undefined) : undefined
}

const writtenAs = (number: PhoneNumber, extension: string) =>
  extension || number.ext ? `${number.number};ext=${extension || number.ext}` : number.number

const MAX_READ = 15_000

/** Of the same number the surest finding stays; one with an extension is another line. */
class Basket {
  /** Numbers still to be looked at: a page of more is hostile, or no page. */
  left = MAX_READ
  readonly found = new Map<string, Finding>()
  add(
    number: PhoneNumber,
    extension: string,
    method: Method,
    confidence: number,
    context: string,
    name = '',
    organization = '',
  ): void {
    const value = writtenAs(number, extension)
    const known = this.found.get(value)
    if (known && known.confidence >= confidence) {
      known.name ||= name
      known.organization ||= organization
      return
    }
    const type = number.getType()
    this.found.set(value, {
      kind: 'phone',
      value,
      method,
      confidence,
      context: context || known?.context || '',
      name: name || known?.name || '',
      organization: organization || known?.organization || '',
      ...(number.country && { country: number.country }),
      ...(type && { type }),
    })
  }

  /** Names a number that has no name yet. */
  belongs(value: string, name: string, organization: string): void {
    const known = this.found.get(value)
    if (!known) return
    known.name ||= name
    known.organization ||= organization
  }
}

const CALLING = /^(tel|callto|sms|smsto|mms|facetime|facetime-audio|whatsapp|viber|signal|skype):(?:\/\/)?(.*)$/is
const CHAT = /^https?:\/\/(?:www\.)?(?:wa\.me|(?:api|web|chat)\.whatsapp\.com)\//i

/** tel:, callto:, sms:, whatsapp: and links to wa.me and api.whatsapp.com. */
function addAddress(href: string, text: string, country: CountryCode | undefined, basket: Basket): void {
  if (basket.left <= 0) return
  const [, scheme = '', rest = ''] = CALLING.exec(href) ?? []
  if (scheme) {
    const decoded = decodePercent(rest).trim()
    const query = /[?&](?:phone|number)=([^&]+)/i.exec(decoded)?.[1]
    const written = query ?? decoded.split(/[?&]/)[0] ?? ''
    if (scheme.toLowerCase() === 'skype' && !/^\+\d/.test(written)) return
    addLink(written, scheme.toLowerCase() === 'whatsapp', text, country, basket)
    return
  }
  const link = CHAT.test(href) ? URL.parse(href) : undefined
  if (!link) return
  const path = /^\/(\+?\d[\d\s-]{6,20})\/?$/.exec(decodePercent(link.pathname))?.[1]
  const written = link.searchParams.get('phone') ?? path
  if (written) addLink(written, true, text, country, basket)
}

const IN_CODE = /(?:\btel:\+?[\d%().\s-]{6,30}|https?:\/\/(?:wa\.me|(?:api|web)\.whatsapp\.com)\/[\w?=&+%.-]{6,80})/gi
const FIELD = /"(?:phone|telephone|tel|mobile|cell|fax|whatsapp|contact)[\w-]{0,20}"\s*:\s*"([^"]{6,40})"/gi

/** Addresses to call and fields of data, in scripts and attributes. */
function fromCode(source: string, country: CountryCode | undefined, basket: Basket): void {
  if (source.length > 400_000 || !/tel|phone|mobile|fax|whatsapp|wa\.me/i.test(source)) return
  const plain = unescapeCode(source)
  for (const [address] of plain.matchAll(IN_CODE)) addAddress(address.trim(), '', country, basket)
  for (const [, value = ''] of plain.matchAll(FIELD)) fromText(`tel ${plainText(value)}`, country, 'script', basket)
}

function addLink(
  written: string,
  isInternational: boolean,
  text: string,
  country: CountryCode | undefined,
  basket: Basket,
): void {
  const [main = '', ...parameters] = written.split(';')
  const extension =
    parameters.map((part) => /^ext=(\d{1,6})$/i.exec(part.trim())?.[1]).find(Boolean) ??
    /(?:,|x|ext\.?|p|w)\s*(\d{1,6})#?$/i.exec(main)?.[1] ??
    ''
  const context = parameters.map((part) => /^phone-context=(\+\d+)$/i.exec(part.trim())?.[1]).find(Boolean) ?? ''
  const bare = main.replace(/(?:,|x|ext\.?|p|w)\s*\d{1,6}#?$/i, '')
  const whole = context && !bare.startsWith('+') ? `${context}${bare.replace(/^0/, '')}` : bare
  if (/[a-z]/i.test(whole)) return
  const plus = isInternational && !/^\+/.test(whole) ? `+${whole.replace(/\D/g, '').replace(/^00/, '')}` : whole
  basket.left--
  const number =
    readNumber(plus, country) ?? (isInternational ? undefined : readNumber(`+${whole.replace(/\D/g, '')}`, undefined))
  if (number) basket.add(number, extension, 'link', 0.98, text)
}

/** Whether a national number is written as people of any country write theirs, and not just digits in a row. */
function isWrittenAsNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (/^\(?\+|^00/.test(text)) return true
  if (/^\(0?\d{1,5}\)/.test(text)) return true
  const groups = text
    .trim()
    .split(/[\s.\-–/()]+/)
    .filter(Boolean)
  return (
    digits.length >= 8 &&
    digits.length <= 12 &&
    groups.length >= 2 &&
    groups.length <= 6 &&
    (groups[0]?.length ?? 0) <= 5
  )
}

/** Whether a national number stands there as it is dialed, with the 0 of its country: without, digits in groups are anything. */
function isDialed(text: string, number: PhoneNumber): boolean {
  // Mobiles of India are never written with their 0.
  if (number.country === 'IN' && /^[6-9]\d{4}[ -]?\d{5}$/.test(text)) return true
  return /^\(\d{2,5}\)\s?\d/.test(text) || text.replace(/\D/g, '').endsWith(number.formatNational().replace(/\D/g, ''))
}

/** Ten digits in a row with the 0 they are dialed with, not far behind words about calling: "appelez … ou le 0612345678". */
const isAnnounced = (text: string, { text: written, start }: Candidate) =>
  /^0[1-9]\d{7,10}$/.test(written) && speaksOfCalling(text, start)

function fromText(text: string, country: CountryCode | undefined, method: Method, basket: Basket): void {
  let labeled = -1000
  if (basket.left <= 0) return
  for (const candidate of candidates(text)) {
    if (basket.left-- <= 0) return
    const label = labelBefore(text, candidate.start)
    // The second of a list stands behind the first one's label.
    const isNext =
      candidate.start - labeled < 10 &&
      /^[\s,;/|&–-]*(?:\p{L}{1,6}\s)?$/u.test(text.slice(Math.max(0, labeled), candidate.start))
    if (label === 'other' && !candidate.text.startsWith('+')) continue
    if (label !== 'phone' && isOtherShape(candidate.text)) continue
    const isSure = label === 'phone' || isNext
    const international = /^\(?\+|^00/.test(candidate.text)
    if (!isSure && !isWrittenAsNumber(candidate.text) && !isAnnounced(text, candidate)) continue
    const number = readNumber(candidate.text, country) ?? (isSure ? readWithoutPlus(candidate.text) : undefined)
    if (!number || (!isSure && !international && !isDialed(candidate.text, number))) continue
    labeled = candidate.end
    const confidence = isSure ? 0.95 : international ? 0.9 : 0.75
    basket.add(number, candidate.extension, method, confidence, around(text, candidate.start, candidate.end))
  }
}

/** The telephone and fax numbers of a page in E.164, each once. `asked` is the country of national numbers, if the user said one. */
export function findPhones(page: PageContent, url: string, asked: string | undefined): Finding[] {
  const basket = new Basket()
  const { stated, prose } = statedIn(page)
  const country = detectCountry(page, stated, url, asked)
  for (const { property, value, name, organization } of stated) {
    const number =
      property === 'telephone'
        ? readNumber(
            plainText(value)
              .replace(/^tel:/i, '')
              .replace(/\s*(?:ext\.?|x)\s*\d+$/i, ''),
            country,
          )
        : undefined
    const extension = /(?:ext\.?|x)\s*(\d{1,6})$/i.exec(value)?.[1] ?? ''
    if (number) basket.add(number, extension, 'structured', 0.97, name, name, organization)
  }
  for (const { href, text } of page.actions) addAddress(href, text, country, basket)
  for (const { url, text } of page.links) addAddress(url, text, country, basket)
  fromText(plainText(page.text), country, 'text', basket)
  for (const text of [...page.templates, ...prose]) fromText(plainText(text), country, 'script', basket)
  for (const { name, value } of page.attributes) {
    if (/phone|tel|fax|mobile|whatsapp/i.test(name)) fromText(`tel ${plainText(value)}`, country, 'attribute', basket)
    else if (/^(alt|title|aria-label|content)$/.test(name)) fromText(plainText(value), country, 'attribute', basket)
    else fromCode(value, country, basket)
  }
  for (const script of page.scripts) fromCode(script, country, basket)
  for (const { name, organization, text, links } of findOwners(page)) {
    const theirs = new Basket()
    fromText(`tel ${plainText(text)}`, country, 'text', theirs)
    for (const href of links) addAddress(href, '', country, theirs)
    for (const value of theirs.found.keys()) basket.belongs(value, name, organization)
  }
  return [...basket.found.values()].map((finding) => ({
    ...finding,
    organization: finding.organization || page.siteName,
  }))
}
