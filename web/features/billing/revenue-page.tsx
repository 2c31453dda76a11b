import type { Revenue } from '#contracts/admin/admin.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, formatNumber, formatUtcMonth, plural } from '#web/ui/lib/format.ts'
import { ChartDrawing } from '#web/ui/theme/drawings.tsx'
import { InvoiceLink, InvoiceState } from './invoices.tsx'
import { money, planTitle } from './labels.ts'
import { useRevenue } from './queries.ts'
import { reversalColumns } from './reversals/reversals.tsx'

export const meta = () => [{ title: 'Revenue · Admin · Postlark' }]

type Paid = Revenue['latest'][number]

const columns: Column<Paid>[] = [
  { id: 'number', header: 'Invoice', cell: (invoice) => <InvoiceLink invoice={invoice} /> },
  { id: 'who', header: 'Workspace', cell: (invoice) => invoice.who },
  { id: 'day', header: 'Date', cell: (invoice) => formatDay(invoice.createdAt) },
  { id: 'state', header: 'Status', cell: (invoice) => <InvoiceState {...invoice} /> },
  { id: 'total', header: 'Total', number: true, cell: (invoice) => money(invoice.total, invoice.currency) },
]

type Reversed = Revenue['reversals'][number]

const [reversedInvoice, ...reversedRest] = reversalColumns
const reversedColumns: Column<Reversed>[] = [
  ...(reversedInvoice ? [reversedInvoice] : []),
  { id: 'who', header: 'Workspace', cell: (reversal) => reversal.who },
  ...reversedRest,
]

/** What comes in, at list prices; the provider's own reports have fees and taxes. */
export default function RevenuePage() {
  const query = useRevenue()
  const revenue = query.data
  return (
    <>
      <PageHeader
        title="Revenue"
        description="Income on this server. For fees and taxes, see your payment provider’s reports."
      />
      {query.isError && !revenue && (
        <Card>
          <ErrorState title="The revenue could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      )}
      {query.isPending && <SkeletonRows rows={6} />}
      {revenue && (
        <div className="space-y-5">
          <Figures revenue={revenue} />
          <div className="grid items-start gap-5 wide:grid-cols-2">
            <Months revenue={revenue} />
            <ByPlan revenue={revenue} />
          </div>
          <Card title="Latest invoices" flush>
            <DataTable
              label="Latest invoices"
              columns={columns}
              rows={revenue.latest}
              rowKey={(invoice) => invoice.id}
              empty={
                <EmptyState drawing={<ChartDrawing />} title="No invoices yet">
                  The first invoice appears when a customer chooses a paid plan.
                </EmptyState>
              }
            />
          </Card>
          {revenue.reversals.length > 0 && (
            <Card title="Latest refunds and disputes" flush>
              <DataTable
                label="Latest refunds and disputes"
                columns={reversedColumns}
                rows={revenue.reversals}
                rowKey={(reversal) => reversal.id}
              />
            </Card>
          )}
        </div>
      )}
    </>
  )
}

function Figures({ revenue }: { revenue: Revenue }) {
  const { subscriptions: count } = revenue
  return (
    <div className="grid grid-cols-2 gap-3 wide:grid-cols-4">
      <Stat
        label="Monthly recurring revenue"
        value={money(revenue.recurring)}
        note="At list prices, before coupons, without trials"
      />
      <Stat
        label="Paid in the last 30 days"
        value={money(revenue.paid30Days)}
        note={`${money(revenue.paidBefore)} in the previous 30 days. Refunded or disputed: ${money(revenue.returned30Days)}`}
      />
      <Stat
        label="Paying customers"
        value={formatNumber(count.active + count.pastDue)}
        note={`${plural(count.pastDue, 'failed payment')}, ${formatNumber(count.ending)} canceled`}
      />
      <Stat
        label="On trial"
        value={formatNumber(count.trialing)}
        note={`${plural(count.byHand, 'plan')} set manually`}
      />
    </div>
  )
}

function Months({ revenue: { months } }: { revenue: Revenue }) {
  const most = Math.max(1, ...months.map((month) => month.paid))
  return (
    <Card title="Payments by month">
      <ol className="space-y-1.5">
        {months.map(({ month, paid }) => (
          <li key={month} className="grid grid-cols-[4.5rem_1fr_auto] items-center gap-3 text-sm">
            <span className="text-muted tabular-nums">{formatUtcMonth(month)}</span>
            <span aria-hidden="true" className="h-2.5">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(paid / most) * 100}%` }} />
            </span>
            <span className="text-right text-ink tabular-nums">{money(paid)}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function ByPlan({ revenue }: { revenue: Revenue }) {
  return (
    <Card title="By plan" description="Paid subscriptions">
      <dl className="divide-y">
        {revenue.plans.map(({ plan, subscriptions, recurring }) => (
          <div key={plan} className="flex items-baseline justify-between gap-4 py-2.5 first:pt-0 last:pb-0">
            <dt className="font-medium text-ink">{planTitle(plan)}</dt>
            <dd className="text-muted tabular-nums">
              {formatNumber(subscriptions)} · <span className="text-ink">{money(recurring)}</span> a month
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
