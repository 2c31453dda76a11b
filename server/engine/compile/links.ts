/** Finds and numbers the links of a document, and renders them for one person when they click. */
import { Parser } from 'htmlparser2'
import { CONTACT_ROOTS, findFields, type ParsedText, parseLiquid, renderLiquid } from '../liquid/liquid.ts'
import { Work } from '../liquid/work.ts'
import type { PlanLink, Recipient } from '../types.ts'
import type { Guard, Span } from './guard.ts'

/** Liquid names of our own; an author cannot write them, they are unknown fields. */
export const LINK_FIELD = 'postlark_link_'
export const PIXEL_FIELD = 'postlark_pixel'
export const ORIGIN_FIELD = 'postlark_origin'

// With Liquid in it, a URL must name its host before the first field: nobody's data decides where we redirect.
const FIXED_HOST = /^https?:\/\/[^/?#\s@\\]+[/?#]/i

export type LinkBook = {
  links: PlanLink[]
  /** Whether a link is the same for everybody who gets the email. */
  isShared: boolean
  /** Number for a destination; the same destination keeps its number. */
  number(url: string): number
}

export function createLinkBook(isShared: boolean): LinkBook {
  const links: PlanLink[] = []
  return {
    links,
    isShared,
    number(url) {
      const known = links.find((link) => link.url === url)
      if (known) return known.index
      links.push({ index: links.length, url })
      return links.length - 1
    },
  }
}

/** Whether Liquid stands for an address of ours. */
export const isOwnSpan = ({ text }: Pick<Span, 'text'>): boolean =>
  /\b(?:unsubscribe_url|preferences_url|view_url|confirm_url|postlark_\w+)\b/.test(text)

/**
 * Adds URL encoding to an output that stands in an address, unless its author already did. An output that begins an address gives
 * the whole of it, and is held to harmless schemes instead.
 */
export function encodeInUrl(span: Span, begins = false): string {
  if (!span.output || isOwnSpan(span)) return span.text
  if (/\|\s*(?:url_encode|cgi_escape|uri_escape|postlark_url|raw)\b/.test(span.text)) return span.text
  return span.text.replace(/(?<!\s)\s*(-?\}\})$/, begins ? ' | postlark_href $1' : ' | postlark_url $1')
}

/** The destination to number, as Liquid; or why this address is left as it is (null: nothing to say about it). */
export function trackable(
  guarded: string,
  guard: Guard,
  { isShared }: Pick<LinkBook, 'isShared'>,
): { url: string } | { reason: string } | null {
  const href = guarded.trim()
  const indexes = guard.indexes(href)
  const spans = indexes.map((index) => guard.spans[index] as Span)
  if (spans.some(isOwnSpan)) return null
  if (indexes.length === 0) {
    if (!/^https?:/i.test(href)) return null
    const url = URL.parse(href)
    if (!url || url.username || url.password)
      return { reason: `The address ${href.slice(0, 80)} is not a web address we can count` }
    return { url: href }
  }
  const before = guard.restore(href, () => '\0').split('\0')[0] as string
  if (/^(?:mailto|tel|sms):/i.test(before)) return null
  if (!FIXED_HOST.test(before))
    return { reason: 'A link whose site comes from a field is sent as it is; its clicks are not counted' }
  if (isShared)
    return {
      reason: 'Only totals are tracked, so a link with a merge field is sent as it is; its clicks are not counted',
    }
  const url = guard.restore(href, (span) => encodeInUrl(span))
  if (!readsOnlyTheContact(url))
    return {
      reason: 'A link that needs a name from elsewhere in the template is sent as it is; its clicks are not counted',
    }
  return { url }
}

function readsOnlyTheContact(url: string): boolean {
  try {
    return findFields(parseLiquid(url, 'text')).every((field) =>
      CONTACT_ROOTS.includes(field.path.split('.')[0] as string),
    )
  } catch {
    return false
  }
}

export type Edit = { begin: number; end: number; text: string }
export type FoundLink = { href: string; begin: number; end: number; tag: string; track: boolean }
export type Scan = {
  links: FoundLink[]
  /** Other addresses (images), to be URL-encoded only. */
  sources: FoundLink[]
  /** Liquid words standing where a reader or a mail program meets them. */
  visible: Set<number>
  tags: Set<string>
  imagesWithoutAlt: number
}

