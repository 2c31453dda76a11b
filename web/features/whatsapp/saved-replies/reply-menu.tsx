import { useEffect, useId, useState } from 'react'
import type { SavedReply } from '#contracts/whatsapp/saved-replies.ts'
import { Button } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { useSavedReplies } from './queries.ts'

const SHOWN = 8

interface ReplyMenuGiven {
  /** What was typed after the slash; undefined: the menu is closed. */
  query: string | undefined
  onChoose: (reply: SavedReply) => void
  onClose: () => void
}

/** Replies by name or text, names first. */
function findReplies(replies: SavedReply[], query: string): SavedReply[] {
  const wanted = query.trim().toLowerCase()
  const byName = replies.filter(({ name }) => name.toLowerCase().includes(wanted))
  const byText = replies.filter((reply) => !byName.includes(reply) && reply.text.toLowerCase().includes(wanted))
  return [...byName, ...byText].slice(0, SHOWN)
}

/** The menu over a text field that is opened by a slash: its keys, its state for the field, and what is shown. */
export function useReplyMenu({ query, onChoose, onClose }: ReplyMenuGiven) {
  const id = useId()
  const replies = useSavedReplies().data?.items ?? []
  const isOpen = query !== undefined
  const found = isOpen ? findReplies(replies, query) : []
  const [at, setAt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at its first reply
  useEffect(() => setAt(0), [query])
  const chosen = found[Math.min(at, found.length - 1)]
  return {
    found,
    isEmpty: replies.length === 0,
    chosen,
    listId: id,
    /** Takes a key of the field; true: it was the menu's. */
    take(key: string): boolean {
      if (!isOpen) return false
      if (key === 'Escape') onClose()
      else if (!chosen) return false
      else if (key === 'Enter' || key === 'Tab') onChoose(chosen)
      else if (key === 'ArrowDown') setAt((old) => (old + 1) % found.length)
      else if (key === 'ArrowUp') setAt((old) => (old - 1 + found.length) % found.length)
      else return false
      return true
    },
    field: isOpen && chosen ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${chosen.id}` } : {},
  }
}

interface ReplyMenuProps extends Pick<ReturnType<typeof useReplyMenu>, 'found' | 'isEmpty' | 'chosen' | 'listId'> {
  onChoose: (reply: SavedReply) => void
  onManage: () => void
}

/** The saved replies that fit what was typed, over the field. */
export function ReplyMenu({ found, isEmpty, chosen, listId, onChoose, onManage }: ReplyMenuProps) {
  return (
    <div className="absolute inset-x-0 bottom-full z-20 mb-2 overflow-hidden rounded-card border bg-raised shadow-float">
      {found.length === 0 ? (
        <p className="px-3.5 py-3 text-base text-muted">
          {isEmpty ? 'No saved replies yet. Create one for answers you write often.' : 'No saved reply matches.'}
        </p>
      ) : (
        <div role="listbox" id={listId} aria-label="Saved replies" className="max-h-64 overflow-y-auto p-1">
          {found.map((reply) => (
            // The field keeps the focus and takes the keys; this is for the pointer.
            // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the field names it
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            <div
              key={reply.id}
              id={`${listId}-${reply.id}`}
              role="option"
              aria-selected={reply.id === chosen?.id}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(reply)}
              className={cx(
                'cursor-pointer rounded-control px-2.5 py-1.5',
                reply.id === chosen?.id ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <p className="truncate text-base font-medium text-ink">{reply.name}</p>
              <p className={cx('truncate text-sm', reply.id === chosen?.id ? 'text-text' : 'text-muted')}>
                {reply.text}
              </p>
            </div>
          ))}
        </div>
      )}
      <div className="flex justify-end border-t px-2 py-1.5">
        <Button size="sm" kind="quiet" onClick={onManage}>
          {isEmpty ? 'Create saved reply' : 'Manage saved replies'}
        </Button>
      </div>
    </div>
  )
}
