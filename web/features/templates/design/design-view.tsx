import { useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import type { History } from '#web/ui/lib/use-history.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useEditorBackend } from '../editor-backend.tsx'
import { useBrand } from '../queries.ts'
import { canBeConditional, findBlockKind } from './block-kinds.ts'
import { BlockPanel } from './block-panel.tsx'
import { type Act, BlockTools, Position, Unreadable } from './block-tools.tsx'
import { Canvas, type CanvasHandle } from './canvas.tsx'
import type { Dragged } from './drop-target.ts'
import { ImageLibrary } from './image-library.tsx'
import { handleKey } from './keys.ts'
import { setAttributes, setContent } from './mjml-edits.ts'
import { findAttribute, outerSpan } from './mjml-source.ts'
import { Palette, Structure } from './palette.tsx'
import { findSwatches } from './properties/color-control.tsx'
import { Inspector } from './properties/inspector.tsx'
import { SaveBlock, SavedBlocks } from './saved-blocks.tsx'
import { standalone } from './standalone.ts'
import { type Design, useDesign } from './use-design.ts'
import type { Writing } from './writing/writing.ts'
import { WritingTools } from './writing/writing-tools.tsx'

interface DesignViewProps {
  history: History
  width: number
  /** The line above, which the tools cover while text is written. */
  toolsHost: HTMLElement | null
  /** The line whose block is to be selected; a new object each time. */
  wanted: { line: number } | null
  /** Where the source cannot be drawn, it is fixed as code. */
  onCode: (line: number | null) => void
}

/** The visual editor: elements are dragged in, text is written in place. */
export default function DesignView({ history, width, toolsHost, wanted, onCode }: DesignViewProps) {
  const { isDemo } = useEditorBackend()
  const design = useDesign(history.text, history.change)
  const { blocks, block, canvas, problem } = design
  const brand = useBrand(!isDemo).data
  const [writing, setWriting] = useState<Writing | null>(null)
  const [saving, setSaving] = useState<{ mjml: string; name: string } | null>(null)
  const [choosing, setChoosing] = useState<string | null>(null)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const dragged = useRef<Dragged | null>(null)
  const handle = useRef<CanvasHandle>(null)

  const stopWriting = useCallback(() => {
    setWriting((now) => {
      now?.stop()
      return null
    })
  }, [])
  useWantedLine(wanted, design, history.text)
  const act = (change: () => void) => () => {
    stopWriting()
    change()
  }
  const set = (values: Record<string, string>) =>
    block &&
    history.change(setAttributes(history.text, block, values), `${block.index} ${Object.keys(values).join(' ')}`)
  const onImage = (name: string, url: string, alt: string) => {
    if (!block) return
    const isBare = name === 'src' && alt !== '' && (findAttribute(block, 'alt') ?? '') === ''
    history.change(setAttributes(history.text, block, isBare ? { [name]: url, alt } : { [name]: url }))
  }
  const onWrite = () => {
    setPanelOpen(false)
    if (block) handle.current?.write(block.index)
  }
  const onSave = () =>
    block &&
    setSaving({ mjml: standalone(history.text, blocks, outerSpan(block)), name: findBlockKind(block.tag).label })
  const onKey = (event: KeyboardEvent | React.KeyboardEvent) =>
    handleKey(event, { history, design, writing, stopWriting, write: (index) => handle.current?.write(index) })
  const failed = problem ?? (canvas.data?.html === '' ? canvas.data.problems[0] : undefined)
  if (failed) return <Unreadable problem={failed} onCode={onCode} />
  return (
    <>
      {writing &&
        toolsHost &&
        createPortal(
          <WritingTools
            writing={writing}
            swatches={findSwatches(brand?.colors ?? [], history.text)}
            onStop={stopWriting}
          />,
          toolsHost,
        )}
      <div className="grid min-h-0 flex-1 bg-surface max-md:grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_18rem] wide:grid-cols-[16.25rem_minmax(0,1fr)_20rem]">
        <Pieces source={history.text} {...{ design, act, dragged, onKey }} />
        <CanvasPane
          {...{ history, design, width, dragged, writing, onKey, act }}
          ref={handle}
          onWriting={setWriting}
          onChooseImage={() => setChoosing('src')}
          onWrite={onWrite}
          onSave={onSave}
          onSettings={() => act(() => setPanelOpen(true))()}
        />
        <BlockPanel
          design={design}
          act={act}
          onSave={isDemo ? undefined : onSave}
          isOpen={isPanelOpen}
          onClose={() => setPanelOpen(false)}
        >
          <Inspector
            block={block}
            blocks={blocks}
            source={history.text}
            isConditional={block !== undefined && canBeConditional(blocks, block)}
            onCondition={design.restrict}
            onSet={set}
            onChooseImage={setChoosing}
            onWrite={onWrite}
            onContent={(content) =>
              block && history.change(setContent(history.text, block, content), `words ${block.index}`)
            }
          />
        </BlockPanel>
      </div>
      {saving && <SaveBlock mjml={saving.mjml} initial={saving.name} onClose={() => setSaving(null)} />}
      {choosing !== null && (
        <ImageLibrary
          onClose={() => setChoosing(null)}
          onChoose={(image) => {
            onImage(choosing, image.url, image.alt)
            setChoosing(null)
          }}
        />
      )}
    </>
  )
}

interface PiecesProps {
  source: string
  design: Design
  act: Act
  dragged: React.RefObject<Dragged | null>
  onKey: (event: React.KeyboardEvent) => void
}

/** What can be added, and the structure of the email. */
function Pieces({ source, design, act, dragged, onKey }: PiecesProps) {
  const { blocks, selected } = design
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys pressed on the buttons inside it
    <div className="min-h-0 overflow-y-auto border-r max-wide:hidden" onKeyDown={onKey}>
      <Palette onAdd={(piece) => act(() => design.add(piece))()} dragged={dragged} />
      <SavedBlocks onAdd={(piece) => act(() => design.add(piece))()} dragged={dragged} />
      <Structure
        source={source}
        blocks={blocks}
        selected={selected}
        onSelect={(index) => act(() => design.select(index))()}
      />
    </div>
  )
}

