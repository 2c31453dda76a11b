/**
 * MJML as its author wrote it, with the places of its elements. The visual editor changes the source by small edits at these
 * places: what it does not touch stays byte for byte, comments, Liquid and elements it knows nothing of included.
 */

export interface Attribute {
  name: string
  value: string
  /** From its name to behind its closing quote. */
  from: number
  to: number
}

/** One element. Offsets are of the source; `content` is what stands between its tags. */
export interface Block {
  index: number
  tag: string
  from: number
  to: number
  /** Behind the name of its tag, where attributes can be added. */
  nameEnd: number
  contentFrom: number
  contentTo: number
  isSelfClosing: boolean
  attributes: Attribute[]
  parent: number | null
  /** Without the frames of conditions: what is asked for is found at the element it is asked for. */
  children: number[]
  /** The condition it is shown under, as Liquid without its tag. */
  condition: string | null
  /** The element with the two frames of its condition around it. */
  outer: Outer | null
}

interface Span {
  from: number
  to: number
}
interface Outer extends Span {
  /** Where the opening frame ends and the closing one begins. */
  openTo: number
  closeFrom: number
}

/** The source cannot be edited visually; the message is for people, the line is 1-based. */
export class MjmlProblem extends Error {
  readonly line: number
  constructor(message: string, source: string, at: number) {
    super(message)
    this.line = source.slice(0, at).split('\n').length
  }
}

