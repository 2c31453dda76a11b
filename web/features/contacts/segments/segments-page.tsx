import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { segments as contract, type Segment } from '#contracts/contacts/segments.ts'
import { api } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'
import { PeopleDrawing } from '#web/ui/theme/drawings.tsx'
import { useSegments } from './queries.ts'

export const meta = () => [{ title: 'Segments · Postlark' }]

export default function SegmentsPage() {
  const segments = useSegments()
  const [removing, setRemoving] = useState<Segment | null>(null)
  const make = (
    <ButtonLink kind="primary" to="/contacts/segments/new" icon={<Plus aria-hidden="true" className="size-4" />}>
      Create segment
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title="Segments"
        description="Saved filters: contacts enter and leave as they match the conditions."
        action={make}
      />
      <Card flush>
        {segments.isError && !segments.data ? (
          <ErrorState
            title="The segments could not be loaded"
            error={segments.error}
            onRetry={() => segments.refetch()}
          />
        ) : (
          <DataTable
            label="Segments"
            columns={columnsWith(setRemoving)}
            rows={segments.data?.items}
            rowKey={(segment) => segment.id}
            href={(segment) => `/contacts/segments/${segment.id}`}
            empty={
              <EmptyState drawing={<PeopleDrawing />} title="No segments yet" action={make}>
                Create one such as “Opened in the last 30 days”.
              </EmptyState>
            }
          />
        )}
      </Card>
      {removing && <RemoveSegment segment={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

function columnsWith(onRemove: (segment: Segment) => void): Column<Segment>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: (segment) => (
        <span className="flex flex-wrap items-center gap-2">
          {segment.name}
          {segment.problems.length > 0 && (
            <Badge tone="attention" shape="warning">
              Needs a change
            </Badge>
          )}
        </span>
      ),
    },
    { id: 'updated', header: 'Changed', number: true, wideOnly: true, cell: (segment) => formatDay(segment.updatedAt) },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (segment) => (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${segment.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuLink to={`/contacts?segment=${segment.id}`}>View contacts</MenuLink>
          <MenuSeparator />
          <MenuItem harm onSelect={() => onRemove(segment)}>
            Delete segment
          </MenuItem>
        </Menu>
      ),
    },
  ]
}

function RemoveSegment({ segment, onClose }: { segment: Segment; onClose: () => void }) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete the segment ${segment.name}?`}
      action="Delete segment"
      onConfirm={async () => {
        await api(contract.remove, { params: { id: segment.id } })
        queries.removeQueries({ queryKey: ['segments', segment.id] })
        await queries.invalidateQueries({ queryKey: ['segments'], exact: true })
      }}
    >
      Its contacts stay. Drafts and scheduled campaigns that use it are not sent until you remove it from them.
    </ConfirmDialog>
  )
}
