import { isDark } from './colors.ts'
import type { Block } from './mjml-source.ts'

/** How a value of an element is asked for. */
export interface Setting {
  name: string
  label: string
  kind: 'text' | 'address' | 'color' | 'size' | 'padding' | 'corners' | 'align' | 'image' | 'font'
  /** Of a size: what it may be in; pixels unless told. */
  units?: readonly ('px' | '%')[]
  placeholder?: string
}

export interface BlockKind {
  tag: string
  label: string
  settings: Setting[]
}

const padding: Setting = { name: 'padding', label: 'Padding', kind: 'padding' }
const ground: Setting = { name: 'background-color', label: 'Background', kind: 'color' }
const align: Setting = { name: 'align', label: 'Alignment', kind: 'align' }
const size: Setting = { name: 'font-size', label: 'Text size', kind: 'size' }
const color: Setting = { name: 'color', label: 'Text color', kind: 'color' }
const font: Setting = { name: 'font-family', label: 'Font', kind: 'font' }
const corners: Setting = { name: 'border-radius', label: 'Corner radius', kind: 'corners' }
const href: Setting = { name: 'href', label: 'Link', kind: 'address', placeholder: 'https://' }
const width: Setting = { name: 'width', label: 'Width', kind: 'size' }

/** The elements of an email: what they are called and what can be set in the panel. */
export const KINDS: BlockKind[] = [
  { tag: 'mj-wrapper', label: 'Border', settings: [ground, padding] },
  { tag: 'mj-section', label: 'Section', settings: [ground, corners, padding] },
  { tag: 'mj-group', label: 'Side-by-side columns', settings: [] },
  { tag: 'mj-column', label: 'Column', settings: [{ ...width, units: ['%', 'px'] }, ground, padding] },
  {
    tag: 'mj-hero',
    label: 'Hero',
    settings: [
      ground,
      { name: 'background-url', label: 'Background image', kind: 'image' },
      { name: 'height', label: 'Height', kind: 'size' },
      padding,
    ],
  },
  { tag: 'mj-text', label: 'Text', settings: [size, color, align, font, padding] },
  { tag: 'mj-button', label: 'Button', settings: [href, ground, color, align, font, corners, size, padding] },
  {
    tag: 'mj-image',
    label: 'Image',
    settings: [
      { name: 'src', label: 'Image', kind: 'image' },
      { name: 'alt', label: 'Alt text', kind: 'text', placeholder: 'For people who can’t see the image' },
      href,
      width,
      align,
      corners,
      padding,
    ],
  },
  {
    tag: 'mj-divider',
    label: 'Divider',
    settings: [
      { name: 'border-color', label: 'Color', kind: 'color' },
      { name: 'border-width', label: 'Thickness', kind: 'size' },
      padding,
    ],
  },
  {
    tag: 'mj-spacer',
    label: 'Spacer',
    settings: [{ name: 'height', label: 'Height', kind: 'size' }],
  },
  {
    tag: 'mj-social',
    label: 'Social links',
    settings: [align, { name: 'icon-size', label: 'Size', kind: 'size' }, padding],
  },
  {
    tag: 'mj-social-element',
    label: 'Social link',
    settings: [href, { name: 'name', label: 'Network', kind: 'text', placeholder: 'linkedin' }],
  },
  { tag: 'mj-table', label: 'Table', settings: [size, color, font, padding] },
  { tag: 'mj-body', label: 'Email', settings: [ground, width] },
]

export const findBlockKind = (tag: string): BlockKind =>
  KINDS.find((kind) => kind.tag === tag) ?? { tag, label: tag.replace(/^mj-/, ''), settings: [] }

/** A new element of the palette. `level`: a row of the email, or a piece inside a column. */
export interface Piece {
  id: string
  label: string
  level: 'row' | 'piece'
  mjml: string
}

const column = (inner: string, width = '') => `      <mj-column${width}>\n${inner}      </mj-column>\n`
const row = (inner: string, attributes = '') => `    <mj-section${attributes}>\n${inner}    </mj-section>\n`
const text = (words: string) => `        <mj-text font-size="16px" line-height="1.6">${words}</mj-text>\n`
const product = (name: string) =>
  column(
    `        <mj-image src="" alt="" />\n        <mj-text font-size="16px" font-weight="600" align="center">${name}</mj-text>\n` +
      '        <mj-text font-size="15px" align="center">Describe this product in one sentence.</mj-text>\n' +
      '        <mj-button href="https://" font-size="15px">View product</mj-button>\n',
  )

/** The colors our own pieces have until the workspace has a brand. */
const OWN_COLORS = ['#3b49df', '#2b3480']

