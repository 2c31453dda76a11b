import { Bold, Italic, Link2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FieldMenu } from '../field-menu.tsx'
import type { Writing } from './writing.ts'

const LINK = /^(?:https?:\/\/|mailto:|tel:|\{\{)/i

/** What can be done to words while they are written. Buttons leave the cursor where it is. */
export function WritingTools({ writing, onStop }: { writing: Writing; onStop: () => void }) {
  const [link, setLink] = useState<string | null>(null)
  const keep = (event: React.MouseEvent) => event.preventDefault()
  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      className="flex flex-wrap items-center gap-1 border-b bg-accent-soft px-2 py-1.5"
    >
      <IconButton size="sm" label="Bold" onMouseDown={keep} onClick={() => writing.run('bold')}>
        <Bold aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Italic" onMouseDown={keep} onClick={() => writing.run('italic')}>
        <Italic aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        size="sm"
        label="Link"
        aria-expanded={link !== null}
        onClick={() => setLink(link === null ? 'https://' : null)}
      >
        <Link2 aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Remove link" onMouseDown={keep} onClick={() => writing.run('unlink')}>
        <Unlink aria-hidden="true" className="size-4" />
      </IconButton>
      <FieldMenu onInsert={(text) => writing.insert(text)} />
      {link !== null && (
        <form
          className="flex min-w-48 flex-1 gap-1"
          onSubmit={(event) => {
            event.preventDefault()
            if (!LINK.test(link)) return
            writing.run('createLink', link)
            setLink(null)
          }}
        >
          <Input aria-label="Link URL" className="h-7" value={link} onChange={(event) => setLink(event.target.value)} />
          <Button size="sm" type="submit" disabled={!LINK.test(link)}>
            Set link
          </Button>
        </form>
      )}
      <Button size="sm" className="ml-auto" onClick={onStop}>
        Done
      </Button>
    </div>
  )
}
