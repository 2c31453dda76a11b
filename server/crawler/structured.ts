import type { Page } from './page/read.ts'

/** What JSON-LD says of somebody: schema.org's email, telephone and faxNumber with the name they stand under. */
export interface Stated {
  property: 'email' | 'telephone'
  value: string
  name: string
  organisation: string
  country: string
}

const MOST_DEPTH = 40
const ORGANISATION =
  /organization|business|corporation|store|restaurant|hotel|company|agency|clinic|school|ngo|shop|office|service/i

type Json = Record<string, unknown>
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number'
      ? String(value)
      : Array.isArray(value)
        ? textOf(value[0])
        : ''

function countryOf(node: Json): string {
  const address = (Array.isArray(node.address) ? node.address[0] : node.address) as Json | undefined
  const country = address && typeof address === 'object' ? address.addressCountry : undefined
  const code = typeof country === 'object' && country !== null ? textOf((country as Json).name) : textOf(country)
  return /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : ''
}

function walk(
  value: unknown,
  around: { name: string; organisation: string; country: string },
  found: Stated[],
  depth: number,
): void {
  if (depth > MOST_DEPTH || value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (const item of value) walk(item, around, found, depth + 1)
    return
  }
  const node = value as Json
  const type = textOf(node['@type'])
  const name = textOf(node.name) || textOf(node.legalName)
  const isPerson = /person|author/i.test(type)
  const here = {
    name: name && type !== 'ContactPoint' ? name : around.name,
    organisation: name && !isPerson && ORGANISATION.test(type) ? name : around.organisation,
    country: countryOf(node) || around.country,
  }
  for (const [key, item] of Object.entries(node)) {
    const property = /^email$/i.test(key)
      ? 'email'
      : /^(telephone|faxNumber|phone)$/i.test(key)
        ? 'telephone'
        : undefined
    if (!property) walk(item, here, found, depth + 1)
    else
      for (const one of [item].flat())
        if (textOf(one)) found.push({ property, value: textOf(one).slice(0, 300), ...here })
  }
}

/** Contacts in the JSON-LD of a page. What is not JSON is left out (its strings are read as a script's). */
export function statedIn(page: Page): { stated: Stated[]; broken: string[] } {
  const stated: Stated[] = []
  const broken: string[] = []
  for (const text of page.jsonLd) {
    try {
      // Some pages wrap it as they would a script, or end it with a comma too many.
      const bare = text.replace(/^\s*(?:\/\/)?\s*<!\[CDATA\[|(?:\/\/)?\s*\]\]>\s*$/g, '').replace(/,\s*([\]}])/g, '$1')
      walk(JSON.parse(bare), { name: '', organisation: '', country: '' }, stated, 0)
    } catch {
      broken.push(text)
    }
  }
  return { stated, broken }
}