/** Elements whose content is text or HTML and no MJML. */
const ENDING = new Set([
  ...['mj-text', 'mj-button', 'mj-table', 'mj-raw', 'mj-style', 'mj-title', 'mj-preview', 'mj-social-element'],
  ...['mj-navbar-link', 'mj-accordion-title', 'mj-accordion-text'],
])
const TAG = /<!--[\s\S]*?-->|<(\/?)(mjml|mj-[a-z-]+)(?=[\s/>])/gi
const ATTRIBUTE = /\s*([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gy

function readOpening(
  source: string,
  nameEnd: number,
): { attributes: Attribute[]; end: number; isSelfClosing: boolean } {
  const attributes: Attribute[] = []
  let at = nameEnd
  for (;;) {
    const close = /\s*(\/?)>/y
    close.lastIndex = at
    const closing = close.exec(source)
    if (closing) return { attributes, end: close.lastIndex, isSelfClosing: closing[1] === '/' }
    ATTRIBUTE.lastIndex = at
    const found = ATTRIBUTE.exec(source)
    if (!found || found[0] === '') throw new MjmlProblem('A tag is not closed with >', source, nameEnd)
    const from = ATTRIBUTE.lastIndex - found[0].trimStart().length
    attributes.push({
      name: (found[1] as string).toLowerCase(),
      value: found[2] ?? found[3] ?? found[4] ?? '',
      from,
      to: ATTRIBUTE.lastIndex,
    })
    at = ATTRIBUTE.lastIndex
  }
}

/** The elements of a source in their order. Throws MjmlProblem where tags do not fit. */
export function scanMjml(source: string): Block[] {
  const blocks: Block[] = []
  const open: Block[] = []
  TAG.lastIndex = 0
  for (let found = TAG.exec(source); found; found = TAG.exec(source)) {
    if (found[2] === undefined) continue
    const tag = found[2].toLowerCase()
    if (found[1] === '/') {
      const ended = open.pop()
      if (ended?.tag !== tag) throw new MjmlProblem(`</${tag}> has no matching opening tag`, source, found.index)
      ended.contentTo = found.index
      ended.to = source.indexOf('>', found.index) + 1
      if (ended.to === 0) throw new MjmlProblem(`</${tag}> is not finished`, source, found.index)
      continue
    }
    const nameEnd = found.index + found[0].length
    const { attributes, end, isSelfClosing } = readOpening(source, nameEnd)
    const parent = open.at(-1)
    const block: Block = {
      ...{ index: blocks.length, tag, from: found.index, to: end, nameEnd, contentFrom: end, contentTo: end },
      ...{ isSelfClosing, attributes, parent: parent?.index ?? null, children: [] },
      ...{ condition: null, outer: null },
    }
    blocks.push(block)
    parent?.children.push(block.index)
    TAG.lastIndex = end
    if (isSelfClosing) continue
    if (!ENDING.has(tag)) {
      open.push(block)
      continue
    }
    const closing = new RegExp(`</${tag}\\s*>`, 'gi')
    closing.lastIndex = end
    const closed = closing.exec(source)
    if (!closed) throw new MjmlProblem(`<${tag}> is never closed`, source, block.from)
    block.contentTo = closed.index
    block.to = closing.lastIndex
    TAG.lastIndex = block.to
  }
  const left = open.at(-1)
  if (left) throw new MjmlProblem(`<${left.tag}> is never closed`, source, left.from)
  if (blocks[0]?.tag !== 'mjml') throw new MjmlProblem('It does not start with <mjml>', source, 0)
  for (const block of blocks) foldConditions(source, blocks, block)
  return blocks
}

const OPENING = /^\s*\{%-?\s*if\s+((?:(?!%\})[\s\S])+?)\s*-?%\}\s*$/
const CLOSING = /^\s*\{%-?\s*endif\s*-?%\}\s*$/

/** An element between `<mj-raw>{% if … %}</mj-raw>` and `<mj-raw>{% endif %}</mj-raw>` is one with a condition. */
function foldConditions(source: string, blocks: Block[], parent: Block): void {
  const children = parent.children.map((index) => blocks[index] as Block)
  const frames = new Set<number>()
  for (const [at, block] of children.entries()) {
    const [before, after] = [children[at - 1], children[at + 1]]
    if (before?.tag !== 'mj-raw' || after?.tag !== 'mj-raw' || block.tag === 'mj-raw') continue
    const condition = OPENING.exec(source.slice(before.contentFrom, before.contentTo))?.[1]
    if (condition === undefined || !CLOSING.test(source.slice(after.contentFrom, after.contentTo))) continue
    block.condition = condition
    block.outer = { from: before.from, to: after.to, openTo: before.to, closeFrom: after.from }
    frames.add(before.index).add(after.index)
  }
  if (frames.size > 0) parent.children = parent.children.filter((index) => !frames.has(index))
}

/** An element as it moves: with the frames of its condition. */
export const wholeOf = (block: Block): Span => block.outer ?? block

/** Shows an element only under a condition, given as Liquid without its tag; an empty one shows it always. */
export function setCondition(source: string, block: Block, condition: string): string {
  const opening = `<mj-raw>{% if ${condition} %}</mj-raw>`
  if (!block.outer) {
    if (condition === '') return source
    const { from } = lineOf(source, block)
    const indent = /^[^\S\n]*/.exec(source.slice(from))?.[0] ?? ''
    const closed = splice(source, block.to, block.to, `\n${indent}<mj-raw>{% endif %}</mj-raw>`)
    return splice(closed, block.from, block.from, `${opening}\n${indent}`)
  }
  const { from, to, openTo, closeFrom } = block.outer
  if (condition !== '') return splice(source, from, openTo, opening)
  const end = lineOf(source, { from: closeFrom, to })
  const begin = lineOf(source, { from, to: openTo })
  return splice(splice(source, end.from, end.to, ''), begin.from, begin.to, '')
}

export const attributeOf = (block: Block, name: string): string | undefined =>
  block.attributes.find((attribute) => attribute.name === name)?.value

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

/** Sets what stands between the tags. */
export function setContent(source: string, block: Block, content: string): string {
  if (!block.isSelfClosing) return splice(source, block.contentFrom, block.contentTo, content)
  const opening = source.slice(block.from, block.to).replace(/\s*\/>$/, '>')
  return splice(source, block.from, block.to, `${opening}${content}</${block.tag}>`)
}

/** An element with its condition and its line, when it stands alone on it. */
const rangeOf = (source: string, block: Block): Span => lineOf(source, wholeOf(block))

function lineOf(source: string, block: Span): Span {
  const indent = /(?:^|\n)[^\S\n]*$/.exec(source.slice(0, block.from))
  const rest = /^[^\S\n]*(?:\n|$)/.exec(source.slice(block.to))
  if (!indent || !rest) return { from: block.from, to: block.to }
  const from = indent.index + (indent[0].startsWith('\n') ? 1 : 0)
  return { from, to: block.to + rest[0].length }
}

export function removeBlock(source: string, block: Block): string {
  const { from, to } = rangeOf(source, block)
  return splice(source, from, to, '')
}

/** Where a new child of `parent` begins, before its child number `at`. */
function placeFor(source: string, blocks: Block[], parent: Block, at: number): number {
  const before = blocks[parent.children[at] ?? -1]
  if (before) return rangeOf(source, before).from
  const last = blocks[parent.children.at(-1) ?? -1]
  return last ? rangeOf(source, last).to : parent.contentFrom
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
  const { from, to } = rangeOf(source, block)
  const piece = source.slice(from, to)
  const place = placeFor(source, blocks, parent, at)
  if (place >= from && place <= to) return source
  if (place < from) return insertBlock(source.slice(0, from) + source.slice(to), blocks, parent, at, piece)
  return splice(insertBlock(source, blocks, parent, at, piece), from, to, '')
}

export function duplicateBlock(source: string, block: Block): string {
  const { from, to } = rangeOf(source, block)
  const piece = source.slice(from, to)
  return splice(source, to, to, piece)
}

/** The line mail programs show beside the subject; empty when there is none. */
export function preheaderOf(source: string): string {
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
    const known = attributeOf(block, 'css-class')
    const classes = [known, block.condition !== null && CONDITIONAL, classOf(block.index)]
    marked = setAttribute(marked, block, 'css-class', classes.filter(Boolean).join(' '))
  }
  return marked
}

const TAGS_ONLY = /^(?:\s*\{%(?:(?!%\})[\s\S])*%\})+\s*$/
/** The class of elements that not everybody gets to see. */
export const CONDITIONAL = 'postlark-condition'

export const classOf = (index: number): string => `postlark-block-${index}`
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