/** Walks a guarded document once. Positions are offsets of whole attributes. */
export function scanHtml(html: string, guard: Guard): Scan {
  const scan: Scan = { links: [], sources: [], visible: new Set(), tags: new Set(), imagesWithoutAlt: 0 }
  let pending: FoundLink[] = []
  const see = (text: string) => {
    for (const index of guard.indexes(text)) scan.visible.add(index)
  }
  const parser = new Parser(
    {
      onattribute(name, value) {
        see(value)
        if (name !== 'href' && name !== 'src') return
        pending.push({ href: value, begin: parser.startIndex, end: parser.endIndex, tag: name, track: true })
      },
      onopentag(tag, attributes) {
        scan.tags.add(tag)
        if (tag === 'img' && attributes.alt === undefined) scan.imagesWithoutAlt++
        const untracked = 'data-no-track' in attributes || 'data-notrack' in attributes
        for (const found of pending) {
          const link = found.tag === 'href' && (tag === 'a' || tag === 'area')
          ;(link ? scan.links : scan.sources).push({ ...found, tag, track: !untracked })
        }
        pending = []
      },
      ontext: see,
    },
    { decodeEntities: true, lowerCaseAttributeNames: true },
  )
  parser.end(html)
  return scan
}

export function applyEdits(text: string, edits: Edit[]): string {
  let out = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.begin - b.begin)) {
    out += text.slice(at, edit.begin) + edit.text
    at = edit.end
  }
  return out + text.slice(at)
}

/** What may be spent on a link where others wait for it: some hundreds of microseconds. */
const CHEAP_WORK = 20_000
/** Characters of a link's source that may be parsed there. */
const CHEAP_SOURCE = 2_000

/** Where a numbered link leads this person, if that takes next to no work; undefined: it may take more, see renderLink. */
export function renderCheapLink(url: string, recipient: Recipient): string | null | undefined {
  if (url.length > CHEAP_SOURCE) return undefined
  const work = new Work(CHEAP_WORK)
  const target = renderLink(url, recipient, work)
  return work.isSpent ? undefined : target
}

const PARSED_LIMIT = 500_000
const parsedLinks = new Map<string, ParsedText>()
let parsedLength = 0

/** Where a numbered link leads this person; null when that is no http(s) address. Every value in it is URL-encoded. */
export function renderLink(url: string, recipient: Recipient, work = new Work()): string | null {
  try {
    const written = url.includes('{') ? renderLiquid(parseLink(url), contactScope(recipient), work) : url
    const target = URL.parse(written)
    if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) return null
    return target.href
  } catch {
    return null
  }
}

function parseLink(url: string): ParsedText {
  const known = parsedLinks.get(url)
  if (known) return known
  const parsed = parseLiquid(url, 'text')
  // By characters: a link may be as long as a template.
  if (url.length > CHEAP_SOURCE) return parsed
  if (parsedLength + url.length > PARSED_LIMIT) {
    parsedLinks.clear()
    parsedLength = 0
  }
  parsedLinks.set(url, parsed)
  parsedLength += url.length
  return parsed
}

/** A stored destination as its author wrote it: without the encoding that encodeInUrl added to its fields. */
export const asWritten = (url: string): string => url.replace(/(?<!\s)\s*\|\s*postlark_\w+/g, '')

/** Characters of one value that a template sees; the rest is cut off. */
const VALUE_LIMIT = 10_000

/** A value as templates see it: a text beyond any that belongs in an email is cut. */
export function shortened<T>(value: T): T {
  if (typeof value !== 'string' || value.length <= VALUE_LIMIT) return value
  // Not between the halves of a character.
  return value.slice(0, VALUE_LIMIT).toWellFormed() as T
}

/** First or last name: what is stored under it, or else what the whole name says: its first word, and the rest. */
export function namePart(
  { name, attributes = {} }: Pick<Recipient, 'name' | 'attributes'>,
  part: 'first_name' | 'last_name',
): string | null {
  const stored = Object.hasOwn(attributes, part) ? attributes[part] : null
  if (stored !== null && stored !== undefined && stored !== '') return shortened(String(stored))
  const whole = shortened(name ?? '').trim()
  const space = whole.search(/\s/)
  if (part === 'first_name') return (space < 0 ? whole : whole.slice(0, space)) || null
  return (space < 0 ? '' : whole.slice(space).trim()) || null
}

/** What templates see of a person. */
export function contactScope({
  name,
  email,
  phone,
  attributes = {},
  confirmation,
}: Recipient): Record<string, unknown> {
  const isLong = Object.values(attributes).some((value) => typeof value === 'string' && value.length > VALUE_LIMIT)
  return {
    name: shortened(name) ?? null,
    first_name: namePart({ name, attributes }, 'first_name'),
    last_name: namePart({ name, attributes }, 'last_name'),
    email,
    phone: phone ?? null,
    attributes: isLong
      ? Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, shortened(value)]))
      : attributes,
    ...(confirmation && { confirm_url: confirmation.url, list_name: confirmation.lists }),
  }
}
