import { useState } from 'react'
import type { Contact } from '#contracts/contacts/contacts.ts'
import type { ContactFilter } from '#contracts/contacts/filter.ts'
import { errorMessage } from '#web/api.ts'
import { useContacts } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'

const SHOWN = 5
/** People with a phone number, and those who are known by a WhatsApp ID alone and gave consent. */
const WRITABLE = JSON.stringify({
  op: 'or',
  items: [
    { field: 'phone', is: 'notEmpty' },
    { field: 'channel', is: 'equal', value: 'whatsapp' },
  ],
} satisfies ContactFilter)

interface PersonChoiceProps {
  label: string
  hint: string
  person: Contact | null
  onChoose: (person: Contact | null) => void
}

/** One contact with a phone number, found by typing. */
export function PersonChoice({ label, hint, person, onChoose }: PersonChoiceProps) {
  const [text, setText] = useState('')
  const found = useContacts({ q: useDebounced(text.trim()) || undefined, filter: WRITABLE, limit: SHOWN })
  const people = found.data?.items ?? []
  if (person)
    return (
      <div>
        <p className="mb-1.5 text-sm font-medium text-ink">{label}</p>
        <p className="flex items-center justify-between gap-3 rounded-control border bg-page px-3 py-2 text-base text-ink">
          <span className="min-w-0">
            <span className="block truncate">{person.name || person.phone || person.bsuid}</span>
            <span className="block text-sm text-muted tabular-nums">{person.phone ?? 'hidden number'}</span>
          </span>
          <Button size="sm" onClick={() => onChoose(null)}>
            Change
          </Button>
        </p>
      </div>
    )
  return (
    <div>
      <Field label={label} hint={hint}>
        <Input
          type="search"
          autoComplete="off"
          placeholder="Name or number"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <ul aria-label="Contacts found" className="mt-2 divide-y overflow-hidden rounded-control border empty:hidden">
        {people.map((contact) => (
          <li key={contact.id}>
            <button
              type="button"
              onClick={() => onChoose(contact)}
              className="flex w-full items-baseline justify-between gap-3 px-3 py-2 text-left text-base text-ink hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 truncate">{contact.name || contact.phone || contact.bsuid}</span>
              <span className="shrink-0 text-sm text-muted tabular-nums">{contact.phone ?? 'hidden number'}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.isError && (
        <p role="alert" className="mt-2 text-sm text-harm-text">
          The contacts could not be loaded. {errorMessage(found.error)}
        </p>
      )}
      {found.data && people.length === 0 && (
        <p className="mt-2 text-sm text-muted">
          {text ? 'No contact with a phone number found.' : 'No contacts with a phone number yet.'}
        </p>
      )}
    </div>
  )
}
