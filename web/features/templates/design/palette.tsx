import {
  Columns2,
  Heading,
  Image,
  Minus,
  MousePointerClick,
  PanelTop,
  Share2,
  ShoppingBag,
  Split,
  StretchVertical,
  Type,
} from 'lucide-react'
import { cx } from '#web/ui/lib/class-names.ts'
import { useBrand } from '../queries.ts'
import { findBlockKind, type Piece, piecesIn } from './block-kinds.ts'
import type { Dragged } from './drop-target.ts'
import type { Block } from './mjml-source.ts'

const ICONS: Record<string, typeof Type> = {
  section: PanelTop,
  columns: Columns2,
  hero: Heading,
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
  const pieces = piecesIn(useBrand().data?.colors[0])
  return (
    <section aria-label="Add to the email" className="border-b p-3">
      <h2 className="mb-2 text-sm font-medium text-muted">Add</h2>
      <ul className="grid grid-cols-2 gap-1.5 max-wide:grid-cols-3 max-wide:sm:grid-cols-5">
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

/** The email as a list of its elements, for the keyboard and for what is hard to point at. */
export function Structure({ source, blocks, selected, onSelect }: StructureProps) {
  const body = blocks.find(({ tag }) => tag === 'mj-body')
  const frames = new Set(blocks.flatMap(({ outer }) => (outer ? [outer.from, outer.closeFrom] : [])))
  const shown = blocks.filter(
    (block) => body && block.from >= body.from && block.to <= body.to && !frames.has(block.from),
  )
  const depth = (block: Block): number =>
    block.parent === null || block === body ? 0 : 1 + depth(blocks[block.parent] as Block)
  return (
    <section aria-label="Email structure" className="p-3">
      <h2 className="mb-2 text-sm font-medium text-muted">Structure</h2>
      <ul>
        {shown.map((block) => (
          <li key={block.index}>
            <button
              type="button"
              data-block={block.index}
              aria-current={selected === block.index || undefined}
              onClick={() => onSelect(block.index)}
              style={{ paddingLeft: 8 + depth(block) * 12 }}
              className={cx(
                'block w-full truncate rounded-control py-1 pr-2 text-left text-sm text-text hover:bg-hover',
                'aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent-text',
              )}
            >
              {block.condition !== null && <Split aria-label="Conditional" className="mr-1 inline size-3.5" />}
              {findBlockKind(block.tag).label}
              {readFirstWords(source, block) && <span className="text-muted"> {readFirstWords(source, block)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
