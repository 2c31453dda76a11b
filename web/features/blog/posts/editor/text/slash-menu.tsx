import { Code, Heading2, Heading3, Image, List, ListOrdered, type LucideIcon, TextQuote } from 'lucide-react'
import type Quill from 'quill'
import { useEffect, useId, useRef, useState } from 'react'
import { cx } from '#web/ui/lib/class-names.ts'

interface Insertion {
  label: string
  Icon: LucideIcon
  /** The format of the line; none for an image. */
  format?: [name: string, value: unknown]
}

const insertions: Insertion[] = [
  { label: 'Heading 2', Icon: Heading2, format: ['header', 2] },
  { label: 'Heading 3', Icon: Heading3, format: ['header', 3] },
  { label: 'Bullet list', Icon: List, format: ['list', 'bullet'] },
  { label: 'Ordered list', Icon: ListOrdered, format: ['list', 'ordered'] },
  { label: 'Quote', Icon: TextQuote, format: ['blockquote', true] },
  { label: 'Code', Icon: Code, format: ['code-block', true] },
  { label: 'Image', Icon: Image },
]

interface Slash {
  start: number
  length: number
  found: Insertion[]
  top: number
  left: number
}

/** What is typed after a slash that begins the line of the caret; undefined where there is none. */
function findSlash(quill: Quill): Slash | undefined {
  const range = quill.getSelection()
  if (!range || range.length > 0) return undefined
  const [, offset] = quill.getLine(range.index)
  const start = range.index - offset
  const typed = /^\/([a-z0-9 ]{0,12})$/i.exec(quill.getText(start, offset))
  if (!typed) return undefined
  const found = insertions.filter(({ label }) => label.toLowerCase().includes((typed[1] ?? '').toLowerCase()))
  if (found.length === 0) return undefined
  const { bottom, left } = quill.getBounds(start) ?? { bottom: 0, left: 0 }
  return { start, length: offset, found, top: bottom, left }
}

/** The insert menu of the editor: a slash at the beginning of a line opens it, arrow keys and Enter choose. */
export function SlashMenu({ quill, onImage }: { quill: Quill; onImage: () => void }) {
  const id = useId()
  const [slash, setSlash] = useState<Slash>()
  const [active, setActive] = useState(0)
  const closed = useRef(-1)
  const latest = useRef({ slash, active, onImage })
  latest.current = { slash, active, onImage }

  function choose(insertion: Insertion | undefined) {
    // What is shown may be some characters behind what is typed by now.
    const open = findSlash(quill) ?? latest.current.slash
    if (!open || !insertion) return
    setSlash(undefined)
    quill.deleteText(open.start, open.length, 'user')
    quill.setSelection(open.start, 0, 'user')
    if (insertion.format) quill.formatLine(open.start, 1, ...insertion.format, 'user')
    else latest.current.onImage()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes is read from `latest`
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // The caret has moved only once the change is over.
    const onChange = () => {
      clearTimeout(timer)
      timer = setTimeout(look)
    }
    const look = () => {
      const found = findSlash(quill)
      if (!found) closed.current = -1
      setSlash(found && found.start !== closed.current ? found : undefined)
      setActive(0)
    }
    const onKey = (event: KeyboardEvent) => {
      const { slash: shown, active: marked } = latest.current
      if (!shown || event.isComposing) return
      const slash = findSlash(quill)
      if (!slash) return
      // More was typed than is shown: then the first of what it finds is meant.
      const active = slash.length === shown.length ? marked : 0
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step === 0 && event.key !== 'Enter' && event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      if (step !== 0) setActive((active + step + slash.found.length) % slash.found.length)
      else if (event.key === 'Enter') choose(slash.found[active])
      else {
        closed.current = slash.start
        setSlash(undefined)
      }
    }
    const close = () => setSlash(undefined)
    quill.on('text-change', onChange)
    quill.root.addEventListener('keydown', onKey, { capture: true })
    quill.root.addEventListener('blur', close)
    return () => {
      clearTimeout(timer)
      quill.off('text-change', onChange)
      quill.root.removeEventListener('blur', close)
      quill.root.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [quill])

  useEffect(() => {
    if (slash) quill.root.setAttribute('aria-activedescendant', `${id}-${active}`)
    else quill.root.removeAttribute('aria-activedescendant')
  }, [quill, slash, active, id])

  if (!slash) return null
  return (
    <div
      role="listbox"
      aria-label="Insert"
      style={{ top: slash.top + 6, left: slash.left }}
      className="absolute z-30 w-56 rounded-card border bg-raised p-1 shadow-float"
    >
      {slash.found.map((insertion, at) => (
        <div
          key={insertion.label}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          // The caret stays where it is.
          onMouseDown={(event) => {
            event.preventDefault()
            choose(insertion)
          }}
          onMouseEnter={() => setActive(at)}
          className={cx(
            'flex h-8 cursor-default items-center gap-2.5 rounded-[4px] px-2.5 text-base text-ink',
            at === active && 'bg-hover',
          )}
        >
          <insertion.Icon aria-hidden="true" className="size-4 text-muted" />
          {insertion.label}
        </div>
      ))}
    </div>
  )
}
