import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '#web/ui/lib/class-names.ts'
import { emailPage } from '../mail-frame.tsx'
import { blockLevel, findBlockKind, WRITABLE } from './block-kinds.ts'
import { type Box, useRoom, useScrollToSelected } from './canvas-room.ts'
import { type Dragged, findElement, indexAt, type Target, targetAt } from './drop-target.ts'
import { drawPlaceholders, PLACEHOLDER } from './image-placeholder.ts'
import { CONDITIONAL } from './mjml-edits.ts'
import type { Block } from './mjml-source.ts'
import { beginWriting, type Writing } from './writing/writing.ts'

/** What may be asked of it from outside. */
export interface CanvasHandle {
  write: (index: number) => void
}

interface CanvasProps {
  ref?: React.Ref<CanvasHandle>
  html: string
  blocks: Block[]
  /** Whether the canvas shows the current email: while a new rendering comes, it takes no changes. */
  isFresh: boolean
  selected: number | null
  width: number
  dragged: React.RefObject<Dragged | null>
  writing: Writing | null
  onSelect: (index: number | null) => void
  onDrop: (dragged: Dragged, target: Target) => void
  onWriting: (writing: Writing | null) => void
  onWrite: (index: number, html: string) => void
  onTooLong: () => void
  /** The placeholder of an image block without an image was clicked. */
  onPlaceholder: (index: number) => void
  onKey: (event: KeyboardEvent) => void
  /** The buttons beside what is selected. */
  tools: React.ReactNode
}

const EMPTY = '<!doctype html><html lang="en"><head><title>Email</title></head><body></body></html>'
/** Our own dress of the page, apart from the email's. */
const DRESS = `[class*="postlark-block-"]{cursor:default} a{cursor:default!important} body{margin:0} .${CONDITIONAL}{outline:2px dashed #7c6cf0;outline-offset:-2px}`

/** Keeps the frame as high as its page, and knows when its page can be worked on. */
function usePage(html: string, isWriting: boolean) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<Document | null>(null)
  const [height, setHeight] = useState(480)
  const [drawn, setDrawn] = useState(0)
  useEffect(() => {
    const element = frame.current
    const ready = () => setPage(element?.contentDocument ?? null)
    element?.addEventListener('load', ready)
    if (element?.contentDocument?.readyState === 'complete' && element.contentDocument.title !== '') ready()
    return () => element?.removeEventListener('load', ready)
  }, [])
  useEffect(() => {
    // What is being written in place is newer than any rendering that comes.
    if (!page || html === '' || isWriting) return
    const email = emailPage(html)
    page.head.innerHTML = `<title>Email</title><style>${DRESS}</style>${email.head.innerHTML}`
    page.body.innerHTML = email.body.innerHTML
    page.body.setAttribute('style', email.body.getAttribute('style') ?? '')
    drawPlaceholders(page)
    for (const element of page.querySelectorAll<HTMLElement>('a, button, input')) element.tabIndex = -1
    setDrawn((count) => count + 1)
  }, [page, html, isWriting])
  useEffect(() => {
    if (!page) return
    const size = new ResizeObserver(() => {
      setHeight(Math.max(320, page.body.scrollHeight))
      setDrawn((count) => count + 1)
    })
    size.observe(page.body)
    return () => size.disconnect()
  }, [page])
  return { frame, page, height, drawn }
}

function measureBox(page: Document | null, index: number | null | undefined): Box | null {
  if (!page || index === null || index === undefined) return null
  const found = findElement(page, index)?.getBoundingClientRect()
  return found ? { top: found.top, left: found.left, width: found.width, height: found.height } : null
}

type Latest = React.RefObject<CanvasProps>

/** Selects and writes by presses on the page; returns the index of the element under the pointer. */
function usePointing(page: Document | null, latest: Latest): number | null {
  const [hovered, setHovered] = useState<number | null>(null)
  useEffect(() => {
    if (!page) return
    const pressed = (event: MouseEvent) => {
      event.preventDefault()
      const { writing, isFresh, onSelect, onWriting } = latest.current
      if (writing?.element.contains(event.target as Node)) return
      writing?.stop()
      onWriting(null)
      if (!isFresh) return
      const index = indexAt(event.target as Element)
      onSelect(index ?? null)
      if (index !== undefined && (event.target as Element).hasAttribute(PLACEHOLDER))
        latest.current.onPlaceholder(index)
    }
    const write = (event: MouseEvent) => {
      const index = indexAt(event.target as Element)
      if (index !== undefined) startWriting(page, index, latest.current)
    }
    const over = (event: MouseEvent) => setHovered(indexAt(event.target as Element) ?? null)
    const away = () => setHovered(null)
    const key = (event: KeyboardEvent) => latest.current.onKey(event)
    page.addEventListener('click', pressed)
    page.addEventListener('dblclick', write)
    page.addEventListener('mouseover', over)
    page.addEventListener('mouseleave', away)
    page.addEventListener('keydown', key)
    return () => {
      page.removeEventListener('click', pressed)
      page.removeEventListener('dblclick', write)
      page.removeEventListener('mouseover', over)
      page.removeEventListener('mouseleave', away)
      page.removeEventListener('keydown', key)
    }
  }, [page, latest])
  return hovered
}

