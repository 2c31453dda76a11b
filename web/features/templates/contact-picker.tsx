import { useId, useState } from 'react'
import { useContacts } from '#web/features/contacts/index.ts'
import { Input } from '#web/ui/input.tsx'
import { useDebounced } from '#web/ui/use-debounced.ts'

/** Whose letter is shown: a made-up person, or a contact found by typing. */
export function ContactPicker({ onChoose }: { onChoose: (contactId: string | undefined) => void }) {
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
        aria-label="Show the letter for this contact"
        placeholder="For a made-up person"
        className="h-8 max-w-60"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChoose(people.find((contact) => contact.email === event.target.value)?.id)
        }}
      />
    </>
  )
}
