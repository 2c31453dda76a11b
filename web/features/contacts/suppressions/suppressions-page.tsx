import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Suppression, suppressions } from '#contracts/contacts/suppressions.ts'
import { api } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { exportFile } from '#web/export-file.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { PeopleDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { labelSuppression } from '../labels.ts'
import { useSuppressions } from '../queries.ts'
import { ImportDialog } from './import-dialog.tsx'
import { SuppressionDialog } from './suppression-dialog.tsx'

export const meta = () => [{ title: 'Suppressions · Postlark' }]

/** A person's own word is never overruled from here. */
const liftable = (suppression: Suppression) => !['complaint', 'unsubscribe'].includes(suppression.reason)

export default function SuppressionsPage() {
  const [search] = useSearchParams()
  const q = search.get('q') ?? ''
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="These addresses never receive campaigns."
        action={
          <>
            <Button
              kind="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setAdding(true)}
            >
              Add address
            </Button>
            <MoreMenu onImport={() => setImporting(true)} />
          </>
        }
      />
      <Banner className="mb-4">
        Addresses you added and bounced addresses can be removed. Complaints and unsubscribes can’t: only the person can
        subscribe again.
      </Banner>
      <UrlSearch label="Search addresses" className="mb-4 w-full sm:w-72" />
      <Card flush>
        <SuppressionTable key={q} q={q} onAdd={() => setAdding(true)} />
      </Card>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
      {adding && <SuppressionDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function MoreMenu({ onImport }: { onImport: () => void }) {
  return (
    <Menu
      trigger={
        <IconButton label="More actions">
          <MoreHorizontal aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <MenuItem onSelect={onImport}>Import suppressions</MenuItem>
      <MenuItem onSelect={() => void exportFile(() => api(suppressions.export), 'suppressions.csv')}>
        Export all (CSV)
      </MenuItem>
    </Menu>
  )
}

function SuppressionTable({ q, onAdd }: { q: string; onAdd: () => void }) {
  const pages = useCursorPages()
  const query = useSuppressions({ q: q || undefined, cursor: pages.cursor })
  const [lifting, setLifting] = useState<Suppression | null>(null)
  return (
    <>
      <PagedTable
        label="Suppressed addresses"
        query={query}
        pages={pages}
        failure="The addresses could not be loaded"
        columns={columnsWith(setLifting)}
        rowKey={(suppression) => suppression.id}
        empty={
          q ? (
            <EmptyState drawing={<SearchDrawing />} title="No addresses found">
              No suppressed address contains “{q}”.
            </EmptyState>
          ) : (
            <EmptyState
              drawing={<PeopleDrawing />}
              title="No suppressed addresses"
              action={<Button onClick={onAdd}>Add address</Button>}
            >
              Unsubscribes, complaints and nonexistent addresses are added here automatically.
            </EmptyState>
          )
        }
        count={(total) => plural(total, 'address', 'addresses')}
      />
      <LiftDialog suppression={lifting} onClose={() => setLifting(null)} />
    </>
  )
}

function columnsWith(onLift: (suppression: Suppression) => void): Column<Suppression>[] {
  return [
    { id: 'address', header: 'Address', cell: (suppression) => <Address {...suppression} /> },
    { id: 'reason', header: 'Reason', cell: labelSuppression },
    {
      id: 'campaign',
      header: 'Campaign',
      wideOnly: true,
      cell: ({ campaign }) => campaign && <Source {...campaign} />,
    },
    { id: 'note', header: 'Note', wideOnly: true, cell: ({ note }) => <Note text={note} /> },
    { id: 'at', header: 'Added', number: true, cell: (suppression) => formatDay(suppression.at) },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      actions: true,
      cell: (suppression) =>
        liftable(suppression) ? (
          <Button size="sm" onClick={() => onLift(suppression)}>
            Remove
          </Button>
        ) : (
          <Tooltip text="This is the person’s own choice. They can sign up again themselves.">
            <span className="text-sm text-muted">Permanent</span>
          </Tooltip>
        ),
    },
  ]
}

function Address({ address, channel }: Suppression) {
  const kind = channel === 'whatsapp' ? 'WhatsApp' : address.startsWith('@') ? 'Whole domain' : undefined
  return (
    <>
      {address}
      {kind && <span className="text-sm text-muted"> {kind}</span>}
    </>
  )
}

/** The campaign that led to it. */
function Source(campaign: NonNullable<Suppression['campaign']>) {
  return (
    <Link
      to={campaignLink({ ...campaign, state: 'sent' })}
      title={campaign.name}
      className="block max-w-36 truncate rounded-[3px] text-accent-text hover:underline"
    >
      {campaign.name}
    </Link>
  )
}

/** What a server or a person said. */
function Note({ text }: { text: string }) {
  return (
    <span className="block max-w-36 truncate" title={text}>
      {text}
    </span>
  )
}

function LiftDialog({ suppression, onClose }: { suppression: Suppression | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!suppression) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Remove this suppression?"
      action="Remove"
      typed={suppression.address}
      onConfirm={async () => {
        await api(suppressions.remove, { params: { id: suppression.id } })
        await Promise.all(['suppressions', 'contacts'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
      }}
    >
      {suppression.address.startsWith('@')
        ? `The next campaign will reach addresses of ${suppression.address.slice(1)} that are not suppressed themselves.`
        : `The next campaign to a list with ${suppression.address} will reach it. If it bounces again, it is suppressed again.`}
    </ConfirmDialog>
  )
}
