import { readStarters } from './starters.ts'

/** A text in brackets that a starter ships with, and the 1-based line it is on; null outside of the email itself. */
export interface SampleText {
  text: string
  line: number | null
}

/** Bracketed text, but no selector of a style sheet and nothing of Liquid. */
const BRACKETED = /\[[A-Za-z][^[\]<>{}"=]*\]/g

let shipped: Set<string> | undefined
/** Every bracketed text of the starters. They are files of the product, so they are read once. */
const shippedTexts = () =>
  (shipped ??= new Set(readStarters().flatMap(({ html, mjml }) => (html + mjml).match(BRACKETED) ?? [])))

/** The source of one message, as a template or a campaign has it. */
interface MessageSource {
  subject?: string | null
  html?: string | null
  mjml?: string | null
  text?: string | null
}

/** The sample texts of our starters that are still in a message, each once. Brackets that the author wrote do not count. */
export function findSampleTexts({ subject, html, mjml, text }: MessageSource): SampleText[] {
  const known = shippedTexts()
  const found = new Map<string, number | null>()
  const content = mjml?.trim() ? mjml : (html ?? '')
  const body = Math.max(content.search(/<(?:mj-)?body\b/i), 0)
  // What stands in the body comes first: its reader sees it first, too.
  for (const [from, to] of [
    [body, content.length],
    [0, body],
  ] as const)
    for (const { 0: bracketed, index } of content.slice(from, to).matchAll(BRACKETED))
      if (known.has(bracketed) && !found.has(bracketed))
        found.set(bracketed, content.slice(0, from + index).split('\n').length)
  for (const part of [subject, text])
    for (const [bracketed] of (part ?? '').matchAll(BRACKETED))
      if (known.has(bracketed) && !found.has(bracketed)) found.set(bracketed, null)
  return [...found].map(([text, line]) => ({ text, line }))
}

/** The finding about sample texts, in one sentence; undefined where there are none. */
export function sampleTextMessage(samples: SampleText[]): string | undefined {
  const [first] = samples
  if (!first) return undefined
  const more = samples.length > 1 ? ` and ${samples.length - 1} more` : ''
  return `This template still contains sample text: “${first.text}”${more}.`
}
