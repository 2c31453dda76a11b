import { Bold, Image, Italic, Link, List, ListOrdered, RemoveFormatting, Strikethrough, Underline } from 'lucide-react'
import { cx } from '#web/ui/lib/class-names.ts'

type Formats = Record<string, unknown>

interface EditorToolbarProps {
  formats: Formats
  /** Without a frame. */
  isBare?: boolean | undefined
  /** The field that chooses image files. */
  chooser: React.RefObject<HTMLInputElement | null>
  onFormat: (name: string, value: unknown) => void
  onLink: () => void
  onImages: (files: File[]) => void
  onClean: () => void
}

const marks = [
  { name: 'bold', label: 'Bold', Icon: Bold },
  { name: 'italic', label: 'Italic', Icon: Italic },
  { name: 'underline', label: 'Underline', Icon: Underline },
  { name: 'strike', label: 'Strike', Icon: Strikethrough },
]
const lists = [
  { value: 'ordered', label: 'Ordered list', Icon: ListOrdered },
  { value: 'bullet', label: 'Bullet list', Icon: List },
]

/** The formats of a post: headers 1 to 6, bold, italic, underline, strike, lists, link, image, clean. Arrow keys go along it. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { formats, isBare, chooser, onFormat, onLink, onImages, onClean } = props
  return (
    <>
      <div
        role="toolbar"
        aria-label="Formatting"
        onKeyDown={walk}
        className={cx(
          'ql-toolbar flex flex-wrap items-center gap-0.5',
          isBare
            ? 'sticky top-12 z-10 my-3 border-y bg-page py-1.5'
            : 'sticky top-12 z-10 rounded-t-control border-b bg-raised p-1.5',
        )}
      >
        <select
          aria-label="Header"
          className="ql-header mr-1 h-8 rounded-control border border-control/60 bg-raised px-2 text-base text-ink hover:bg-hover"
          value={String(formats.header ?? '')}
          onChange={(event) => onFormat('header', Number(event.target.value) || false)}
        >
          <option value="">Normal</option>
          {[1, 2, 3, 4, 5, 6].map((level) => (
            <option key={level} value={level}>
              Heading {level}
            </option>
          ))}
        </select>
        {marks.map(({ name, label, Icon }) => (
          <Tool
            key={name}
            label={label}
            className={`ql-${name}`}
            pressed={Boolean(formats[name])}
            onPress={() => onFormat(name, !formats[name])}
          >
            <Icon aria-hidden="true" className="size-4" />
          </Tool>
        ))}
        <Gap />
        {lists.map(({ value, label, Icon }) => (
          <Tool
            key={value}
            label={label}
            className="ql-list"
            pressed={formats.list === value}
            onPress={() => onFormat('list', formats.list === value ? false : value)}
          >
            <Icon aria-hidden="true" className="size-4" />
          </Tool>
        ))}
        <Gap />
        <Tool label="Link" className="ql-link" pressed={Boolean(formats.link)} onPress={onLink}>
          <Link aria-hidden="true" className="size-4" />
        </Tool>
        <Tool label="Image" className="ql-image" onPress={() => chooser.current?.click()}>
          <Image aria-hidden="true" className="size-4" />
        </Tool>
        <Gap />
        <Tool label="Clean" className="ql-clean" onPress={onClean}>
          <RemoveFormatting aria-hidden="true" className="size-4" />
        </Tool>
      </div>
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        aria-label="Image file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onImages([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

const Gap = () => <span aria-hidden="true" className="mx-1 h-5 border-l" />

interface ToolProps {
  label: string
  className: string
  pressed?: boolean
  onPress: () => void
  children: React.ReactNode
}

function Tool({ label, className, pressed, onPress, children }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      // The selection in the text stays while a mouse presses here.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={cx(
        'grid size-8 place-items-center rounded-control transition-colors hover:bg-hover hover:text-ink',
        pressed ? 'bg-accent-soft text-accent-text' : 'text-text',
        className,
      )}
    >
      {children}
    </button>
  )
}

function walk(event: React.KeyboardEvent<HTMLElement>) {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0 || (event.target as HTMLElement).tagName === 'SELECT') return
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('select, button')]
  tools[(tools.indexOf(event.target as HTMLElement) + by + tools.length) % tools.length]?.focus()
  event.preventDefault()
}
