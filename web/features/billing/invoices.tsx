import type { Invoice } from '#contracts/billing.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatDay } from '#web/ui/format.ts'
import { useInvoices } from './queries.ts'
import { money } from './words.ts'

const columns: Column<Invoice>[] = [
  { id: 'number', header: 'Invoice', cell: (invoice) => <InvoiceLink invoice={invoice} /> },
  { id: 'day', header: 'Date', cell: (invoice) => formatDay(invoice.createdAt) },
  { id: 'state', header: 'State', cell: (invoice) => <InvoiceState status={invoice.status} /> },
  { id: 'total', header: 'Total', number: true, cell: (invoice) => money(invoice.total, invoice.currency) },
]

/** An invoice's number, leading to it at the provider. */
export function InvoiceLink({ invoice }: { invoice: Pick<Invoice, 'number' | 'url'> }) {
  if (!invoice.url || !/^https?:\/\//.test(invoice.url)) return <>{invoice.number || 'not numbered yet'}</>
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

export function InvoiceState({ status }: { status: string }) {
  if (status === 'paid')
    return (
      <Badge tone="good" shape="check">
        paid
      </Badge>
    )
  if (status === 'open')
    return (
      <Badge tone="attention" shape="warning">
        open
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
