/**
 * Carries Liquid unharmed through MJML, CSS inlining and HTML-to-text: every tag and output becomes a plain word that is harmless as
 * text, in an attribute, in a URL and in CSS, and is put back afterwards.
 */
import { liquidSpans } from '../liquid/liquid.ts'

export type Span = { output: boolean; text: string; line: number }

export type Guard = {
  /** The source with words for Liquid. */
  guarded: string
  spans: Span[]
  /** Puts the Liquid back; `rewrite` may change a span on its way, e.g. inside a link. */
  restore(text: string, rewrite?: (span: Span) => string): string
  /** Spans whose words are no longer in `text`. */
  missing(text: string): Span[]
  /** The word for a span made afterwards, e.g. a tracked link. */
  add(text: string): string
  /** Numbers of the spans in `text`, in order. */
  indexes(text: string): number[]
}

/** Guards a Liquid source. Throws LiquidProblem when it is not tokenizable. */
export function guard(source: string): Guard {
  let mark = 'lqd'
  while (source.toLowerCase().includes(mark)) mark += 'q'
  const word = new RegExp(`${mark}(\\d+)z`, 'g')
  // A tag among attributes is an attribute without a value to an HTML writer, which may add one.
  const wordAnywhere = new RegExp(`${mark}(\\d+)z(?:="")?`, 'g')
  const spans: Span[] = []
  let guarded = ''
  let at = 0
  let line = 1
  for (const { begin, end, output, text } of liquidSpans(source)) {
    const between = source.slice(at, begin)
    line += between.split('\n').length - 1
    guarded += `${between}${mark}${spans.length}z`
    spans.push({ output, text, line })
    line += text.split('\n').length - 1
    at = end
  }
  guarded += source.slice(at)
  const indexes = (text: string) => Array.from(text.matchAll(word), (match) => Number(match[1]))
  return {
    guarded,
    spans,
    indexes,
    restore: (text, rewrite = (span) => span.text) =>
      text.replace(wordAnywhere, (whole, index) => {
        const span = spans[Number(index)]
        return span ? rewrite(span) : whole
      }),
    missing(text) {
      const seen = new Set(indexes(text))
      return spans.filter((_, index) => !seen.has(index))
    },
    add: (text) => `${mark}${spans.push({ output: true, text, line: 0 }) - 1}z`,
  }
}
