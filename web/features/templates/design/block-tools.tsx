import { ArrowDown, ArrowUp, Bookmark, Copy, Trash2 } from 'lucide-react'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { blockLevel, findBlockKind, WRITABLE } from './block-kinds.ts'
import { chain } from './drop-target.ts'
import type { Design } from './use-design.ts'

/** Ends the writing before a change is made. */
export type Act = (change: () => void) => () => void

/** Where the selected element is, from the email to it. */
export function Position({ blocks, selected, select }: Pick<Design, 'blocks' | 'selected' | 'select'>) {
  const around = chain(blocks, selected ?? undefined)
    .toReversed()
    .slice(1)
  if (around.length === 0) return null
  return (
    <nav
      aria-label="Position"
      className="flex h-7 shrink-0 items-center gap-1 overflow-hidden border-t px-3 text-sm text-muted max-md:hidden"
    >
      {around.map(({ index, tag }) => (
        <button
          key={index}
          type="button"
          onClick={() => select(index)}
          className="shrink-0 rounded-control px-1 hover:text-ink"
        >
          {findBlockKind(tag).label}
        </button>
      ))}
    </nav>
  )
}

/** Whether there is room for the block settings beside the email. */
const isWide = () => matchMedia('(min-width: 768px)').matches

interface BlockActionsProps {
  design: Design
  act: Act
  onSave: (() => void) | undefined
}

interface BlockToolsProps extends BlockActionsProps {
  onWrite: () => void
  onSettings: () => void
}

/** What can be done to the selected element. On a phone its settings and how it is arranged are in a sheet. */
export function BlockTools({ onWrite, onSettings, ...actions }: BlockToolsProps) {
  const { block } = actions.design
  if (isWide()) return <BlockActions {...actions} />
  return (
    <>
      {block !== undefined && WRITABLE.has(block.tag) && (
        <Button size="sm" kind="quiet" onClick={onWrite}>
          Edit text
        </Button>
      )}
      <Button size="sm" kind="quiet" onClick={onSettings}>
        Settings
      </Button>
    </>
  )
}

/** Moves, copies, saves or deletes the selected element. */
export function BlockActions({ design, act, onSave }: BlockActionsProps) {
  const { block } = design
  return (
    <>
      <IconButton size="sm" label="Move up" onClick={act(() => design.shift(-1))}>
        <ArrowUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Move down" onClick={act(() => design.shift(1))}>
        <ArrowDown aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Duplicate" onClick={act(design.double)}>
        <Copy aria-hidden="true" className="size-4" />
      </IconButton>
      {onSave && block && blockLevel(block) !== 'column' && block.tag !== 'mj-social-element' && (
        <IconButton size="sm" label="Save as block" onClick={act(onSave)}>
          <Bookmark aria-hidden="true" className="size-4" />
        </IconButton>
      )}
      <IconButton size="sm" label="Delete" onClick={act(design.remove)}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  )
}

/** Shown while the source has a fault, with the way to it. */
export function Unreadable({
  problem,
  onCode,
}: {
  problem: { message: string; line: number | null }
  onCode: (line: number | null) => void
}) {
  return (
    <Banner
      tone="harm"
      className="m-4"
      title="The email can’t be shown yet"
      action={
        <Button size="sm" onClick={() => onCode(problem.line)}>
          Fix in code
        </Button>
      }
    >
      {problem.message}
      {problem.line === null ? '.' : ` (line ${problem.line}).`} Your text is saved.
    </Banner>
  )
}
