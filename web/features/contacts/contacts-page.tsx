import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Contact, contacts } from '#contracts/contacts/contacts.ts'
import { api, errorMessage } from '#web/api.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { PeopleDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { ContactTable } from './contact-table.tsx'
import { ContactTabs } from './contact-tabs.tsx'
import { ListFilter } from './lists/list-filter.tsx'
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
      toast.error(`The export failed. ${errorMessage(error)}`)
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
        description="Everyone in your audience"
        action={
          <>
            <Button busy={exporting} onClick={exportCsv}>
              Export CSV
            </Button>
            <ButtonLink to="/contacts/import">Import contacts</ButtonLink>
            <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setOpen('new')}>
              Add contact
            </Button>
          </>
        }
      />
      <ContactTabs />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <UrlSearch label="Search name, email or phone" className="w-full sm:w-72" />
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
        title="No contacts found"
        action={<ButtonLink to="/contacts">Clear filters</ButtonLink>}
      >
        Try part of the name or address, or another list.
      </EmptyState>
    )
  return (
    <EmptyState
      drawing={<PeopleDrawing />}
      title="No contacts yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink kind="primary" to="/contacts/import">
            Import contacts
          </ButtonLink>
          <Button onClick={onAdd}>Add contact</Button>
        </div>
      }
    >
      Import a CSV or Excel file, or add contacts one at a time.
    </EmptyState>
  )
}
