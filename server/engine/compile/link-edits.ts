import type { Problem } from '../types.ts'
import { lineAt } from './document.ts'
import type { Guard } from './guard.ts'
import { type Edit, encodeInUrl, type FoundLink, LINK_FIELD, type LinkBook, type Scan, trackable } from './links.ts'

/** The changes that lead the links of a document through this server where they are counted (`book`); the others stay as written. */
export function linkEdits(
  scan: Scan,
  document: string,
  source: string,
  guarded: Guard,
  book: LinkBook | null,
  part: 'html' | 'mjml',
  problems: Problem[],
): Edit[] {
  const asWritten = (found: FoundLink): Edit => {
    const raw = document.slice(found.begin, found.end)
    const first = guarded.indexes(found.href)[0]
    const starts =
      first !== undefined &&
      guarded
        .restore(found.href, () => '\0')
        .trim()
        .startsWith('\0')
    const beginning = starts ? guarded.spans[first] : undefined
    const text = guarded.restore(raw, (span) => guarded.add(encodeInUrl(span, span === beginning)))
    return { begin: found.begin, end: found.end, text }
  }
  return [
    ...scan.sources.map(asWritten),
    ...scan.links.map((found) => {
      const target = found.track && book ? trackable(found.href, guarded, book) : null
      if (target && 'url' in target && book) {
        const word = guarded.add(`{{ ${LINK_FIELD}${book.number(target.url)} }}`)
        return { begin: found.begin, end: found.end, text: `href="${word}"` }
      }
      if (target && 'reason' in target) {
        const index = guarded.indexes(found.href)[0]
        const line =
          index === undefined ? lineAt(source, source.indexOf(found.href)) : (guarded.spans[index]?.line ?? null)
        problems.push({ code: 'link', part, line, severity: 'warning', message: target.reason })
      }
      return asWritten(found)
    }),
  ]
}
