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

export interface Span {
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
export const outerSpan = (block: Block): Span => block.outer ?? block

export const findAttribute = (block: Block, name: string): string | undefined =>
  block.attributes.find((attribute) => attribute.name === name)?.value
