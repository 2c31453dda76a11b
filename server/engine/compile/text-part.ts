/** The plain-text part: made from the HTML, or the author's own with its links numbered. */
import { literalLiquid } from './document.ts'
import type { Guard } from './guard.ts'
import { encodeInUrl, LINK_FIELD, type LinkBook, trackable } from './links.ts'

/** Plain text of a guarded document; links stand behind their text in brackets. */
export async function htmlToPlainText(html: string, guard: Guard): Promise<string> {
  // Loaded where something is compiled, as MJML is.
  const { convert } = await import('html-to-text')
  const text = convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 5_000_000 },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'a', options: { ignoreHref: false, hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'img', format: 'altOnly' },
      { selector: '[style*="display:none"]', format: 'skip' },
      { selector: '[style*="display: none"]', format: 'skip' },
    ],
    formatters: {
      altOnly: (element, _walk, builder) => {
        const alt = element.attribs?.alt
        if (alt) builder.addInline(alt, { noWordTransform: true })
      },
    },
  })
  // Braces that were entities in the HTML must not become Liquid here.
  const raw = guard.spans.some((span) => /^\{%-?\s*raw\b/.test(span.text))
  const safe = raw ? text : text.replace(/\{(?=[{%])/g, () => guard.add(literalLiquid('{')))
  return guard.restore(
    safe
      .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  )
}

/** The author's text as Liquid, its web addresses numbered when clicks are counted. */
export function ownText(guard: Guard, book: LinkBook | null): string {
  const linked = guard.guarded.replace(/https?:\/\/[^\s<>"')\]]+/gi, (found) => {
    const url = found.replace(/(?<![.,;:!?])[.,;:!?]+$/, '')
    const target = book ? trackable(url, guard, book) : null
    const text =
      target && 'url' in target && book
        ? `{{ ${LINK_FIELD}${book.number(target.url)} }}`
        : guard.restore(url, (span) => encodeInUrl(span))
    return guard.add(text) + found.slice(url.length)
  })
  return guard.restore(linked)
}
