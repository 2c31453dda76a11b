import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { contacts } from '#contracts/contacts/contacts.ts'
import { ContactSource, ContactStatus } from '#contracts/contacts/filter.ts'
import { api } from '#web/api.ts'
import { exportFile } from '#web/export-file.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { FilterMenu } from '#web/ui/form/filter-menu.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { Menu, MenuItem, MenuLink } from '#web/ui/overlay/dropdown-menu.tsx'
import { PeopleDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { AddContactPanel } from './add-contact-panel.tsx'
import { RecentChanges } from './bulk/recent-changes.tsx'
import { ColumnMenu, useChosenColumns } from './columns.tsx'
import { ContactTable } from './contact-table.tsx'
import { type ContactFilters, isFiltered, toContactFilter, useContactFilters } from './filters.ts'
import { sourceLabels, statusLabels } from './labels.ts'
import { useContactFields, useFields, useLists, useTags } from './queries.ts'
import { useSegments } from './segments/queries.ts'

export const meta = () => [{ title: 'Contacts · Postlark' }]

/** Everyone in the audience: filters as chips, columns and order by choice, actions on a selection. */
export default function ContactsPage() {
  const filters = useContactFilters()
  const [adding, setAdding] = useState(false)
  const [reviewing, setReviewing] = useState(false)
  const [columns, setColumns] = useChosenColumns()
  const fields = useContactFields()
  const defined = useFields().data?.items ?? []
  const filtered = isFiltered(filters)
  return (
    <>
      <PageHeader
        title="Contacts"
        description={<span className="max-sm:hidden">Everyone in your audience</span>}
        action={
          <>
            <ButtonLink to="/contacts/import">
              <span>
                Import<span className="max-[359px]:sr-only"> contacts</span>
              </span>
            </ButtonLink>
            <Button
              kind="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setAdding(true)}
            >
              Add contact
            </Button>
            <MoreMenu filters={filters} onChanges={() => setReviewing(true)} />
          </>
        }
      />
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <UrlSearch label="Search name, email or phone" className="w-full sm:w-72" />
        <Filters />
        <div className="ml-auto max-md:hidden">
          <ColumnMenu chosen={columns} fields={fields.data?.attributes ?? []} defined={defined} onChange={setColumns} />
        </div>
      </div>
      <Card flush>
        <ContactTable
          key={[filters.q, filters.listId, filters.tag, filters.segmentId, filters.status, filters.source].join(' ')}
          filters={filters}
          columns={columns}
          empty={<NoContacts filtered={filtered} />}
        />
      </Card>
      {adding && <AddContactPanel listId={filters.listId || undefined} onClose={() => setAdding(false)} />}
      {reviewing && <RecentChanges onClose={() => setReviewing(false)} />}
    </>
  )
}

/** One row of chips; on a phone it scrolls sideways by itself. */
function Filters() {
  const lists = useLists().data?.items ?? []
  const tags = useTags().data?.items ?? []
  const segments = useSegments().data?.items ?? []
  return (
    <div className="flex min-w-0 items-center gap-1.5 overflow-x-auto p-0.5 max-sm:w-full">
      <FilterMenu
        param="status"
        label="Status"
        options={ContactStatus.options.map((value) => ({ value, label: statusLabels[value] }))}
      />
      {lists.length > 0 && (
        <FilterMenu param="list" label="List" options={lists.map(({ id, name }) => ({ value: id, label: name }))} />
      )}
      {tags.length > 0 && (
        <FilterMenu param="tag" label="Tag" options={tags.map(({ id, name }) => ({ value: id, label: name }))} />
      )}
      {segments.length > 0 && (
        <FilterMenu
          param="segment"
          label="Segment"
          options={segments.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <FilterMenu
        param="source"
        label="Source"
        options={ContactSource.options.map((value) => ({ value, label: sourceLabels[value] }))}
      />
    </div>
  )
}

/** Opens the builder with what the table is filtered by. */
function SaveAsSegment({ filters }: { filters: ContactFilters }) {
  const segment = useSegments().data?.items.find(({ id }) => id === filters.segmentId)
  // Until the segment it is filtered by is known, its conditions would be missing.
  if (filters.segmentId !== '' && !segment) return null
  const filter = JSON.stringify(toContactFilter(filters, segment?.filter))
  return <MenuLink to={`/contacts/segments/new?${new URLSearchParams({ filter })}`}>Save as segment</MenuLink>
}

function MoreMenu({ filters, onChanges }: { filters: ContactFilters; onChanges: () => void }) {
  const { q, listId, tag, segmentId, status, source } = filters
  const query = {
    ...(q && { q }),
    ...(listId && { listId }),
    ...(tag && { tag }),
    ...(segmentId && { segmentId }),
    ...(status && { status }),
    ...(source && { source }),
  }
  return (
    <Menu
      trigger={
        <IconButton label="More actions">
          <MoreHorizontal aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      {isFiltered(filters) && <SaveAsSegment filters={filters} />}
      <MenuItem onSelect={() => void exportFile(() => api(contacts.export, { query }), 'contacts.csv')}>
        {isFiltered(filters) ? 'Export these contacts (CSV)' : 'Export all contacts (CSV)'}
      </MenuItem>
      <MenuItem onSelect={onChanges}>Recent changes</MenuItem>
      <MenuLink to="/contacts/fields">Custom fields</MenuLink>
    </Menu>
  )
}

function NoContacts({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="No contacts found"
        action={<ButtonLink to="/contacts">Clear filters</ButtonLink>}
      >
        Try part of the name or address, or other filters.
      </EmptyState>
    )
  return (
    <EmptyState
      drawing={<PeopleDrawing />}
      title="No contacts yet"
      action={
        <ButtonLink kind="primary" to="/contacts/import">
          Import contacts
        </ButtonLink>
      }
    >
      Import a CSV or Excel file, or add contacts one at a time.
    </EmptyState>
  )
}
