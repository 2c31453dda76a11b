import { useQuery } from '@tanstack/react-query'
import { type Contact, contacts } from '#contracts/contacts/contacts.ts'
import { api } from '#web/api.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ConsentForm } from './consent-form.tsx'

/** Every contact of a list that has a phone number, page by page. */
async function listPhoneContacts(listId: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: { items: Contact[]; nextCursor: string | null } = await api(contacts.list, {
      query: { listId, limit: 200, ...(cursor && { cursor }) },
    })
    ids.push(...page.items.flatMap(({ id, phone }) => (phone ? [id] : [])))
    cursor = signal.aborted ? null : page.nextCursor
  } while (cursor)
  return ids
}

/** One proof for everybody on a list who has a phone number. */
export function ListConsent({ list, onClose }: { list: { id: string; name: string }; onClose: () => void }) {
  const people = useQuery({
    queryKey: ['whatsapp', 'people-of-list', list.id],
    queryFn: ({ signal }) => listPhoneContacts(list.id, signal),
    staleTime: 0,
    gcTime: 0,
  })
  if (people.data && people.data.length > 0)
    return <ConsentForm whose={`the list ${list.name}`} contactIds={people.data} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Record consent for the list ${list.name}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {people.isError ? (
        <ErrorState
          title="The contacts of this list could not be loaded"
          error={people.error}
          onRetry={() => people.refetch()}
        />
      ) : people.data ? (
        <p className="pb-2 text-text">No contact on this list has a phone number.</p>
      ) : (
        <Spinner className="py-8" />
      )}
    </Dialog>
  )
}