interface CanvasPaneProps {
  ref: React.Ref<CanvasHandle>
  history: History
  design: Design
  width: number
  dragged: React.RefObject<Dragged | null>
  writing: Writing | null
  act: Act
  onKey: (event: KeyboardEvent) => void
  onWriting: (writing: Writing | null) => void
  onChooseImage: () => void
  onWrite: () => void
  onSave: () => void
  onSettings: () => void
}

/** The email itself, with where the selected block is below it. */
function CanvasPane(props: CanvasPaneProps) {
  const { isDemo } = useEditorBackend()
  const { history, design, act, onWrite, onSave, onSettings } = props
  const { blocks, canvas, selected } = design
  return (
    <section aria-label="Email" className="flex min-h-0 min-w-0 flex-col">
      {canvas.isError && (
        <Banner tone="harm" className="m-3">
          {errorMessage(canvas.error)}
        </Banner>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div tabIndex={0} className="min-h-0 flex-1 overflow-auto bg-sunken px-3 pt-3 pb-12">
        {canvas.data === undefined && !canvas.isError && <Skeleton className="mx-auto h-96 max-w-[640px]" />}
        {canvas.data !== undefined && (
          <Canvas
            ref={props.ref}
            html={canvas.data.html}
            blocks={blocks}
            isFresh={design.isFresh}
            selected={selected}
            width={props.width}
            dragged={props.dragged}
            writing={props.writing}
            onSelect={design.select}
            onDrop={design.drop}
            onWriting={props.onWriting}
            onWrite={(index, html) => {
              const written = blocks[index]
              if (written) history.change(setContent(history.text, written, html), `write ${index}`)
            }}
            onTooLong={() => toast.error('That text is too long for an email. Nothing was pasted.')}
            onPlaceholder={() => !isDemo && props.onChooseImage()}
            onKey={props.onKey}
            tools={<BlockTools {...{ design, act, onWrite, onSettings }} onSave={isDemo ? undefined : onSave} />}
          />
        )}
      </div>
      <Position blocks={blocks} selected={selected} select={design.select} />
    </section>
  )
}

/** Selects the innermost block at a line when it is asked for. */
function useWantedLine(wanted: DesignViewProps['wanted'], design: Design, source: string): void {
  const latest = useRef({ design, source })
  latest.current = { design, source }
  useEffect(() => {
    if (!wanted) return
    const { design: now, source: text } = latest.current
    const lines = text.split('\n')
    const begin = lines.slice(0, wanted.line - 1).join('\n').length
    const end = begin + (lines[wanted.line - 1]?.length ?? 0) + 1
    const body = now.blocks.find(({ tag }) => tag === 'mj-body')
    const found = now.blocks.findLast(({ from, to }) => body && from > body.from && from <= end && to > begin)
    if (found) now.select(found.index)
  }, [wanted])
}
