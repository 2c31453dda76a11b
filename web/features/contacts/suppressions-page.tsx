import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Suppression, suppressions } from '#contracts/contacts.ts'
import { api } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CursorPager, useCursorPages } from '#web/ui/cursor-pager.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { PeopleDrawing, SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatMoment, plural } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { UrlSearch } from '#web/ui/url-search.tsx'
import { reasonWords } from './contact-panel.tsx'
import { ContactTabs } from './contact-tabs.tsx'
import { useSuppressions } from './queries.ts'
import { SuppressionDialog } from './suppression-dialog.tsx'

export const meta = () => [{ title: 'Never written to · Postlark' }]

/** A person's own word is never overruled from here. */
const liftable = (suppression: Suppression) => !['complaint', 'unsubscribe'].includes(suppression.reason)

export default function SuppressionsPage() {
  const [search] = useSearchParams()
  const q = search.get('q') ?? ''
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHeader
        title="Never written to"
        description="Every campaign leaves these addresses out, whatever list they are on."
        action={
          <Button kind="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setAdding(true)}>
            Add an address
          </Button>
        }
      />
      <ContactTabs />
      <Banner className="mb-4">
        What you set yourself, and an address that came back, can be lifted. A complaint and a person’s own unsubscribe
        stay: only they can change their mind.
      </Banner>
      <UrlSearch label="Search addresses" className="mb-4 w-full sm:w-72" />
      <Card flush>
        <SuppressionTable key={q} q={q} onAdd={() => setAdding(true)} />
      </Card>
      {adding && <SuppressionDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function SuppressionTable({ q, onAdd }: { q: string; onAdd: () => void }) {
  const pages = useCursorPages()
  const query = useSuppressions({ q: q || undefined, cursor: pages.cursor })
  const [lifting, setLifting] = useState<Suppression | null>(null)
  if (query.isError && !query.data)
    return <ErrorState title="The addresses could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  return (
    <>
      <DataTable
        label="Addresses never written to"
        columns={columnsWith(setLifting)}
        rows={query.data?.items}
        rowKey={(suppression) => suppression.id}
        stale={query.isPlaceholderData}
        empty={
          q ? (
            <EmptyState drawing={<SearchDrawing />} title="No such address here">
              Nothing that contains “{q}” is left out of campaigns.
            </EmptyState>
          ) : (
            <EmptyState
              drawing={<PeopleDrawing />}
              title="Nobody is left out"
              action={<Button onClick={onAdd}>Add an address</Button>}
            >
              Unsubscribes, complaints and addresses that do not exist gather here by themselves.
            </EmptyState>
          )
        }
        footer={
          <CursorPager
            pages={pages}
            nextCursor={query.data?.nextCursor}
            note={query.data?.total === undefined ? undefined : plural(query.data.total, 'address', 'addresses')}
          />
        }
      />
      <LiftDialog suppression={lifting} onClose={() => setLifting(null)} />
    </>
  )
}

function columnsWith(onLift: (suppression: Suppression) => void): Column<Suppression>[] {
  return [
    { id: 'address', header: 'Address', cell: (suppression) => suppression.address },
    { id: 'reason', header: 'Why', cell: (suppression) => reasonWords[suppression.reason] ?? suppression.reason },
    {
      id: 'channel',
      header: 'Channel',
      wideOnly: true,
      cell: (suppression) => (suppression.channel === 'email' ? 'E-mail' : 'WhatsApp'),
    },
    { id: 'note', header: 'Note', wideOnly: true, cell: (suppression) => suppression.note },
    { id: 'at', header: 'Since', number: true, cell: (suppression) => formatMoment(suppression.at) },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (suppression) =>
        liftable(suppression) ? (
          <Button size="sm" onClick={() => onLift(suppression)}>
            Lift
          </Button>
        ) : (
          <Tooltip text="Their own word stays. They can sign up again themselves.">
            <span className="text-sm text-muted">stays</span>
          </Tooltip>
        ),
    },
  ]
}

function LiftDialog({ suppression, onClose }: { suppression: Suppression | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!suppression) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Write to this address again?"
      action="Lift it"
      typed={suppression.address}
      onConfirm={async () => {
        await api(suppressions.remove, { params: { id: suppression.id } })
        await Promise.all(['suppressions', 'contacts'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
      }}
    >
      The next campaign to a list with {suppression.address} will reach it. If mail to it comes back once more, it is
      left out again.
    </ConfirmDialog>
  )
}
