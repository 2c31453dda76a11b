import { Link, useSearchParams } from 'react-router'
import { countRates, type DeliveryCounts } from '#contracts/whatsapp/rates.ts'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { dollars } from './labels.ts'

type Fate = DeliveryCounts & { sent: number }

/** "312 (26%)". */
const part = (value: number, rate: number | null) => (
  <>
    {formatNumber(value)} {rate !== null && <span className="text-muted">({formatShare(rate)})</span>}
  </>
)

function fateColumns<Row extends Fate>(): Column<Row>[] {
  return [
    { id: 'sent', header: 'Sent', number: true, cell: (row) => formatNumber(row.sent) },
    {
      id: 'delivered',
      header: 'Delivered',
      number: true,
      cell: (row) => part(row.delivered, countRates(row).delivered),
    },
    { id: 'read', header: 'Read', number: true, cell: (row) => part(row.read, countRates(row).read) },
    { id: 'failed', header: 'Failed', number: true, cell: (row) => part(row.failed, countRates(row).failure) },
  ]
}

const about = (cost: number | null, currency: string) =>
  cost === null ? <span className="text-muted">unknown</span> : dollars(cost, currency)

type CampaignRow = WhatsAppStats['campaigns'][number]
type TemplateRow = WhatsAppStats['templates'][number]

/** What each campaign came to. */
export function Campaigns({ stats }: { stats: WhatsAppStats }) {
  const columns: Column<CampaignRow>[] = [
    { id: 'name', header: 'Campaign', cell: (row) => <span className="wrap-anywhere">{row.name}</span> },
    ...fateColumns<CampaignRow>(),
    { id: 'replied', header: 'Replied', number: true, cell: (row) => part(row.replied, countRates(row).reply) },
    { id: 'cost', header: 'Estimated cost', number: true, cell: (row) => about(row.cost, stats.cost.currency) },
  ]
  return (
    <Card title="By campaign" flush>
      <DataTable
        label="By campaign"
        columns={columns}
        rows={stats.campaigns}
        rowKey={(row) => row.id}
        href={(row) => `/whatsapp-sender/${row.id}`}
        empty={<p className="px-5 pb-5 text-base text-muted">No campaign messages in this period.</p>}
      />
    </Card>
  )
}

/** What each template came to; its name narrows the page to it. */
export function Templates({ stats }: { stats: WhatsAppStats }) {
  const [search] = useSearchParams()
  const narrowed = (name: string) => `?${withParam(search, 'template', name)}`
  const columns: Column<TemplateRow>[] = [
    {
      id: 'name',
      header: 'Template',
      cell: (row) => (
        <Link to={narrowed(row.name)} className="wrap-anywhere hover:underline">
          {row.name}
        </Link>
      ),
    },
    ...fateColumns<TemplateRow>(),
    { id: 'cost', header: 'Estimated cost', number: true, cell: (row) => about(row.cost, stats.cost.currency) },
  ]
  return (
    <Card title="By template" flush>
      <DataTable
        label="By template"
        columns={columns}
        rows={stats.templates}
        rowKey={(row) => row.name}
        empty={<p className="px-5 pb-5 text-base text-muted">No templates sent in this period.</p>}
      />
    </Card>
  )
}

type Failure = WhatsAppStats['failures'][number]

const failureColumns: Column<Failure>[] = [
  {
    id: 'reason',
    header: 'Reason',
    cell: (row) => <span className="block py-2.5 whitespace-normal">{row.reason}</span>,
  },
  {
    id: 'code',
    header: 'Meta’s code',
    number: true,
    cell: (row) => row.code ?? <span className="text-muted">-</span>,
  },
  { id: 'messages', header: 'Messages', number: true, cell: (row) => formatNumber(row.messages) },
]

/** Why messages failed, the most common reason first. */
export function Failures({ stats }: { stats: WhatsAppStats }) {
  return (
    <section id="failed" aria-label="Why messages failed" className="scroll-mt-20">
      <Card title="Why messages failed" flush>
        <DataTable
          label="Why messages failed"
          columns={failureColumns}
          rows={stats.failures}
          rowKey={(row) => String(row.code)}
          empty={<p className="px-5 pb-5 text-base text-muted">No failed messages in this period.</p>}
        />
      </Card>
    </section>
  )
}
