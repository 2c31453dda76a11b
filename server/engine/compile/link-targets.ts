import { CONTACT_ROOTS, findFields, parseLiquid } from '../liquid/liquid.ts'
import type { LinkTarget, Recipient } from '../types.ts'
import { lineAt } from './document.ts'
import type { Guard } from './guard.ts'
import { asWritten, encodeInUrl, isOwnSpan, renderLink, type Scan } from './links.ts'

/** An address that readers can click: Liquid as renderLink takes it, and its line in the source, where it is known. */
export type Href = { url: string; line: number | null }

const MAX_HREFS = 500

/** The web addresses that the links of a document lead to, each once; our own, such as the unsubscribe link, are not among them. */
export function findHrefs(scan: Scan, source: string, guarded: Guard): Href[] {
  const found = new Map<string, Href>()
  for (const { href } of scan.links) {
    const indexes = guarded.indexes(href)
    const spans = indexes.flatMap((index) => guarded.spans[index] ?? [])
    if (spans.some(isOwnSpan) || found.size >= MAX_HREFS) continue
    const before = guarded
      .restore(href, () => '\0')
      .trim()
      .split('\0')[0] as string
    if (!/^https?:/i.test(before) && (before !== '' || spans.length === 0)) continue
    const url = guarded.restore(href.trim(), (span) => encodeInUrl(span, before === '' && span === spans[0]))
    if (found.has(url)) continue
    const place = source.indexOf(href)
    found.set(url, { url, line: spans[0]?.line || (place < 0 ? null : lineAt(source, place)) })
  }
  return [...found.values()]
}

/** Where links lead one person; null where that takes a name from elsewhere in the template, or nobody is given. */
export function findLinkTargets(hrefs: readonly Href[], recipient: Recipient | undefined): LinkTarget[] {
  return hrefs.map(({ url, line }) => ({ written: asWritten(url), line, url: resolve(url, recipient) }))
}

function resolve(url: string, recipient: Recipient | undefined): string | null {
  if (!url.includes('{')) return URL.parse(url)?.href ?? null
  if (!recipient) return null
  try {
    const isContacts = findFields(parseLiquid(url, 'text')).every(({ path }) =>
      CONTACT_ROOTS.includes(path.split('.')[0] as string),
    )
    return isContacts ? renderLink(url, recipient) : null
  } catch {
    return null
  }
}
