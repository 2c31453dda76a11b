import { blockLevel, HOLDERS, type Piece, ROW_HOLDERS } from './block-kinds.ts'
import { blockClass, indexIn } from './mjml-edits.ts'
import type { Block } from './mjml-source.ts'

/** What is being dragged: something new, or an element of the email. */
export type Dragged = { piece: Piece } | { block: number }

/** Where it would land: in `parent`, before its child number `at`; `wrap` when it needs a row of its own. */
export interface Target {
  parent: number
  at: number
  wrap: boolean
  line: { top: number; left: number; width: number }
}

/** The piece of the page an element of the email was made into. */
export const findElement = (page: Document, index: number): HTMLElement | null =>
  page.querySelector<HTMLElement>(`.${blockClass(index)}`)

/** The element of the email at a piece of the page, the innermost. */
export function indexAt(start: Element | null): number | undefined {
  for (let element = start; element; element = element.parentElement) {
    const index = indexIn(element.getAttribute('class') ?? '')
    if (index !== undefined) return index
  }
  return undefined
}

function among(page: Document, parent: Block, y: number, wrap: boolean): Target {
  const boxes = parent.children.map((index) => findElement(page, index)?.getBoundingClientRect())
  const found = boxes.findIndex((box) => box !== undefined && y < box.top + box.height / 2)
  const at = found < 0 ? boxes.length : found
  const around = findElement(page, parent.index)?.getBoundingClientRect() ?? page.body.getBoundingClientRect()
  const top = boxes[at]?.top ?? boxes.findLast((box) => box !== undefined)?.bottom ?? around.top
  return { parent: parent.index, at, wrap, line: { top, left: around.left, width: around.width } }
}

/** Where what is dragged would land at a point of the page; nothing where it may not. */
export function targetAt(page: Document, blocks: Block[], dragged: Dragged, x: number, y: number): Target | undefined {
  const body = blocks.find(({ tag }) => tag === 'mj-body')
  if (!body) return undefined
  const moved = 'block' in dragged ? blocks[dragged.block] : undefined
  const level = 'piece' in dragged ? dragged.piece.level : moved && blockLevel(moved)
  if (level === 'row') {
    const under = chain(blocks, indexAt(page.elementFromPoint(x, y))).find(({ tag }) => ROW_HOLDERS.has(tag))
    const holder = under && moved?.tag !== 'mj-wrapper' && moved?.index !== under.index ? under : body
    return among(page, holder, y, false)
  }
  if (level !== 'piece') return undefined
  const holder = chain(blocks, indexAt(page.elementFromPoint(x, y))).find(({ tag }) => HOLDERS.has(tag))
  return holder ? among(page, holder, y, false) : among(page, body, y, true)
}

/** An element and everything around it, from inside out. */
export function chain(blocks: Block[], index: number | undefined): Block[] {
  const found: Block[] = []
  for (let at = blocks[index ?? -1]; at; at = blocks[at.parent ?? -1]) found.push(at)
  return found
}
