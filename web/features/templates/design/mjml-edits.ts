/** Small edits at the places of elements: what they do not touch stays as its author wrote it. */
import { type Block, findAttribute, outerSpan, type Span } from './mjml-source.ts'

const splice = (source: string, from: number, to: number, text: string) =>
  source.slice(0, from) + text + source.slice(to)

/** A value safe between double quotes; entities and Liquid that are there stay. */
const quoted = (value: string) => value.replaceAll('"', value.includes('{') ? "'" : '&quot;').replace(/</g, '&lt;')

/** Sets an attribute; an empty value takes it away. */
export function setAttribute(source: string, block: Block, name: string, value: string): string {
  const known = block.attributes.find((attribute) => attribute.name === name)
  if (!known) return value === '' ? source : splice(source, block.nameEnd, block.nameEnd, ` ${name}="${quoted(value)}"`)
  if (value !== '') return splice(source, known.from, known.to, `${name}="${quoted(value)}"`)
  const before = source.slice(0, known.from).replace(/[^\S\n]+$/, '')
  return before + source.slice(known.to)
}

/** Sets several attributes of one element; empty values take theirs away. */
export function setAttributes(source: string, block: Block, values: Record<string, string>): string {
  // From behind to the front, so that the places of the others stay true; new ones come right behind the tag's name.
  const place = (name: string) => block.attributes.find((attribute) => attribute.name === name)?.from ?? -1
  return Object.entries(values)
    .toSorted(([a], [b]) => place(b) - place(a))
    .reduce((changed, [name, value]) => setAttribute(changed, block, name, value), source)
}

/** Sets what stands between the tags. */
export function setContent(source: string, block: Block, content: string): string {
  if (!block.isSelfClosing) return splice(source, block.contentFrom, block.contentTo, content)
  const opening = source.slice(block.from, block.to).replace(/\s*\/>$/, '>')
  return splice(source, block.from, block.to, `${opening}${content}</${block.tag}>`)
}

/** An element with its condition and its line, when it stands alone on it. */
const removableSpan = (source: string, block: Block): Span => extendToLine(source, outerSpan(block))

function extendToLine(source: string, block: Span): Span {
  const indent = /(?:^|\n)[^\S\n]*$/.exec(source.slice(0, block.from))
  const rest = /^[^\S\n]*(?:\n|$)/.exec(source.slice(block.to))
  if (!indent || !rest) return { from: block.from, to: block.to }
  const from = indent.index + (indent[0].startsWith('\n') ? 1 : 0)
  return { from, to: block.to + rest[0].length }
}

export function removeBlock(source: string, block: Block): string {
  const { from, to } = removableSpan(source, block)
  return splice(source, from, to, '')
}

/** Where a new child of `parent` begins, before its child number `at`. */
function placeFor(source: string, blocks: Block[], parent: Block, at: number): number {
  const before = blocks[parent.children[at] ?? -1]
  if (before) return removableSpan(source, before).from
  const last = blocks[parent.children.at(-1) ?? -1]
  return last ? removableSpan(source, last).to : parent.contentFrom
}

/** Puts a piece of MJML into `parent`, before its child number `at`. */
export function insertBlock(source: string, blocks: Block[], parent: Block, at: number, piece: string): string {
  if (parent.isSelfClosing) return setContent(source, parent, `\n${piece}\n`)
  const place = placeFor(source, blocks, parent, at)
  const begins = place === 0 || source[place - 1] === '\n'
  const lines = piece.endsWith('\n') ? piece : `${piece}\n`
  return splice(source, place, place, begins ? lines : `\n${lines}`)
}

/** Moves an element into `parent`, before its child number `at`; into itself it does not go. */
export function moveBlock(source: string, blocks: Block[], block: Block, parent: Block, at: number): string {
  if (parent.from >= block.from && parent.to <= block.to) return source
  const { from, to } = removableSpan(source, block)
  const piece = source.slice(from, to)
  const place = placeFor(source, blocks, parent, at)
  if (place >= from && place <= to) return source
  if (place < from) return insertBlock(source.slice(0, from) + source.slice(to), blocks, parent, at, piece)
  return splice(insertBlock(source, blocks, parent, at, piece), from, to, '')
}

