import type { Invoice } from '#contracts/billing/billing.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { money } from './labels.ts'
import { useInvoices } from './queries.ts'

const columns: Column<Invoice>[] = [
  { id: 'number', header: 'Invoice', cell: (invoice) => <InvoiceLink invoice={invoice} /> },
  { id: 'day', header: 'Date', cell: (invoice) => formatDay(invoice.createdAt) },
  { id: 'state', header: 'Status', cell: (invoice) => <InvoiceState {...invoice} /> },
  { id: 'total', header: 'Total', number: true, cell: (invoice) => money(invoice.total, invoice.currency) },
]

/** An invoice's number, leading to it at the provider. */
export function InvoiceLink({ invoice }: { invoice: Pick<Invoice, 'number' | 'url'> }) {
  if (!invoice.url || !/^https?:\/\//.test(invoice.url)) return <>{invoice.number || '-'}</>
  return (
    <a
      href={invoice.url}
      target="_blank"
      rel="noreferrer"
      className="rounded-[3px] font-medium text-accent-text underline-offset-3 hover:underline"
    >
      {invoice.number || 'Open'}
    </a>
  )
}

/** How an invoice stands: what was taken back of a paid one comes first. */
export function InvoiceState({
  status,
  total,
  refunded,
  disputed,
}: Pick<Invoice, 'status' | 'total' | 'refunded' | 'disputed'>) {
  if (disputed)
    return (
      <Badge tone="attention" shape="warning">
        Disputed
      </Badge>
    )
  if (refunded > 0) return <Badge shape="minus">{refunded < total ? 'Partly refunded' : 'Refunded'}</Badge>
  if (status === 'paid')
    return (
      <Badge tone="good" shape="check">
        Paid
      </Badge>
    )
  if (status === 'open')
    return (
      <Badge tone="attention" shape="warning">
        Open
      </Badge>
    )
  return <Badge>{status}</Badge>
}

/** The last invoices; nothing before the first. */
export function Invoices() {
  const query = useInvoices()
  if (query.isError && !query.data)
    return (
      <Card title="Invoices">
        <ErrorState title="The invoices could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      </Card>
    )
  if (query.data?.items.length === 0) return null
  return (
    <Card title="Invoices" flush>
      <DataTable label="Invoices" columns={columns} rows={query.data?.items} rowKey={(invoice) => invoice.id} />
    </Card>
  )
}
