import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Contact, contacts } from '#contracts/contacts.ts'
import { api, messageOf } from '#web/api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PeopleDrawing, SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { toast } from '#web/ui/toaster.tsx'
import { UrlSearch } from '#web/ui/url-search.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { ContactTable } from './contact-table.tsx'
import { ContactTabs } from './contact-tabs.tsx'
import { ListFilter } from './list-filter.tsx'
import { useContactRemoval } from './removal.ts'

export const meta = () => [{ title: 'Contacts · Postlark' }]

export default function ContactsPage() {
  const [search] = useSearchParams()
  const q = search.get('q') ?? ''
  const listId = search.get('list') ?? ''
  const [open, setOpen] = useState<Contact | 'new' | null>(null)
  const removal = useContactRemoval()
  const [exporting, setExporting] = useState(false)

  async function exportCsv() {
    setExporting(true)
    try {
      await saveFile(await api(contacts.export, { query: listId ? { listId } : {} }), 'contacts.csv')
    } catch (error) {
      toast.error(`The export did not work. ${messageOf(error)}`)
    } finally {
      setExporting(false)
    }
  }

  function removeOne(contact: Contact) {
    setOpen(null)
    removal.remove([contact.id], contact.email ?? contact.phone ?? contact.name)
  }

  return (
    <>
      <PageHeader
        title="Contacts"
        description="The people you write to, and what you know of them."
        action={
          <>
            <Button busy={exporting} onClick={exportCsv}>
              Export CSV
            </Button>
            <ButtonLink to="/contacts/import">Import a file</ButtonLink>
            <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setOpen('new')}>
              Add contact
            </Button>
          </>
        }
      />
      <ContactTabs />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <UrlSearch label="Search name, e-mail or phone" className="w-full sm:w-72" />
        <ListFilter />
      </div>
      <Card flush>
        <ContactTable
          key={`${q} ${listId}`}
          q={q}
          listId={listId}
          removal={removal}
          onOpen={setOpen}
          empty={<NoContacts filtered={q !== '' || listId !== ''} onAdd={() => setOpen('new')} />}
        />
      </Card>
      {open && (
        <ContactPanel
          key={open === 'new' ? 'new' : open.id}
          contact={open === 'new' ? null : open}
          listId={listId || undefined}
          onClose={() => setOpen(null)}
          onRemove={removeOne}
        />
      )}
    </>
  )
}

function NoContacts({ filtered, onAdd }: { filtered: boolean; onAdd: () => void }) {
  if (filtered)
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="Nobody matches"
        action={<ButtonLink to="/contacts">Show everybody</ButtonLink>}
      >
        Try a part of the name or the address, or another list.
      </EmptyState>
    )
  return (
    <EmptyState
      drawing={<PeopleDrawing />}
      title="Nobody is here yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink kind="primary" to="/contacts/import">
            Import a file
          </ButtonLink>
          <Button onClick={onAdd}>Add one by hand</Button>
        </div>
      }
    >
      Bring a CSV or Excel file; Postlark works out its columns.
    </EmptyState>
  )
}
