import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { forms as contract, type Form } from '#contracts/contacts/forms.ts'
import { api } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { useForms } from './queries.ts'

export const meta = () => [{ title: 'Forms · Postlark' }]

export default function FormsPage() {
  const forms = useForms()
  const [removing, setRemoving] = useState<Form | null>(null)
  const make = (
    <ButtonLink kind="primary" to="/contacts/forms/new" icon={<Plus aria-hidden="true" className="size-4" />}>
      Create form
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title="Forms"
        description="Sign-up forms with a page of their own, or for your website."
        action={make}
      />
      <Card flush>
        {forms.isError && !forms.data ? (
          <ErrorState title="The forms could not be loaded" error={forms.error} onRetry={() => forms.refetch()} />
        ) : (
          <DataTable
            label="Forms"
            columns={columnsWith(setRemoving)}
            rows={forms.data?.items}
            rowKey={(form) => form.id}
            href={(form) => `/contacts/forms/${form.id}`}
            empty={
              <EmptyState drawing={<PeopleDrawing />} title="No forms yet" action={make}>
                People sign up themselves, and their consent is recorded.
              </EmptyState>
            }
          />
        )}
      </Card>
      {removing && <RemoveForm form={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

const copyLink = (form: Form) =>
  navigator.clipboard.writeText(form.url).then(
    () => toast.success('Link copied'),
    () => toast.error('The link could not be copied.'),
  )

function columnsWith(onRemove: (form: Form) => void): Column<Form>[] {
  return [
    { id: 'name', header: 'Name', cell: (form) => form.name },
    { id: 'slug', header: 'Page', wideOnly: true, cell: (form) => <span className="text-muted">/f/{form.slug}</span> },
    { id: 'views', header: 'Views', number: true, cell: (form) => formatNumber(form.views) },
    { id: 'submissions', header: 'Submissions', number: true, cell: (form) => formatNumber(form.submissions) },
    { id: 'confirmations', header: 'Confirmed', number: true, cell: (form) => formatNumber(form.confirmations) },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (form) => (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${form.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => void copyLink(form)}>Copy link</MenuItem>
          <MenuSeparator />
          <MenuItem harm onSelect={() => onRemove(form)}>
            Delete form
          </MenuItem>
        </Menu>
      ),
    },
  ]
}

function RemoveForm({ form, onClose }: { form: Form; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete the form ${form.name}?`}
      action="Delete form"
      onConfirm={async () => {
        await api(contract.remove, { params: { id: form.id } })
        queries.removeQueries({ queryKey: ['forms', form.id] })
        await queries.invalidateQueries({ queryKey: ['forms'], exact: true })
      }}
    >
      Its page and the forms on your website stop working. Contacts and their consent stay.
    </ConfirmDialog>
  )
}
