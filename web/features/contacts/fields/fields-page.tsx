import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { type ContactField, fields as contract } from '#contracts/contacts/fields.ts'
import { api } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { useFields } from '../queries.ts'
import { FieldDialog } from './field-dialog.tsx'
import { FieldUses } from './field-uses.tsx'
import { labelType, toMergeField } from './labels.ts'

export const meta = () => [{ title: 'Custom fields · Postlark' }]

export default function FieldsPage() {
  const fields = useFields()
  const [editing, setEditing] = useState<ContactField | 'new' | null>(null)
  const [removing, setRemoving] = useState<ContactField | null>(null)
  const make = (
    <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setEditing('new')}>
      Create field
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Custom fields"
        back={{ to: '/contacts', label: 'Contacts' }}
        description="What you know about your contacts besides name, email and phone."
        action={make}
      />
      <Card flush>
        {fields.isError && !fields.data ? (
          <ErrorState title="The fields could not be loaded" error={fields.error} onRetry={() => fields.refetch()} />
        ) : (
          <DataTable
            label="Custom fields"
            columns={columnsWith({ onEdit: setEditing, onRemove: setRemoving })}
            rows={fields.data?.items}
            rowKey={(field) => field.id}
            onOpen={setEditing}
            empty={
              <EmptyState drawing={<PeopleDrawing />} title="No custom fields yet" action={make}>
                Create a field such as “City”, or import a file: its other columns become fields.
              </EmptyState>
            }
          />
        )}
      </Card>
      {editing && <FieldDialog field={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {removing && <RemoveField field={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

async function copy(field: ContactField) {
  try {
    await navigator.clipboard.writeText(toMergeField(field))
    toast.success('Merge field copied')
  } catch {
    toast.error('This browser does not let the page copy.')
  }
}

function columnsWith(on: {
  onEdit: (field: ContactField) => void
  onRemove: (field: ContactField) => void
}): Column<ContactField>[] {
  return [
    { id: 'label', header: 'Label', cell: (field) => field.label },
    { id: 'type', header: 'Type', cell: (field) => labelType(field.type) },
    { id: 'merge', header: 'In emails', cell: (field) => <code className="text-sm">{toMergeField(field)}</code> },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (field) => (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${field.label}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => on.onEdit(field)}>Edit field</MenuItem>
          <MenuItem onSelect={() => void copy(field)}>Copy merge field</MenuItem>
          <MenuSeparator />
          <MenuItem harm onSelect={() => on.onRemove(field)}>
            Delete field
          </MenuItem>
        </Menu>
      ),
    },
  ]
}

function RemoveField({ field, onClose }: { field: ContactField; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete the field ${field.label}?`}
      action="Delete field"
      onConfirm={async () => {
        await api(contract.remove, { params: { id: field.id } })
        await Promise.all(
          ['contacts', 'fields', 'segments'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
        )
      }}
    >
      <p className="mb-3">
        All contacts lose their value in it, and this cannot be undone. Segments that use the field match no one until
        you change them.
      </p>
      <FieldUses id={field.id}>It is used here:</FieldUses>
    </ConfirmDialog>
  )
}