/** Moves blocks by dragging; returns the line where the dragged one would go. */
function useDragging(page: Document | null, latest: Latest): Target['line'] | null {
  const [line, setLine] = useState<Target['line'] | null>(null)
  useEffect(() => {
    if (!page) return
    const start = (event: DragEvent) => {
      const { blocks, isFresh, dragged, writing } = latest.current
      const index = indexAt(event.target as Element)
      const block = blocks[index ?? -1]
      if (writing || !isFresh || !block || blockLevel(block) === 'column') return event.preventDefault()
      dragged.current = { block: block.index }
      event.dataTransfer?.setData('text/plain', findBlockKind(block.tag).label)
    }
    const over = (event: DragEvent) => {
      const { blocks, isFresh, dragged } = latest.current
      const target = dragged.current && isFresh && targetAt(page, blocks, dragged.current, event.clientX, event.clientY)
      setLine(target ? target.line : null)
      if (target) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      const { blocks, isFresh, dragged, onDrop } = latest.current
      const target = dragged.current && isFresh && targetAt(page, blocks, dragged.current, event.clientX, event.clientY)
      if (dragged.current && target) onDrop(dragged.current, target)
      dragged.current = null
      setLine(null)
    }
    const end = () => setLine(null)
    page.addEventListener('dragstart', start)
    page.addEventListener('dragover', over)
    page.addEventListener('drop', drop)
    page.addEventListener('dragleave', end)
    page.addEventListener('dragend', end)
    return () => {
      page.removeEventListener('dragstart', start)
      page.removeEventListener('dragover', over)
      page.removeEventListener('drop', drop)
      page.removeEventListener('dragleave', end)
      page.removeEventListener('dragend', end)
    }
  }, [page, latest])
  return line
}

/** Lets every block but columns be dragged while nobody writes in one. */
function useDraggableBlocks(page: Document | null, drawn: number, blocks: CanvasProps['blocks'], isWriting: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn says that the page is a new one
  useEffect(() => {
    if (!page) return
    for (const { index, tag } of blocks) {
      const block = blocks[index]
      const element = findElement(page, index)
      if (element && block && tag !== 'mj-body') element.draggable = !isWriting && blockLevel(block) !== 'column'
    }
  }, [page, drawn, blocks, isWriting])
}

/**
 * The email itself, made by the engine that sends it, to be pointed at: a press selects, a second one writes, dragging
 * moves. The frame runs no scripts; what happens in it is heard from outside.
 */
export function Canvas(props: CanvasProps) {
  const { html, selected, width, tools, writing } = props
  const { frame, page, height, drawn } = usePage(html, writing !== null)
  const [box, setBox] = useState<Box | null>(null)
  const { room, wide } = useRoom()
  const scale = wide === 0 ? 1 : Math.min(1, wide / width)
  const latest = useRef(props)
  latest.current = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn says that the page looks different
  useLayoutEffect(() => setBox(measureBox(page, selected)), [page, selected, drawn])
  useImperativeHandle(props.ref, () => ({ write: (index) => page && startWriting(page, index, latest.current) }))

  useScrollToSelected(room, box, selected, scale)
  const hovered = usePointing(page, latest)
  const line = useDragging(page, latest)
  useDraggableBlocks(page, drawn, props.blocks, writing !== null)

  const hover = useHover(page, hovered === selected ? null : hovered, drawn)
  return (
    <div ref={room} className="overflow-hidden" style={{ height: height * scale }}>
      <div
        className="relative origin-top-left"
        style={{ width, transform: `scale(${scale})`, marginLeft: Math.max(0, (wide - width * scale) / 2) }}
      >
        <iframe
          ref={frame}
          title="Email"
          sandbox="allow-same-origin"
          srcDoc={EMPTY}
          className="block w-full border-0"
          style={{ height, background: '#fff', colorScheme: 'light' }}
        />
        {hover && <Outline box={hover} className="border border-accent-line" />}
        {box && <Outline box={box} className="border-2 border-accent-text" />}
        {box && !line && (
          <div
            className="absolute z-10 flex gap-0.5 rounded-control border bg-raised p-0.5 shadow-float"
            style={{ top: Math.max(0, box.top - 38), right: 4 }}
          >
            {tools}
          </div>
        )}
        {line && (
          <div
            className="pointer-events-none absolute h-1 rounded-full bg-accent"
            style={{ top: line.top - 2, left: line.left, width: line.width }}
          />
        )}
      </div>
    </div>
  )
}

/** Begins to write the words of an element in place. */
function startWriting(page: Document, index: number, props: CanvasProps): void {
  const { blocks, isFresh, writing, onWriting, onWrite, onSelect, onTooLong } = props
  const block = blocks[index]
  const made = findElement(page, index)
  if (!isFresh || !block || !made || !WRITABLE.has(block.tag) || writing?.index === index) return
  writing?.stop()
  onSelect(index)
  onWriting(beginWriting(made, index, block.tag, (html) => onWrite(index, html), onTooLong) ?? null)
}

function useHover(page: Document | null, index: number | null, drawn: number): Box | null {
  const [box, setBox] = useState<Box | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn says that the page looks different
  useLayoutEffect(() => setBox(measureBox(page, index)), [page, index, drawn])
  return box
}

function Outline({ box, className }: { box: Box; className: string }) {
  return (
    <div
      aria-hidden="true"
      className={cx('pointer-events-none absolute rounded-[2px]', className)}
      style={{ ...box }}
    />
  )
}
