import { ArrowDown, ArrowUp, Bookmark, Copy, Monitor, Redo2, Smartphone, Trash2, Undo2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type Outside, useOutside } from '../use-outside.ts'
import { blockLevel, canBeConditional, findBlockKind, WRITABLE } from './block-kinds.ts'
import { Canvas, type CanvasHandle } from './canvas.tsx'
import { chain, type Dragged } from './drop-target.ts'
import { Inspector } from './inspector.tsx'
import { setAttribute, setContent } from './mjml-edits.ts'
import { findAttribute, outerSpan, scanMjml } from './mjml-source.ts'
import { Palette, Structure } from './palette.tsx'
import { SaveBlock, SavedBlocks } from './saved-blocks.tsx'
import { standalone } from './standalone.ts'
import { useDesign } from './use-design.ts'
import { useHistory } from './use-history.ts'
import type { Writing } from './writing.ts'
import { WritingTools } from './writing-tools.tsx'

/** Whether a key was pressed on an element of the email: in the list of them, or in the email itself. */
const isOn = (target: EventTarget | null, index: number) =>
  !(target instanceof HTMLElement) || target.dataset.block === String(index)

/** Whether a key was pressed in a window or a menu over the email, or while something is typed. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('[role=dialog], [role=menu], input, textarea, select') !== null

interface DesignViewProps {
  initial: string
  outside: Outside
  onChange: (mjml: string) => void
  /** Where the source cannot be drawn, it is fixed as code. */
  onCode: (line: number | null) => void
}

