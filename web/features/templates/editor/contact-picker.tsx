import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useContacts, useLists } from '#web/features/contacts/index.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'

/** For whom the email is rendered. */
export interface PreviewReader {
  contactId?: string
  listId?: string
  nth?: number
}

/** Whose email is shown: a made-up person, or a contact found by typing. */
function ContactPicker({ onChoose }: { onChoose: (contactId: string | undefined) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const found = useContacts({ q: useDebounced(text) || undefined, limit: 20 })
  const people = found.data?.items.filter((contact) => contact.email) ?? []
  return (
    <>
      <datalist id={id}>
        {people.map((contact) => (
          <option key={contact.id} value={contact.email ?? ''}>
            {contact.name}
          </option>
        ))}
      </datalist>
      <Input
        type="search"
        list={id}
        aria-label="Preview as contact"
        placeholder="Sample contact"
        className="max-w-60 min-w-36"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChoose(people.find((contact) => contact.email === event.target.value)?.id)
        }}
      />
    </>
  )
}

interface ReaderPickerProps {
  reader: PreviewReader
  total: number | null
  onChange: (reader: PreviewReader) => void
  /** One control below the other, where there is little width. */
  isStacked?: boolean
}

/** For whom the email is shown: somebody made up, a contact, or one after the other of a list. */
export function ReaderPicker({ reader, total, onChange, isStacked = false }: ReaderPickerProps) {
  const lists = useLists()
  const { listId, nth = 1 } = reader
  const go = (to: number) => listId && onChange({ listId, nth: Math.min(Math.max(to, 1), total ?? to) })
  return (
    <div
      className={cx('flex gap-2', isStacked ? 'flex-col [&_input]:max-w-none [&_select]:max-w-none' : 'items-center')}
    >
      <Select
        aria-label="Preview as contacts of a list"
        className="max-w-44 min-w-32"
        value={listId ?? ''}
        onChange={(event) => onChange(event.target.value ? { listId: event.target.value, nth: 1 } : {})}
      >
        <option value="">One contact</option>
        {lists.data?.items.map((list) => (
          <option key={list.id} value={list.id}>
            {list.name}
          </option>
        ))}
      </Select>
      {listId === undefined ? (
        <ContactPicker onChoose={(contactId) => onChange(contactId ? { contactId } : {})} />
      ) : (
        <span className="flex items-center gap-1 text-sm text-muted tabular-nums">
          <IconButton size="sm" label="Previous contact" disabled={nth <= 1} onClick={() => go(nth - 1)}>
            <ChevronLeft aria-hidden="true" className="size-4" />
          </IconButton>
          <Input
            type="number"
            min={1}
            aria-label="Number of the contact in the list"
            className="w-20"
            value={nth}
            onChange={(event) => go(Number(event.target.value) || 1)}
          />
          {total !== null && <span>of {formatNumber(total)}</span>}
          <IconButton
            size="sm"
            label="Next contact"
            disabled={total !== null && nth >= total}
            onClick={() => go(nth + 1)}
          >
            <ChevronRight aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      )}
    </div>
  )
}
