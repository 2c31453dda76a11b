import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Baseline,
  Bold,
  Heading,
  Italic,
  Link2,
  List,
  ListOrdered,
  Underline,
  Unlink,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { FieldMenu } from '../../field-menu.tsx'
import type { Writing, WritingCommand } from './writing.ts'

const LINK = /^(?:https?:\/\/|mailto:|tel:|\{\{)/i
const SIZES = [12, 14, 16, 18, 20, 24, 32, 40]
const BLOCKS = [
  { value: 'p', label: 'Paragraph' },
  { value: 'h1', label: 'Heading 1' },
  { value: 'h2', label: 'Heading 2' },
  { value: 'h3', label: 'Heading 3' },
]

type Tool = { command: WritingCommand; label: string; icon: typeof Bold; isBlock?: boolean }
const TOOLS: Tool[] = [
  { command: 'bold', label: 'Bold', icon: Bold },
  { command: 'italic', label: 'Italic', icon: Italic },
  { command: 'underline', label: 'Underline', icon: Underline },
  { command: 'insertUnorderedList', label: 'Bulleted list', icon: List, isBlock: true },
  { command: 'insertOrderedList', label: 'Numbered list', icon: ListOrdered, isBlock: true },
  { command: 'justifyLeft', label: 'Align left', icon: AlignLeft, isBlock: true },
  { command: 'justifyCenter', label: 'Align center', icon: AlignCenter, isBlock: true },
  { command: 'justifyRight', label: 'Align right', icon: AlignRight, isBlock: true },
]

/** Hears where the cursor goes, so that the buttons show what holds there. */
function useCursor(writing: Writing): void {
  const [, setMoves] = useState(0)
  useEffect(() => {
    const page = writing.element.ownerDocument
    const moved = () => setMoves((count) => count + 1)
    page.addEventListener('selectionchange', moved)
    return () => page.removeEventListener('selectionchange', moved)
  }, [writing])
}

interface WritingToolsProps {
  writing: Writing
  swatches: string[]
  onStop: () => void
}

/** What can be done to text while it is written. Buttons leave the cursor where it is. */
export function WritingTools({ writing, swatches, onStop }: WritingToolsProps) {
  const [link, setLink] = useState<string | null>(null)
  useCursor(writing)
  const keep = (event: React.MouseEvent) => event.preventDefault()
  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      className="absolute inset-0 z-10 flex min-w-0 items-center gap-1 overflow-x-auto border-b bg-accent-soft px-2"
    >
      {writing.isBlock && (
        <>
          <Menu
            align="start"
            trigger={
              <IconButton size="sm" label="Text style">
                <Heading aria-hidden="true" className="size-4" />
              </IconButton>
            }
          >
            {BLOCKS.map(({ value, label }) => (
              <MenuItem key={value} onSelect={() => writing.run('formatBlock', value)}>
                {label}
              </MenuItem>
            ))}
          </Menu>
          <Menu
            align="start"
            trigger={
              <Button size="sm" kind="quiet">
                Size
              </Button>
            }
          >
            {SIZES.map((size) => (
              <MenuItem key={size} onSelect={() => writing.resize(size)}>
                {size} px
              </MenuItem>
            ))}
          </Menu>
        </>
      )}
      {TOOLS.filter(({ isBlock }) => !isBlock || writing.isBlock).map(({ command, label, icon: Icon }) => (
        <IconButton
          key={command}
          size="sm"
          label={label}
          aria-pressed={writing.isOn(command)}
          className="aria-pressed:bg-raised aria-pressed:text-accent-text"
          onMouseDown={keep}
          onClick={() => writing.run(command)}
        >
          <Icon aria-hidden="true" className="size-4" />
        </IconButton>
      ))}
      <Menu
        align="start"
        trigger={
          <IconButton size="sm" label="Font color">
            <Baseline aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {swatches.map((color) => (
          <MenuItem key={color} onSelect={() => writing.run('foreColor', color)}>
            <span aria-hidden="true" style={{ background: color }} className="size-4 rounded-full border" />
            {color}
          </MenuItem>
        ))}
      </Menu>
      <IconButton
        size="sm"
        label="Link"
        aria-expanded={link !== null}
        onClick={() => setLink(link === null ? 'https://' : null)}
      >
        <Link2 aria-hidden="true" className="size-4" />
      </IconButton>
      {link !== null && (
        <form
          className="flex w-72 shrink-0 gap-1"
          onSubmit={(event) => {
            event.preventDefault()
            if (!LINK.test(link)) return
            writing.run('createLink', link)
            setLink(null)
          }}
        >
          <Input
            aria-label="Link URL"
            autoFocus
            className="h-7"
            value={link}
            onChange={(event) => setLink(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setLink(null)}
          />
          <Button size="sm" type="submit" disabled={!LINK.test(link)}>
            Set link
          </Button>
        </form>
      )}
      <IconButton size="sm" label="Remove link" onMouseDown={keep} onClick={() => writing.run('unlink')}>
        <Unlink aria-hidden="true" className="size-4" />
      </IconButton>
      <FieldMenu onInsert={(text) => writing.insert(text)} />
      <Button size="sm" className="ml-auto" aria-label="Done editing text" onClick={onStop}>
        Done
      </Button>
    </div>
  )
}
