import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { lists as contract, type List } from '#contracts/contacts/lists.ts'
import { api, errorMessage } from '#web/api.ts'
import { ConsentForm } from '#web/features/consents/index.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, formatNumber, plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { useConsentRecording } from '../bulk/queries.ts'
import { useLists } from '../queries.ts'
import { ListDialog } from './list-dialog.tsx'

export const meta = () => [{ title: 'Lists · Postlark' }]

export default function ListsPage() {
  const lists = useLists()
  const record = useConsentRecording()
  const [editing, setEditing] = useState<List | 'new' | null>(null)
  const [removing, setRemoving] = useState<List | null>(null)
  const [agreed, setAgreed] = useState<List | null>(null)
  const make = (
    <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setEditing('new')}>
      Create list
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Lists"
        description="A campaign goes to one or more lists. No one gets it twice."
        action={make}
      />
      <UnsentConfirmations lists={lists.data?.items} />
      <Card flush>
        {lists.isError && !lists.data ? (
          <ErrorState title="The lists could not be loaded" error={lists.error} onRetry={() => lists.refetch()} />
        ) : (
          <DataTable
            label="Lists"
            columns={columnsWith({ onEdit: setEditing, onRemove: setRemoving, onConsent: setAgreed, onAsk: askAgain })}
            rows={lists.data?.items}
            rowKey={(list) => list.id}
            href={(list) => `/contacts?list=${list.id}`}
            empty={
              <EmptyState drawing={<PeopleDrawing />} title="No lists yet" action={make}>
                Use a list for each kind of email, such as “Newsletter”.
              </EmptyState>
            }
          />
        )}
      </Card>
      {editing && <ListDialog list={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      <RemoveList list={removing} onClose={() => setRemoving(null)} />
      {agreed && (
        <ConsentForm
          whose={`the list ${agreed.name}`}
          action="Record consent"
          onSave={record({ filter: { op: 'and', items: [{ field: 'list', is: 'equal', value: agreed.id }] } })}
          onClose={() => setAgreed(null)}
        />
      )}
    </>
  )
}

/** Says why members are not asked to confirm, where that is so. */
function UnsentConfirmations({ lists }: { lists: List[] | undefined }) {
  const waiting = lists?.filter(({ confirmationProblem }) => confirmationProblem !== null) ?? []
  if (waiting.length === 0) return null
  const people = waiting.reduce((sum, { unconfirmed }) => sum + unconfirmed, 0)
  return (
    <Banner tone="attention" className="mb-5">
      Confirmation emails are not sent now. {waiting[0]?.confirmationProblem} {plural(people, 'contact')} will be asked
      once a sender works.
    </Banner>
  )
}

interface ListActions {
  onEdit: (list: List) => void
  onRemove: (list: List) => void
  /** One proof that everybody on it agreed to WhatsApp. */
  onConsent: (list: List) => void
  /** Another confirmation email to those who have not confirmed. */
  onAsk: (list: List) => void
}

async function askAgain(list: List): Promise<void> {
  try {
    const { queued } = await api(contract.confirmations, { params: { id: list.id } })
    toast.success(
      queued === 0
        ? 'Everyone was asked within the last 7 days or three times already'
        : `${plural(queued, 'contact')} will be asked again`,
    )
  } catch (error) {
    toast.error(errorMessage(error))
  }
}

function columnsWith({ onEdit, onRemove, onConsent, onAsk }: ListActions): Column<List>[] {
  return [
    { id: 'name', header: 'Name', cell: (list) => list.name },
    { id: 'contacts', header: 'Subscribed', number: true, cell: (list) => formatNumber(list.contacts) },
    {
      id: 'unconfirmed',
      header: 'Unconfirmed',
      number: true,
      cell: (list) => formatNumber(list.unconfirmed),
    },
    { id: 'unsubscribed', header: 'Unsubscribed', number: true, cell: (list) => formatNumber(list.unsubscribed) },
    { id: 'optin', header: 'Opt-in', cell: (list) => (list.optin === 'double' ? 'Double' : 'Single') },
    { id: 'created', header: 'Created', number: true, wideOnly: true, cell: (list) => formatDay(list.createdAt) },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (list) => (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${list.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => onEdit(list)}>Edit list</MenuItem>
          <MenuLink to={`/contacts/import?list=${list.id}`}>Import into this list</MenuLink>
          <MenuItem onSelect={() => onConsent(list)}>Record WhatsApp consent</MenuItem>
          {list.optin === 'double' && list.unconfirmed > 0 && (
            <MenuItem onSelect={() => onAsk(list)}>Resend confirmation</MenuItem>
          )}
          <MenuSeparator />
          <MenuItem harm onSelect={() => onRemove(list)}>
            Remove list
          </MenuItem>
        </Menu>
      ),
    },
  ]
}

function RemoveList({ list, onClose }: { list: List | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!list) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove the list ${list.name}?`}
      action="Remove list"
      typed={list.name}
      onConfirm={async () => {
        await api(contract.remove, { params: { id: list.id } })
        await Promise.all(['contacts', 'lists'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
      }}
    >
      The {plural(list.contacts + list.unconfirmed + list.unsubscribed, 'person', 'people')} on it stay in your
      contacts, and their unsubscribes stay in effect. Their membership in this list is deleted.
    </ConfirmDialog>
  )
}