/** The visual editor: elements are dragged in, text is written in place. */
export default function DesignView({ initial, outside, onChange, onCode }: DesignViewProps) {
  const history = useHistory(initial, onChange)
  useOutside(outside, (text) => history.change(text, 'outside'))
  const design = useDesign(history.text, history.change)
  const { blocks, block, canvas, selected, problem } = design
  const [width, setWidth] = useState<600 | 375>(600)
  const [writing, setWriting] = useState<Writing | null>(null)
  const [saving, setSaving] = useState<{ mjml: string; name: string } | null>(null)
  const dragged = useRef<Dragged | null>(null)
  const handle = useRef<CanvasHandle>(null)

  const stopWriting = useCallback(() => {
    setWriting((now) => {
      now?.stop()
      return null
    })
  }, [])
  const keep = () =>
    block &&
    setSaving({ mjml: standalone(history.text, blocks, outerSpan(block)), name: findBlockKind(block.tag).label })
  const act = (change: () => void) => () => {
    stopWriting()
    change()
  }
  const set = (name: string, value: string) =>
    block && history.change(setAttribute(history.text, block, name, value), `${block.index} ${name}`)
  const onImage = (name: string, url: string, alt: string) => {
    if (!block) return
    const placed = setAttribute(history.text, block, name, url)
    const found = scanMjml(placed)[block.index]
    const isBare = name === 'src' && alt !== '' && found && (findAttribute(found, 'alt') ?? '') === ''
    history.change(isBare ? setAttribute(placed, found, 'alt', alt) : placed)
  }
  const onKey = (event: KeyboardEvent | React.KeyboardEvent) =>
    handleKey(event, { history, design, writing, stopWriting, write: (index) => handle.current?.write(index) })
  const failed = problem ?? (canvas.data?.html === '' ? canvas.data.problems[0] : undefined)
  if (failed) return <Unreadable problem={failed} onCode={onCode} />
  return (
    <div className="grid overflow-hidden rounded-card border bg-surface wide:h-[calc(100dvh-15rem)] wide:min-h-[34rem] wide:grid-cols-[11rem_minmax(0,1fr)_14rem]">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys pressed on the buttons inside it */}
      <div className="min-h-0 overflow-y-auto max-wide:order-3 max-wide:border-t wide:border-r" onKeyDown={onKey}>
        <Palette onAdd={(piece) => act(() => design.add(piece))()} dragged={dragged} />
        <SavedBlocks onAdd={(piece) => act(() => design.add(piece))()} dragged={dragged} />
        <div className="max-wide:max-h-56 max-wide:overflow-y-auto max-wide:border-b">
          <Structure
            source={history.text}
            blocks={blocks}
            selected={selected}
            onSelect={(index) => act(() => design.select(index))()}
          />
        </div>
      </div>
      <section aria-label="Email" className="flex min-h-0 min-w-0 flex-col">
        <Toolbar {...{ history, design, width, setWidth, act }} />
        {writing && <WritingTools writing={writing} onStop={stopWriting} />}
        {canvas.isError && (
          <Banner tone="harm" className="m-3">
            {errorMessage(canvas.error)}
          </Banner>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <div tabIndex={0} className="min-h-80 flex-1 overflow-auto bg-sunken p-3 max-wide:max-h-[70dvh]">
          {canvas.data === undefined && !canvas.isError && <Skeleton className="mx-auto h-96 max-w-[640px]" />}
          {canvas.data !== undefined && (
            <Canvas
              ref={handle}
              html={canvas.data.html}
              blocks={blocks}
              isFresh={design.isFresh}
              selected={selected}
              width={width}
              dragged={dragged}
              writing={writing}
              onSelect={design.select}
              onDrop={design.drop}
              onWriting={setWriting}
              onWrite={(index, html) => {
                const written = blocks[index]
                if (written) history.change(setContent(history.text, written, html), `write ${index}`)
              }}
              onTooLong={() => toast.error('That text is too long for an email. Nothing was pasted.')}
              onKey={onKey}
              tools={<BlockTools design={design} act={act} onSave={keep} />}
            />
          )}
        </div>
      </section>
      <aside
        aria-label="Block settings"
        className="min-h-0 overflow-y-auto max-wide:order-2 max-wide:border-t wide:border-l"
      >
        <Inspector
          block={block}
          source={history.text}
          isConditional={block !== undefined && canBeConditional(blocks, block)}
          onCondition={design.restrict}
          onSet={set}
          onImage={onImage}
          onWrite={() => block && handle.current?.write(block.index)}
          onContent={(content) =>
            block && history.change(setContent(history.text, block, content), `words ${block.index}`)
          }
        />
      </aside>
      {saving && <SaveBlock mjml={saving.mjml} initial={saving.name} onClose={() => setSaving(null)} />}
    </div>
  )
}

interface Hands {
  history: ReturnType<typeof useHistory>
  design: ReturnType<typeof useDesign>
  writing: Writing | null
  stopWriting: () => void
  write: (index: number) => void
}

/** The keys of the editor; the browser's own meaning of others stays. */
function handleKey(
  event: KeyboardEvent | React.KeyboardEvent,
  { history, design, writing, stopWriting, write }: Hands,
): void {
  if (isElsewhere(event.target)) return
  const { block } = design
  const key = event.key.toLowerCase()
  if (event.key === 'Escape') return writing ? stopWriting() : design.select(block?.parent ?? null)
  if (writing) return
  const command = event.ctrlKey || event.metaKey
  if (command && key === 'z') event.shiftKey ? history.redo() : history.undo()
  else if (command && key === 'y') history.redo()
  else if (event.altKey && event.key === 'ArrowUp') design.shift(-1)
  else if (event.altKey && event.key === 'ArrowDown') design.shift(1)
  else if (event.key === 'Delete') design.remove()
  else if (event.key === 'Enter' && block && WRITABLE.has(block.tag) && isOn(event.target, block.index))
    write(block.index)
  else return
  event.preventDefault()
}

type Act = (change: () => void) => () => void

/** Undo, width, and where the selected element stands. */
function Toolbar({
  history,
  design: { blocks, selected, select },
  width,
  setWidth,
  act,
}: Pick<Hands, 'history' | 'design'> & { width: 600 | 375; setWidth: (width: 600 | 375) => void; act: Act }) {
  return (
    <div className="flex flex-wrap items-center gap-1 border-b px-2 py-1.5">
      <IconButton size="sm" label="Undo" disabled={!history.canUndo} onClick={act(history.undo)}>
        <Undo2 aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Redo" disabled={!history.canRedo} onClick={act(history.redo)}>
        <Redo2 aria-hidden="true" className="size-4" />
      </IconButton>
      <span className="mx-1 h-5 w-px bg-line" />
      <IconButton size="sm" label="Desktop" aria-pressed={width === 600} onClick={() => setWidth(600)}>
        <Monitor aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Mobile" aria-pressed={width === 375} onClick={() => setWidth(375)}>
        <Smartphone aria-hidden="true" className="size-4" />
      </IconButton>
      <nav
        aria-label="Position"
        className="ml-2 flex min-w-0 flex-1 items-center gap-1 overflow-hidden text-sm text-muted"
      >
        {chain(blocks, selected ?? undefined)
          .toReversed()
          .slice(1)
          .map(({ index, tag }) => (
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
    </div>
  )
}

/** What can be done to the selected element. */
function BlockTools({ design, act, onSave }: { design: Hands['design']; act: Act; onSave: () => void }) {
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
      {block && blockLevel(block) !== 'column' && block.tag !== 'mj-social-element' && (
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
function Unreadable({
  problem,
  onCode,
}: {
  problem: { message: string; line: number | null }
  onCode: DesignViewProps['onCode']
}) {
  return (
    <Banner
      tone="harm"
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
