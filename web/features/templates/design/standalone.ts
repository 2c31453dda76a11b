import { setAttribute } from './mjml-edits.ts'
import { type Block, findAttribute } from './mjml-source.ts'

/** Elements with words in them: what an email says of all its elements fits these. */
const WORDED = new Set(['mj-text', 'mj-button', 'mj-table', 'mj-social', 'mj-social-element', 'mj-navbar-link'])

type Values = Record<string, string>
const attributeValues = (block: Block): Values =>
  Object.fromEntries(block.attributes.map(({ name, value }) => [name, value]))

/** What the head of an email says of its elements: of all, of each kind, of each class. */
function readHeadAttributes(blocks: Block[]) {
  const holder = blocks.find(({ tag }) => tag === 'mj-attributes')
  const all: Values = {}
  const kinds = new Map<string, Values>()
  const classes = new Map<string, Values>()
  for (const index of holder?.children ?? []) {
    const block = blocks[index] as Block
    const { name = '', ...values } = attributeValues(block)
    if (block.tag === 'mj-all') Object.assign(all, attributeValues(block))
    else if (block.tag === 'mj-class') classes.set(name, values)
    else kinds.set(block.tag, { ...kinds.get(block.tag), ...attributeValues(block) })
  }
  return { all, kinds, classes }
}

/** The paddings and sizes MJML itself gives to elements that say nothing. */
const BUILT_IN: Record<string, Values> = {
  'mj-text': { padding: '10px 25px', 'font-size': '13px', align: 'left', color: '#000000' },
  'mj-button': { padding: '10px 25px', 'font-size': '13px', align: 'center', 'border-radius': '3px', color: '#ffffff' },
  'mj-image': { padding: '10px 25px', align: 'center' },
  'mj-section': { padding: '20px 0' },
  'mj-wrapper': { padding: '20px 0' },
  'mj-divider': { padding: '10px 25px', 'border-width': '4px', 'border-color': '#000000' },
  'mj-social': { padding: '10px 25px', align: 'center', 'icon-size': '20px' },
  'mj-table': { padding: '10px 25px', 'font-size': '13px', color: '#000000' },
  'mj-spacer': { height: '20px' },
  'mj-hero': { padding: '0' },
}

/** What an element has of each attribute that it does not set itself: from its classes, its kind, the head, or MJML. */
export function readInherited(blocks: Block[], block: Block): Values {
  const { all, kinds, classes } = readHeadAttributes(blocks)
  const named = (findAttribute(block, 'mj-class') ?? '').split(/\s+/).map((name) => classes.get(name) ?? {})
  return Object.assign({}, BUILT_IN[block.tag], all, kinds.get(block.tag), ...named)
}

/**
 * A piece of an email that looks the same in another one: what its head says of the elements is written at the elements
 * themselves. `from` and `to` are of the piece.
 */
export function standalone(source: string, blocks: Block[], { from, to }: { from: number; to: number }): string {
  const { all, kinds, classes } = readHeadAttributes(blocks)
  let made = source
  for (const block of blocks.toReversed()) {
    if (block.from < from || block.to > to || block.tag === 'mj-raw') continue
    const own = attributeValues(block)
    const named = (own['mj-class'] ?? '').split(/\s+/).map((name) => classes.get(name) ?? {})
    const general = Object.entries(all).filter(([name]) => WORDED.has(block.tag) || name.startsWith('padding'))
    const given: Values = Object.assign(Object.fromEntries(general), kinds.get(block.tag), ...named)
    for (const [name, value] of Object.entries(given))
      if (findAttribute(block, name) === undefined) made = setAttribute(made, block, name, value)
    if (own['mj-class'] !== undefined) made = withoutClass(made, block)
  }
  return unindented(made.slice(from, to + made.length - source.length))
}

/** Attributes that were added stand before the others: its class is found again from the end of the tag's name. */
function withoutClass(source: string, block: Block): string {
  const rest = source.slice(block.nameEnd)
  const found = /\s+mj-class\s*=\s*(?:"[^"]*"|'[^']*')/.exec(rest)
  return found
    ? source.slice(0, block.nameEnd) + rest.slice(0, found.index) + rest.slice(found.index + found[0].length)
    : source
}

/** Lines moved to the left by what the first one's followers have in common; ends with a line break. */
function unindented(piece: string): string {
  const lines = piece.trim().split('\n')
  const depths = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0)
  const depth = depths.length > 0 ? Math.min(...depths) : 0
  return `${[lines[0], ...lines.slice(1).map((line) => line.slice(depth))].join('\n')}\n`
}
