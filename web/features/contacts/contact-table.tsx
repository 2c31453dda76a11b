import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Contact, contacts } from '#contracts/contacts/contacts.ts'
import type { List } from '#contracts/contacts/lists.ts'
import { api } from '#web/api.ts'
import { ConsentForm } from '#web/features/consents/index.ts'
import { CursorPager, useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatDay, plural } from '#web/ui/lib/format.ts'
import { Menu, MenuItem, MenuLabel } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { forEachItem } from './for-each-item.ts'
import { useContacts, useLists } from './queries.ts'
import type { useContactRemoval } from './removal.ts'

interface ContactTableProps {
  q: string
  listId: string
  removal: ReturnType<typeof useContactRemoval>
  onOpen: (contact: Contact) => void
  empty: React.ReactNode
}

/** The contacts that a search and a list leave, page by page. */
export function ContactTable({ q, listId, removal, onOpen, empty }: ContactTableProps) {
  const pages = useCursorPages()
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const lists = useLists()
  const query = useContacts({ q: q || undefined, listId: listId || undefined, cursor: pages.cursor })
  if (query.isError && !query.data)
    return <ErrorState title="The contacts could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  const rows = query.data?.items.filter((contact) => !removal.hidden.has(contact.id))
  const chosen = rows?.filter((contact) => selected.has(contact.id)) ?? []
  const remove = () => {
    removal.remove(
      chosen.map((contact) => contact.id),
      chosen.length === 1 ? (chosen[0]?.email ?? '1 contact') : plural(chosen.length, 'contact'),
    )
    setSelected(new Set())
  }
  return (
    <DataTable
      label="Contacts"
      columns={columnsWith(lists.data?.items ?? [])}
      rows={rows}
      rowKey={(contact) => contact.id}
      onOpen={onOpen}
      selection={{
        selected,
        onChange: setSelected,
        actions: (
          <>
            <AddToList chosen={chosen} onDone={() => setSelected(new Set())} />
            <RecordConsent chosen={chosen} onDone={() => setSelected(new Set())} />
            <Button size="sm" onClick={remove}>
              Remove
            </Button>
          </>
        ),
      }}
      empty={empty}
      stale={query.isPlaceholderData}
      footer={
        <CursorPager
          pages={pages}
          nextCursor={query.data?.nextCursor}
          busy={query.isPlaceholderData}
          note={query.data?.total === undefined ? undefined : plural(query.data.total, 'contact')}
        />
      }
    />
  )
}

function columnsWith(lists: List[]): Column<Contact>[] {
  const names = new Map(lists.map((list) => [list.id, list.name]))
  return [
    { id: 'address', header: 'Address', cell: (contact) => contact.email ?? contact.phone ?? '-' },
    { id: 'name', header: 'Name', cell: (contact) => contact.name || <span className="text-muted">-</span> },
    { id: 'phone', header: 'Phone', wideOnly: true, cell: (contact) => (contact.email && contact.phone) || '' },
    {
      id: 'lists',
      header: 'Lists',
      cell: (contact) =>
        contact.lists.map((id) => names.get(id) ?? '…').join(', ') || <span className="text-muted">-</span>,
    },
    {
      id: 'state',
      header: 'Status',
      cell: (contact) =>
        contact.suppressed ? (
          <Badge tone="attention" shape="minus">
            Suppressed
          </Badge>
        ) : (
          <Badge shape="check">Subscribed</Badge>
        ),
    },
    { id: 'added', header: 'Added', number: true, wideOnly: true, cell: (contact) => formatDay(contact.createdAt) },
  ]
}

function AddToList({ chosen, onDone }: { chosen: Contact[]; onDone: () => void }) {
  const lists = useLists()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function add(list: List) {
    setBusy(true)
    const missing = chosen.filter((contact) => !contact.lists.includes(list.id))
    const failed = await forEachItem(missing, (contact) =>
      api(contacts.update, { params: { id: contact.id }, body: { lists: [...contact.lists, list.id] } }),
    )
    await Promise.all(['contacts', 'lists'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
    setBusy(false)
    if (failed.length > 0)
      toast.error(`${plural(failed.length, 'contact')} could not be added to ${list.name}. Try again for them.`)
    else {
      toast.success(`${plural(missing.length, 'contact')} added to ${list.name}`)
      onDone()
    }
  }
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" busy={busy}>
          Add to list
        </Button>
      }
    >
      <MenuLabel>{lists.data?.items.length ? 'Choose a list' : 'No lists yet'}</MenuLabel>
      {lists.data?.items.map((list) => (
        <MenuItem key={list.id} onSelect={() => add(list)}>
          {list.name}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** One proof that several people agreed to be written to on WhatsApp. */
function RecordConsent({ chosen, onDone }: { chosen: Contact[]; onDone: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Record WhatsApp consent
      </Button>
      {open && (
        <ConsentForm
          whose={plural(chosen.length, 'contact')}
          contactIds={chosen.map(({ id }) => id)}
          onClose={() => setOpen(false)}
          onRecorded={onDone}
        />
      )}
    </>
  )
}
