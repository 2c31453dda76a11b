import {
  Columns2,
  GalleryVertical,
  Heading,
  Image,
  Link2,
  List,
  Mail,
  Minus,
  MousePointerClick,
  PanelTop,
  RectangleVertical,
  Share2,
  ShoppingBag,
  Split,
  Square,
  StretchVertical,
  Table,
  Type,
} from 'lucide-react'
import { cx } from '#web/ui/lib/class-names.ts'
import { useEditorBackend } from '../editor-backend.tsx'
import { useBrand } from '../queries.ts'
import { findBlockKind, type Piece, piecesIn } from './block-kinds.ts'
import type { Dragged } from './drop-target.ts'
import type { Block } from './mjml-source.ts'

const ICONS: Record<string, typeof Type> = {
  section: PanelTop,
  columns: Columns2,
  hero: GalleryVertical,
  heading: Heading,
  list: List,
  products: ShoppingBag,
  text: Type,
  button: MousePointerClick,
  image: Image,
  divider: Minus,
  spacer: StretchVertical,
  social: Share2,
}

/** What can be put into the email: dragged there, or pressed to stand behind what is selected. */
export function Palette({
  onAdd,
  dragged,
}: {
  onAdd: (piece: Piece) => void
  dragged: React.RefObject<Dragged | null>
}) {
  const { isDemo } = useEditorBackend()
  const pieces = piecesIn(useBrand(!isDemo).data?.colors[0])
  return (
    <section aria-label="Add to the email" className="border-b p-3">
      <h2 className="mb-2 text-sm font-medium text-muted">Blocks</h2>
      <ul className="grid grid-cols-3 gap-1.5">
        {pieces.map((piece) => {
          const Icon = ICONS[piece.id] ?? Type
          return (
            <li key={piece.id}>
              <button
                type="button"
                draggable
                onDragStart={(event) => {
                  dragged.current = { piece }
                  event.dataTransfer.setData('text/plain', piece.label)
                  event.dataTransfer.effectAllowed = 'copyMove'
                }}
                onDragEnd={() => {
                  dragged.current = null
                }}
                onClick={() => onAdd(piece)}
                className="flex h-14 w-full cursor-grab flex-col items-center justify-center gap-1 rounded-control border bg-raised px-1 text-sm text-text hover:border-control hover:text-ink active:cursor-grabbing"
              >
                <Icon aria-hidden="true" className="size-4.5 text-muted" />
                <span className="max-w-full truncate">{piece.label}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The first words of an element, to know it by. */
function readFirstWords(source: string, block: Block): string {
  if (block.children.length > 0 || block.tag === 'mj-column') return ''
  return source
    .slice(block.contentFrom, block.contentTo)
    .replace(/\{%[\s\S]*?%\}/g, ' ')
    .replace(/\{\{\s*([\w.]+)[\s\S]*?\}\}/g, '{$1}')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&\w+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
}

interface StructureProps {
  source: string
  blocks: Block[]
  selected: number | null
  onSelect: (index: number) => void
}

const BLOCK_ICONS: Record<string, typeof Type> = {
  'mj-body': Mail,
  'mj-wrapper': Square,
  'mj-section': PanelTop,
  'mj-group': Columns2,
  'mj-column': RectangleVertical,
  'mj-hero': GalleryVertical,
  'mj-text': Type,
  'mj-button': MousePointerClick,
  'mj-image': Image,
  'mj-divider': Minus,
  'mj-spacer': StretchVertical,
  'mj-social': Share2,
  'mj-social-element': Link2,
  'mj-table': Table,
}

/** The email as a list of its elements, for the keyboard and for what is hard to point at. A column alone in its row is skipped. */
export function Structure({ source, blocks, selected, onSelect }: StructureProps) {
  const body = blocks.find(({ tag }) => tag === 'mj-body')
  const frames = new Set(blocks.flatMap(({ outer }) => (outer ? [outer.from, outer.closeFrom] : [])))
  const isOnlyColumn = (block: Block) =>
    block.tag === 'mj-column' && block.condition === null && blocks[block.parent ?? -1]?.children.length === 1
  const shown = blocks.filter(
    (block) =>
      body && block.from >= body.from && block.to <= body.to && !frames.has(block.from) && !isOnlyColumn(block),
  )
  const depth = (block: Block): number =>
    block.parent === null || block === body ? 0 : (isOnlyColumn(block) ? 0 : 1) + depth(blocks[block.parent] as Block)
  return (
    <section aria-label="Email structure" className="p-3">
      <h2 className="mb-2 text-sm font-medium text-muted">Structure</h2>
      <ul>
        {shown.map((block) => {
          const Icon = BLOCK_ICONS[block.tag] ?? Square
          const words = readFirstWords(source, block)
          return (
            <li key={block.index}>
              <button
                type="button"
                data-block={block.index}
                aria-current={selected === block.index || undefined}
                onClick={() => onSelect(block.index)}
                style={{ paddingLeft: 6 + depth(block) * 14 }}
                className={cx(
                  'flex h-7 w-full items-center gap-2 rounded-control pr-2 text-left text-sm text-text hover:bg-hover',
                  'aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent-text',
                )}
              >
                <Icon aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
                <span className="min-w-0 flex-1 truncate">
                  {findBlockKind(block.tag).label}
                  {words && `: ${words}`}
                </span>
                {block.condition !== null && <Split aria-label="Conditional" className="size-3.5 shrink-0" />}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
