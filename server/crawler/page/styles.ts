const HIDDEN = /(?:^|;|\s)(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
const REVERSED = /direction\s*:\s*rtl/i

/** Whether a style attribute hides its element, or turns its text round. */
export function readStyle(style: string): { hidden: boolean; reversed: boolean } {
  return { hidden: HIDDEN.test(style), reversed: REVERSED.test(style) }
}

const RULES = /([^{}]{1,200})\{([^{}]{0,2000})\}/g
const CONTENT = /content\s*:\s*([^;}]{1,300})/i

/** A CSS string with its escapes: `\40` and `\000040` are @. */
function unquote(text: string): string {
  return text.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** The strings and attr() of a `content` value, in order; attributes are looked up when the element comes. */
export type Content = ({ text: string } | { attribute: string })[]

function parseContent(value: string): Content {
  const parts: Content = []
  for (const [, double, single, attribute] of value.matchAll(/"([^"]*)"|'([^']*)'|attr\(\s*([\w-]+)[^)]*\)/g)) {
    if (attribute) parts.push({ attribute: attribute.toLowerCase() })
    else parts.push({ text: unquote(double ?? single ?? '') })
  }
  return parts
}

export interface Styles {
  /** Whether no rule says anything: most pages. */
  isEmpty: boolean
  hidden: Set<string>
  reversed: Set<string>
  before: Map<string, Content>
  after: Map<string, Content>
}

export const noStyles = (): Styles => ({
  isEmpty: true,
  hidden: new Set(),
  reversed: new Set(),
  before: new Map(),
  after: new Map(),
})

/** Adds the rules of a style sheet, by the last class, id or tag of each selector (`.x`, `#y`, `z`). */
export function readSheet(styles: Styles, css: string): void {
  if (!/content\s*:|direction\s*:|display\s*:\s*none|visibility\s*:\s*hidden/i.test(css)) return
  const plain = css.slice(0, 200_000).replace(/\/\*[\s\S]*?\*\//g, '')
  for (const [, selectors = '', body = ''] of plain.matchAll(RULES)) {
    const { hidden, reversed } = readStyle(body)
    const content = CONTENT.exec(body)?.[1]
    if (!hidden && !reversed && !content) continue
    for (const selector of selectors.split(',')) {
      // Only simple ones: what depends on its surroundings might mean another element.
      const [, name, pseudo] = /^\s*(?:[\w-]+)?([.#]?[\w-]+)\s*(?:::?(before|after))?\s*$/.exec(selector) ?? []
      if (!name) continue
      styles.isEmpty = false
      if (pseudo && content) styles[pseudo as 'before' | 'after'].set(name, parseContent(content))
      else if (!pseudo && (name.startsWith('.') || name.startsWith('#'))) {
        if (hidden) styles.hidden.add(name)
        if (reversed) styles.reversed.add(name)
      }
    }
  }
}

/** The names a rule may know an element by. */
export function selectorNames(tag: string, attributes: Record<string, string>): string[] {
  const classes = attributes.class ? attributes.class.split(/\s+/).map((name) => `.${name}`) : []
  return [tag, ...classes, ...(attributes.id ? [`#${attributes.id}`] : [])]
}
