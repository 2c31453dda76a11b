import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import { labelReceiver } from '#web/features/senders/index.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'

type Receiver = CampaignStats['receivers'][number]

const column = (id: keyof Receiver, header: string): Column<Receiver> => ({
  id,
  header,
  number: true,
  cell: (row) => (row[id] === 0 ? <span className="text-muted">0</span> : formatNumber(row[id] as number | null)),
})

/** What became of the emails at each mailbox provider: where something is wrong, it is wrong at one of them. */
export function ReceiversCard({ stats: { receivers, accepted } }: { stats: CampaignStats }) {
  if (
    receivers.length === 0 ||
    (accepted === 0 && receivers.every(({ deferred, bounced, blocked }) => deferred + (bounced ?? 0) + blocked === 0))
  )
    return null
  const isDeferred = receivers.some(({ deferred }) => deferred > 0)
  const columns: Column<Receiver>[] = [
    {
      id: 'receiver',
      header: 'Receiver',
      cell: ({ receiver }) => <span className="wrap-anywhere">{labelReceiver(receiver)}</span>,
    },
    column('accepted', 'Accepted'),
    ...(isDeferred ? [column('deferred', 'Deferred')] : []),
    column('bounced', 'Bounced'),
    column('blocked', 'Blocked'),
    column('complained', 'Complaints'),
    column('opened', 'Opened'),
    column('clicked', 'Clicked'),
  ]
  return (
    <Card
      title="Receivers"
      description="What each mailbox provider did with the emails. Blocked: refused because of the sender."
      flush
    >
      <DataTable label="Receivers" columns={columns} rows={receivers} rowKey={({ receiver }) => receiver} />
    </Card>
  )
}
