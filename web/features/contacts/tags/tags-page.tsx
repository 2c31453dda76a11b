import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { tags as contract, type Tag } from '#contracts/contacts/tags.ts'
import { api } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, formatNumber, plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { useTags } from '../queries.ts'
import { TagDialog } from './tag-dialog.tsx'

export const meta = () => [{ title: 'Tags · Postlark' }]

export default function TagsPage() {
  const tags = useTags()
  const [editing, setEditing] = useState<Tag | 'new' | null>(null)
  const [removing, setRemoving] = useState<Tag | null>(null)
  const make = (
    <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setEditing('new')}>
      Create tag
    </Button>
  )
  return (
    <>
      <PageHeader title="Tags" description="Labels for contacts, so that you can find them again." action={make} />
      <Card flush>
        {tags.isError && !tags.data ? (
          <ErrorState title="The tags could not be loaded" error={tags.error} onRetry={() => tags.refetch()} />
        ) : (
          <DataTable
            label="Tags"
            columns={columnsWith({ onEdit: setEditing, onRemove: setRemoving })}
            rows={tags.data?.items}
            rowKey={(tag) => tag.id}
            href={(tag) => `/contacts?tag=${tag.id}`}
            empty={
              <EmptyState drawing={<PeopleDrawing />} title="No tags yet" action={make}>
                Create a tag such as “VIP”, or import a file with a column of tags.
              </EmptyState>
            }
          />
        )}
      </Card>
      {editing && <TagDialog tag={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      <RemoveTag tag={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

function columnsWith(on: { onEdit: (tag: Tag) => void; onRemove: (tag: Tag) => void }): Column<Tag>[] {
  return [
    { id: 'name', header: 'Name', cell: (tag) => tag.name },
    { id: 'contacts', header: 'Contacts', number: true, cell: (tag) => formatNumber(tag.contacts) },
    { id: 'created', header: 'Created', number: true, wideOnly: true, cell: (tag) => formatDay(tag.createdAt) },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (tag) => (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${tag.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => on.onEdit(tag)}>Rename tag</MenuItem>
          <MenuSeparator />
          <MenuItem harm onSelect={() => on.onRemove(tag)}>
            Remove tag
          </MenuItem>
        </Menu>
      ),
    },
  ]
}

function RemoveTag({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!tag) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove the tag ${tag.name}?`}
      action="Remove tag"
      onConfirm={async () => {
        await api(contract.remove, { params: { id: tag.id } })
        await Promise.all(['contacts', 'tags'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
      }}
    >
      {plural(tag.contacts, 'contact')} {tag.contacts === 1 ? 'loses' : 'lose'} the tag. The contacts stay.
    </ConfirmDialog>
  )
}
