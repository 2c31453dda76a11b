import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { categoryName, countryOrUnknown, dollars, monthInWords } from './labels.ts'

interface CostRow {
  name: string
  messages: number
  cost: number | null
}

const columns = (what: string, currency: string): Column<CostRow>[] => [
  { id: 'name', header: what, cell: (row) => row.name },
  { id: 'messages', header: 'Charged messages', number: true, cell: (row) => formatNumber(row.messages) },
  {
    id: 'cost',
    header: 'Estimated cost',
    number: true,
    cell: (row) => (row.cost === null ? <span className="text-muted">unknown</span> : dollars(row.cost, currency)),
  },
]

/** What Meta may charge, by kind of message and by country. An estimate, and said to be one. */
export function CostTables({ stats: { cost } }: { stats: WhatsAppStats }) {
  const { currency, byCategory, byCountry, unpriced } = cost
  return (
    <section id="cost" aria-label="Estimated cost" className="scroll-mt-20 space-y-3">
      <div>
        <h2 className="text-md font-semibold">Estimated cost</h2>
        <p className="max-w-prose text-base text-muted">
          This is an estimate, not an invoice. It covers delivered messages that Meta reported as charged, at its list
          prices of {monthInWords(cost.pricesOf)}, excluding volume discounts and taxes.
          {unpriced > 0 &&
            ` The price of ${plural(unpriced, 'message')} is unknown, so totals that include them are unknown too.`}
        </p>
      </div>
      <div className="grid items-start gap-5 wide:grid-cols-2">
        <CostTable
          title="By category"
          what="Category"
          currency={currency}
          rows={byCategory.map(({ category, ...row }) => ({ ...row, name: categoryName(category) }))}
        />
        <CostTable
          title="By country"
          what="Country"
          currency={currency}
          rows={byCountry.map(({ country, ...row }) => ({ ...row, name: countryOrUnknown(country) }))}
        />
      </div>
    </section>
  )
}

function CostTable({
  title,
  what,
  currency,
  rows,
}: {
  title: string
  what: string
  currency: string
  rows: CostRow[]
}) {
  return (
    <Card title={title} flush>
      <DataTable
        label={`Cost ${title.toLowerCase()}`}
        columns={columns(what, currency)}
        rows={rows}
        rowKey={(row) => row.name}
        empty={<p className="px-5 pb-5 text-base text-muted">Meta reported no charges for this period.</p>}
      />
    </Card>
  )
}
