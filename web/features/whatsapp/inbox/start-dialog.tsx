import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { api } from '#web/api.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { TemplateDialog } from '../templates/template-dialog.tsx'
import { PersonChoice } from './person-choice.tsx'

interface StartDialogProps {
  onClose: () => void
  /** The conversation that was begun. */
  onStarted: (id: string) => void
}

/** Writes first to a contact who agreed to it, with a template. Who did not agree is refused in words. */
export function StartDialog({ onClose, onStarted }: StartDialogProps) {
  const queries = useQueryClient()
  const numbers = useNumbers().data?.items ?? []
  const [accountId, setAccountId] = useState(numbers[0]?.id ?? '')
  const [person, setPerson] = useState<Contact | null>(null)
  return (
    <TemplateDialog
      title="New conversation"
      accountId={accountId}
      missing={person ? undefined : 'Choose a recipient.'}
      onClose={onClose}
      onSend={async (template) => {
        const body = { accountId, contactId: person?.id ?? '', ...template }
        const { id } = await api(whatsappConversations.start, { body })
        await queries.invalidateQueries({ queryKey: ['whatsapp', 'conversations'] })
        onStarted(id)
      }}
    >
      {numbers.length > 1 && (
        <Field label="From">
          <Select value={accountId} onChange={(event) => setAccountId(event.target.value)}>
            {numbers.map(({ id, name, displayPhone }) => (
              <option key={id} value={id}>
                {name} · {displayPhone}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <PersonChoice
        label="To"
        hint="Choose a contact with a phone number and recorded consent."
        person={person}
        onChoose={setPerson}
      />
    </TemplateDialog>
  )
}
