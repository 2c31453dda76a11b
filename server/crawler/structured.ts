import { THING } from './page/cards.ts'
import type { PageContent } from './page/read.ts'

/** What JSON-LD says of somebody: schema.org's email, telephone and faxNumber with the name they stand under. */
export interface Stated {
  property: 'email' | 'telephone'
  value: string
  name: string
  organization: string
  country: string
}

/** `broken`: what is no JSON; `prose`: texts that may hold addresses. */
interface StatedIn {
  stated: Stated[]
  broken: string[]
  prose: string[]
}

/** Texts that may hold an address or, among words, a number. */
const PROSE = /@|&#|&commat|[[(]\s?at\s?[\])]|\p{L}\s.*\d[\d\s().-]{5}/su
const MAX_DEPTH = 40

type Json = Record<string, unknown>
const toText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number'
      ? String(value)
      : Array.isArray(value)
        ? toText(value[0])
        : ''

function readCountry(node: Json): string {
  const address = (Array.isArray(node.address) ? node.address[0] : node.address) as Json | undefined
  const country = address && typeof address === 'object' ? address.addressCountry : undefined
  const code = typeof country === 'object' && country !== null ? toText((country as Json).name) : toText(country)
  return code.slice(0, 60)
}

/** Whom a person works for, where the page says it of the person. */
function readEmployer(node: Json): string {
  const employer = [node.worksFor ?? node.affiliation].flat()[0]
  return typeof employer === 'string' ? employer : toText((employer as Json | undefined)?.name)
}

function walk(
  value: unknown,
  around: { name: string; organization: string; country: string },
  found: Stated[],
  prose: string[],
  depth: number,
): void {
  if (typeof value === 'string' && value.length > 6 && PROSE.test(value)) prose.push(value)
  if (depth > MAX_DEPTH || value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (const item of value) walk(item, around, found, prose, depth + 1)
    return
  }
  const node = value as Json
  const type = toText(node['@type'])
  const name = toText(node.name) || toText(node.legalName)
  const isPerson = /person|author/i.test(type)
  const here = {
    name: name && type !== 'ContactPoint' ? name : around.name,
    organization: name && !isPerson && type && !THING.test(type) ? name : readEmployer(node) || around.organization,
    country: readCountry(node) || around.country,
  }
  for (const [key, item] of Object.entries(node)) {
    const property = /^email$/i.test(key)
      ? 'email'
      : /^(telephone|faxNumber|phone)$/i.test(key)
        ? 'telephone'
        : undefined
    if (!property) walk(item, here, found, prose, depth + 1)
    else
      for (const one of [item].flat())
        if (toText(one)) found.push({ property, value: toText(one).slice(0, 300), ...here })
  }
}

const known = new WeakMap<PageContent, StatedIn>()

/** Contacts in the JSON-LD of a page. What is not JSON is skipped (its strings are read as a script's). */
export function statedIn(page: PageContent): StatedIn {
  const read = known.get(page) ?? readStated(page)
  known.set(page, read)
  return read
}

function readStated(page: PageContent): StatedIn {
  const stated: Stated[] = []
  const broken: string[] = []
  const prose: string[] = []
  for (const text of page.jsonLd) {
    try {
      // Some pages wrap it as they would a script, or end it with a comma too many.
      const bare = text.replace(/^\s*(?:\/\/)?\s*<!\[CDATA\[|(?:\/\/)?\s*\]\]>\s*$/g, '').replace(/,\s*([\]}])/g, '$1')
      walk(JSON.parse(bare), { name: '', organization: '', country: '' }, stated, prose, 0)
    } catch {
      broken.push(text)
    }
  }
  return { stated, broken, prose }
}