/** What can be put into an email, in the workspace's own color where it has one. */
export function piecesIn(color: string | undefined): Piece[] {
  if (!color) return PIECES
  const words = isDark(color) ? '#ffffff' : '#16181d'
  return PIECES.map((piece) => {
    const dressed = OWN_COLORS.reduce((mjml, own) => mjml.replaceAll(own, '\0'), piece.mjml)
    // Words in white on our color, and in our color on white, stay a pair that can be read.
    return dressed === piece.mjml
      ? piece
      : { ...piece, mjml: dressed.replaceAll('#ffffff', words).replaceAll('\0', color) }
  })
}

/** What can be put into an email. */
const PIECES: Piece[] = [
  { id: 'section', label: 'Section', level: 'row', mjml: row(column(text('Your text here.'))) },
  {
    id: 'columns',
    label: 'Columns',
    level: 'row',
    mjml: row(column(text('Left column text.'), ' width="50%"') + column(text('Right column text.'), ' width="50%"')),
  },
  {
    id: 'hero',
    label: 'Hero',
    level: 'row',
    mjml: '    <mj-hero background-color="#2b3480" padding="48px 24px">\n        <mj-text color="#ffffff" font-size="32px" font-weight="700" line-height="1.2">Your headline</mj-text>\n        <mj-text color="#ffffff" font-size="17px" line-height="1.5">One sentence about your offer.</mj-text>\n        <mj-button href="https://" background-color="#ffffff" color="#2b3480" align="left">Call to action</mj-button>\n    </mj-hero>\n',
  },
  {
    id: 'products',
    label: 'Products',
    level: 'row',
    mjml: row(product('First product') + product('Second product')),
  },
  {
    id: 'heading',
    label: 'Heading',
    level: 'piece',
    mjml: '        <mj-text font-size="28px" font-weight="700" line-height="1.25">Your heading</mj-text>\n',
  },
  { id: 'text', label: 'Text', level: 'piece', mjml: text('Your text here.') },
  {
    id: 'list',
    label: 'List',
    level: 'piece',
    mjml: text(
      '<ul style="margin: 0; padding: 0 0 0 24px;"><li style="margin: 0 0 4px;">First point</li><li style="margin: 0 0 4px;">Second point</li></ul>',
    ),
  },
  {
    id: 'button',
    label: 'Button',
    level: 'piece',
    mjml: '        <mj-button href="https://" background-color="#3b49df" color="#ffffff" font-size="16px" border-radius="8px">Call to action</mj-button>\n',
  },
  { id: 'image', label: 'Image', level: 'piece', mjml: '        <mj-image src="" alt="" />\n' },
  {
    id: 'divider',
    label: 'Divider',
    level: 'piece',
    mjml: '        <mj-divider border-width="1px" border-color="#d5d8e0" />\n',
  },
  { id: 'spacer', label: 'Spacer', level: 'piece', mjml: '        <mj-spacer height="24px" />\n' },
  {
    id: 'social',
    label: 'Social',
    level: 'piece',
    mjml: '        <mj-social mode="horizontal" icon-size="24px">\n          <mj-social-element name="linkedin" href="https://www.linkedin.com/">LinkedIn</mj-social-element>\n          <mj-social-element name="instagram" href="https://www.instagram.com/">Instagram</mj-social-element>\n        </mj-social>\n',
  },
]

/** Elements in which text, buttons and images stand. */
export const HOLDERS = new Set(['mj-column', 'mj-hero'])
/** Elements in which rows stand. */
export const ROW_HOLDERS = new Set(['mj-body', 'mj-wrapper'])
export const ROWS = new Set(['mj-section', 'mj-hero', 'mj-wrapper'])
/** Elements whose words can be written in place. */
export const WRITABLE = new Set(['mj-text', 'mj-button'])

/** Elements between whose children a condition may stand. */
const FRAMING = new Set([...HOLDERS, ...ROW_HOLDERS, 'mj-section', 'mj-group'])

/** Whether an element can be shown to some and not to others. */
export const canBeConditional = (blocks: Block[], block: Block): boolean =>
  block.tag !== 'mj-raw' && FRAMING.has(blocks[block.parent ?? -1]?.tag ?? '')

export const blockLevel = (block: Block): 'row' | 'column' | 'piece' =>
  ROWS.has(block.tag) ? 'row' : block.tag === 'mj-column' || block.tag === 'mj-group' ? 'column' : 'piece'

/** A piece that lands between rows gets a row of its own. */
export const inRow = (mjml: string): string => row(column(mjml))
