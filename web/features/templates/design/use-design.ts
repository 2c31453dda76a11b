import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { useEditorBackend } from '../editor-backend.tsx'
import { HOLDERS, inRow, type Piece, ROW_HOLDERS } from './block-kinds.ts'
import { chain, type Dragged, type Target } from './drop-target.ts'
import { duplicateBlock, insertBlock, markBlocks, moveBlock, removeBlock, setCondition } from './mjml-edits.ts'
import { type Block, MjmlProblem, outerSpan, scanMjml } from './mjml-source.ts'

function scan(source: string): { blocks: Block[]; problem: MjmlProblem | undefined } {
  try {
    return { blocks: scanMjml(source), problem: undefined }
  } catch (error) {
    if (error instanceof MjmlProblem) return { blocks: [], problem: error }
    throw error
  }
}

/** The email as HTML with its elements marked, made by the same engine that sends it. */
function useCanvas(source: string) {
  const backend = useEditorBackend()
  const settled = useDebounced(source, backend.isDemo ? 300 : 80)
  return useQuery({
    queryKey: ['canvas', backend.isDemo, settled],
    queryFn: async () => {
      const { blocks } = scan(settled)
      const { html, problems } = await backend.canvas(markBlocks(settled, blocks))
      return { html, problems, blocks }
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    // Visitors of the demo share their turns: one that was refused is tried again.
    retry: backend.isDemo ? 3 : false,
  })
}

function countBlocks(blocks: Block[], block: Block): number {
  const whole = outerSpan(block)
  return blocks.filter(({ from }) => from >= whole.from && from < whole.to).length
}
const sameShape = (a: Block[], b: Block[]) =>
  a.length === b.length && a.every(({ tag }, index) => tag === b[index]?.tag)

/** The actions of the visual editor: each is one edit of its source. */
export function useDesign(source: string, onChange: (source: string, key?: string) => void) {
  const { blocks, problem } = useMemo(() => scan(source), [source])
  const canvas = useCanvas(source)
  const [selected, select] = useState<number | null>(null)
  const block = selected === null ? undefined : blocks[selected]
  const body = blocks.find(({ tag }) => tag === 'mj-body')

  const place = (parent: Block, at: number, mjml: string, isWrapped = false) => {
    const next = insertBlock(source, blocks, parent, at, mjml)
    onChange(next)
    const placed = scan(next).blocks
    let index = placed[parent.index]?.children[at] ?? null
    // A piece that got a row of its own is what is worked on, not its row.
    if (isWrapped) for (let depth = 0; depth < 2; depth++) index = placed[index ?? -1]?.children[0] ?? index
    select(index)
  }
  /** Puts a piece behind what is selected, or at the end. */
  const add = (piece: Piece) => {
    if (!body) return
    const around = chain(blocks, selected ?? undefined)
    const holder = around.find(({ tag }) => (piece.level === 'row' ? ROW_HOLDERS : HOLDERS).has(tag))
    const isPiece = piece.level !== 'row'
    if (!holder) return place(body, body.children.length, isPiece ? inRow(piece.mjml) : piece.mjml, isPiece)
    const inside = around[around.indexOf(holder) - 1]
    place(holder, inside ? holder.children.indexOf(inside.index) + 1 : holder.children.length, piece.mjml)
  }
  const move = (moved: Block, parent: Block, at: number) => {
    const next = moveBlock(source, blocks, moved, parent, at)
    if (next === source) return
    const old = parent.index === moved.parent ? parent.children.indexOf(moved.index) : -1
    const shift = moved.from < parent.from ? countBlocks(blocks, moved) : 0
    onChange(next)
    select(scan(next).blocks[parent.index - shift]?.children[old >= 0 && old < at ? at - 1 : at] ?? null)
  }
  const drop = (dragged: Dragged, target: Target) => {
    const parent = blocks[target.parent]
    if (!parent) return
    if ('piece' in dragged)
      return place(parent, target.at, target.wrap ? inRow(dragged.piece.mjml) : dragged.piece.mjml, target.wrap)
    const moved = blocks[dragged.block]
    if (!moved) return
    if (!target.wrap) return move(moved, parent, target.at)
    const whole = outerSpan(moved)
    const next = insertBlock(source, blocks, parent, target.at, inRow(source.slice(whole.from, whole.to)))
    const grown = next.length - source.length
    const shifted = scan(next).blocks.find(
      ({ tag, from }) => tag === moved.tag && (from === moved.from || from === moved.from + grown),
    )
    onChange(shifted ? removeBlock(next, shifted) : next)
    select(null)
  }
  /** One place up or down among its neighbors. */
  const shift = (by: -1 | 1) => {
    const parent = blocks[block?.parent ?? -1]
    if (!block || !parent) return
    const at = parent.children.indexOf(block.index) + by
    if (at < 0 || at >= parent.children.length) return
    move(block, parent, by > 0 ? at + 1 : at)
  }
  const remove = () => {
    if (!block || block.tag === 'mj-body') return
    onChange(removeBlock(source, block))
    select(null)
  }
  const double = () => {
    if (!block || block.tag === 'mj-body') return
    onChange(duplicateBlock(source, block))
    select(block.index + countBlocks(blocks, block))
  }
  /** Shows what is selected only under a condition, or always when it is empty. */
  const restrict = (condition: string) => {
    if (!block) return
    onChange(setCondition(source, block, condition), `${block.index} condition`)
    if ((block.condition === null) !== (condition === '')) select(block.index + (condition === '' ? -1 : 1))
  }
  const isFresh = canvas.data !== undefined && sameShape(canvas.data.blocks, blocks)
  return { blocks, problem, canvas, isFresh, selected, block, select, add, drop, shift, remove, double, restrict }
}

/** The email that is edited, its blocks, and what can be done with the selected one. */
export type Design = ReturnType<typeof useDesign>
