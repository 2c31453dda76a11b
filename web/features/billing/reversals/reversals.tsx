import type { PaymentReversal, ReversalState } from '#contracts/billing/billing.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge, type BadgeTone } from '#web/ui/feedback/badge.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { InvoiceLink } from '../invoices.tsx'
import { money, reasonLabel, reversalLabels } from '../labels.ts'
import { useReversals } from '../queries.ts'

const looks: Record<ReversalState, { tone: BadgeTone; shape: 'check' | 'cross' | 'warning' | 'clock' | 'dot' }> = {
  pending: { tone: 'neutral', shape: 'clock' },
  refunded: { tone: 'good', shape: 'check' },
  failed: { tone: 'harm', shape: 'cross' },
  inquiry: { tone: 'neutral', shape: 'dot' },
  open: { tone: 'attention', shape: 'warning' },
  won: { tone: 'good', shape: 'check' },
  lost: { tone: 'harm', shape: 'cross' },
}

/** How a refund or dispute stands. */
function ReversalBadge({ state }: { state: ReversalState }) {
  return <Badge {...looks[state]}>{reversalLabels[state]}</Badge>
}

/** The columns of refunds and disputes, the same for users and admins. */
export const reversalColumns: Column<PaymentReversal>[] = [
  {
    id: 'invoice',
    header: 'Invoice',
    cell: ({ invoice }) => (invoice ? <InvoiceLink invoice={invoice} /> : 'Without invoice'),
  },
  { id: 'day', header: 'Date', cell: (reversal) => formatDay(reversal.createdAt) },
  { id: 'state', header: 'Status', cell: (reversal) => <ReversalBadge state={reversal.state} /> },
  { id: 'reason', header: 'Reason', cell: (reversal) => reasonLabel(reversal.reason) },
  { id: 'amount', header: 'Amount', number: true, cell: (reversal) => money(reversal.amount, reversal.currency) },
]

/** The last refunds and disputes; nothing before the first. */
export function Reversals() {
  const query = useReversals()
  if (query.isError && !query.data)
    return (
      <Card title="Refunds and disputes">
        <ErrorState
          title="Refunds and disputes could not be loaded"
          error={query.error}
          onRetry={() => query.refetch()}
        />
      </Card>
    )
  if (!query.data?.items.length) return null
  return (
    <Card title="Refunds and disputes" flush>
      <DataTable
        label="Refunds and disputes"
        columns={reversalColumns}
        rows={query.data.items}
        rowKey={(reversal) => reversal.id}
      />
    </Card>
  )
}
