import { useState } from 'react'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { errorMessage } from '#web/api.ts'
import { plural } from '#web/ui/lib/format.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { GroupEditor } from './group-editor.tsx'
import { usePreview } from './queries.ts'
import { changeItem, type DraftGroup, isFull, newCondition, toDraft, toFilter } from './tree.ts'

interface FilterFieldsProps {
  /** Without conditions one to complete is shown. */
  filter: ContactFilter | null
  /** Hears of every filter that is complete. */
  onChange: (filter: ContactFilter) => void
}

const toEdit = (filter: ContactFilter | null): DraftGroup =>
  filter && filter.items.length > 0
    ? toDraft(filter)
    : { ...toDraft({ op: 'and', items: [] }), items: [newCondition('tag')] }

/** The conditions of a filter that belongs to something else, with how many contacts match now. What is incomplete is not passed on. */
export function FilterFields({ filter: given, onChange }: FilterFieldsProps) {
  const [root, setRoot] = useState(() => toEdit(given))
  const [told, setTold] = useState(() => JSON.stringify(given))
  // Undo gave it another filter than the one that was entered last.
  if (JSON.stringify(given) !== told) {
    setTold(JSON.stringify(given))
    setRoot(toEdit(given))
  }
  const { filter, fault } = toFilter(root)
  return (
    <div className="space-y-3">
      <GroupEditor
        group={root}
        depth={1}
        full={isFull(root)}
        change={(key, change) => {
          const next = changeItem(root, key, change)
          setRoot(next)
          const made = toFilter(next).filter
          if (!made) return
          setTold(JSON.stringify(made))
          onChange(made)
        }}
      />
      {filter && filter.items.length > 0 ? (
        <MatchingCount filter={filter} />
      ) : (
        <p className="text-sm text-muted">{fault ?? 'Add a condition.'}</p>
      )}
    </div>
  )
}

/** How many contacts a filter finds, in one line. */
export function MatchingCount({ filter }: { filter: ContactFilter }) {
  const text = useDebounced(JSON.stringify(filter))
  const { data, isError, error } = usePreview(JSON.parse(text) as ContactFilter)
  return (
    <p aria-live="polite" className="text-sm text-muted">
      {isError
        ? `How many contacts match is unknown. ${errorMessage(error)}`
        : data
          ? `${plural(data.count, 'contact matches', 'contacts match')} now.`
          : 'Counting…'}
    </p>
  )
}