export function duplicateBlock(source: string, block: Block): string {
  const { from, to } = removableSpan(source, block)
  const piece = source.slice(from, to)
  return splice(source, to, to, piece)
}

/** Shows an element only under a condition, given as Liquid without its tag; an empty one shows it always. */
export function setCondition(source: string, block: Block, condition: string): string {
  const opening = `<mj-raw>{% if ${condition} %}</mj-raw>`
  if (!block.outer) {
    if (condition === '') return source
    const { from } = extendToLine(source, block)
    const indent = /^[^\S\n]*/.exec(source.slice(from))?.[0] ?? ''
    const closed = splice(source, block.to, block.to, `\n${indent}<mj-raw>{% endif %}</mj-raw>`)
    return splice(closed, block.from, block.from, `${opening}\n${indent}`)
  }
  const { from, to, openTo, closeFrom } = block.outer
  if (condition !== '') return splice(source, from, openTo, opening)
  const end = extendToLine(source, { from: closeFrom, to })
  const begin = extendToLine(source, { from, to: openTo })
  return splice(splice(source, end.from, end.to, ''), begin.from, begin.to, '')
}

/** The line mail programs show beside the subject; empty when there is none. */
export function readPreheader(source: string): string {
  return /<mj-preview\b[^>]*>([\s\S]*?)<\/mj-preview>/i.exec(source)?.[1]?.trim() ?? ''
}

/** Sets the preheader, with a head to hold it where there is none. */
export function setPreheader(source: string, text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/&(?!\w+;|#)/g, '&amp;')
    .replace(/</g, '&lt;')
  const known = /<mj-preview\b[^>]*>[\s\S]*?<\/mj-preview>/i
  if (known.test(source)) return source.replace(known, () => `<mj-preview>${line}</mj-preview>`)
  if (line === '') return source
  const head = /<mj-head\b[^>/]*>/i.exec(source)
  const piece = `<mj-preview>${line}</mj-preview>`
  if (head) return splice(source, head.index + head[0].length, head.index + head[0].length, `\n    ${piece}`)
  return source.replace(/<mjml\b[^>]*>/i, (whole) => `${whole}\n  <mj-head>\n    ${piece}\n  </mj-head>`)
}

const UNMARKED = new Set(['mjml', 'mj-body', 'mj-raw'])

/** The source with each element of the body marked by a class, so that it can be found in the HTML made from it. */
export function markBlocks(source: string, blocks: Block[]): string {
  const body = blocks.find(({ tag }) => tag === 'mj-body')
  if (!body) return source
  let marked = source
  for (const block of blocks.toReversed()) {
    // Conditions and loops between elements are not shown: what they hold is, for every reader.
    if (block.tag === 'mj-raw' && TAGS_ONLY.test(source.slice(block.contentFrom, block.contentTo)))
      marked = setContent(marked, block, '')
    if (block.from < body.from || UNMARKED.has(block.tag)) continue
    const known = findAttribute(block, 'css-class')
    const classes = [known, block.condition !== null && CONDITIONAL, blockClass(block.index)]
    marked = setAttribute(marked, block, 'css-class', classes.filter(Boolean).join(' '))
  }
  return marked
}

const TAGS_ONLY = /^(?:\s*\{%(?:(?!%\})[\s\S])*%\})+\s*$/
/** The class of elements that not everybody gets to see. */
export const CONDITIONAL = 'postlark-condition'

export const blockClass = (index: number): string => `postlark-block-${index}`
const MARKED = /\bpostlark-block-(\d+)(?![\w-])/

/** Which element a piece of the HTML was made from. */
export function indexIn(className: string): number | undefined {
  const found = MARKED.exec(className)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** What the browser wrote of edited text, with the Liquid in it as it was written, and without what only the canvas needs. */
export function editedHtml(html: string): string {
  return html
    .replace(/(<a\b[^>]*?) tabindex="-1"/g, '$1')
    .replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (liquid) =>
      liquid
        .replace(/&gt;/g, '>')
        .replace(/&lt;/g, '<')
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&'),
    )
    .replace(/<br>/g, '<br />')
}
