import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import { api, errorMessage } from '#web/api.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { type ContactProfile, useContactsRefresh, useLists } from './queries.ts'

/** The lists a contact is on, changed with a tick. */
export function ContactLists({ contact }: { contact: ContactProfile }) {
  const lists = useLists()
  const refresh = useContactsRefresh()
  const [busy, setBusy] = useState<string | null>(null)
  async function toggle(listId: string, on: boolean) {
    setBusy(listId)
    try {
      const chosen = on ? [...contact.lists, listId] : contact.lists.filter((id) => id !== listId)
      const changed = await api(contacts.update, { params: { id: contact.id }, body: { lists: chosen } })
      if (on && !changed.lists.includes(listId))
        toast.error('They left this list themselves. Only they can subscribe to it again.')
      await refresh()
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <Card title="Lists">
      {lists.data?.items.length === 0 && <p className="text-base text-muted">No lists yet</p>}
      <div className="max-h-56 space-y-2 overflow-y-auto">
        {lists.data?.items.map((list) => (
          <Checkbox
            key={list.id}
            label={list.name}
            hint={list.optin === 'double' ? 'They get a confirmation email first.' : undefined}
            checked={contact.lists.includes(list.id)}
            disabled={busy !== null}
            onChange={(event) => void toggle(list.id, event.target.checked)}
          />
        ))}
      </div>
    </Card>
  )
}
