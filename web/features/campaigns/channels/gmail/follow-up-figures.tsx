import { useQuery } from '@tanstack/react-query'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { type FollowUp, followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { api } from '#web/api.ts'
import { Report } from '#web/features/campaigns/index.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { describeQueued } from './follow-up-labels.ts'

/** A Gmail campaign's report: that of its first email, then what became of each follow-up. */
export function GmailReport({ campaign }: { campaign: Campaign }) {
  return <Report campaign={campaign}>{campaign.followUps > 0 && <FollowUpFigures campaign={campaign} />}</Report>
}

const MOVING_MS = 15_000

function FollowUpFigures({ campaign }: { campaign: Campaign }) {
  const isMoving = campaign.state === 'sending'
  const query = useQuery({
    queryKey: ['campaigns', campaign.id, 'follow-ups', campaign.state],
    queryFn: () => api(followUps.list, { params: { id: campaign.id } }),
    ...(isMoving && { refetchInterval: MOVING_MS }),
  })
  return (
    <Card
      title="Follow-ups"
      description="Each follow-up is sent in the same thread to people who got the previous email and whose sequence has not stopped."
      flush
    >
      {query.isError && !query.data ? (
        <ErrorState title="The follow-ups could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <DataTable
          label="Follow-ups"
          columns={columnsFor(campaign)}
          rows={query.data?.items}
          rowKey={(row) => row.id}
        />
      )}
    </Card>
  )
}

/** "in 3 days", "in 2 hours": how long after the email before. */
function waitInWords(minutes: number): string {
  if (minutes % 1_440 === 0) return plural(minutes / 1_440, 'day')
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute')
}

const reasons = {
  replied: 'replied',
  clicked: 'clicked',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  other: 'other reasons',
} satisfies Record<keyof FollowUp['stopped'], string>

/** "2 replied, 1 unsubscribed" */
function stoppedInWords(stopped: FollowUp['stopped']): string {
  return Object.entries(reasons)
    .flatMap(([key, words]) => {
      const count = stopped[key as keyof FollowUp['stopped']]
      return count > 0 ? [`${formatNumber(count)} ${words}`] : []
    })
    .join(', ')
}

const quiet = (text: string) => <span className="block text-sm text-muted">{text}</span>

/** What was not tracked is unknown, and not 0. */
const known = (count: number | null) =>
  count === null ? <span className="text-muted">unknown</span> : formatNumber(count)

const columnsFor = (campaign: Campaign): Column<FollowUp>[] => [
  {
    id: 'step',
    header: 'Follow-up',
    cell: (row) => `Follow-up ${row.step - 1}, after ${waitInWords(row.afterMinutes)}`,
  },
  { id: 'sent', header: 'Sent', number: true, cell: (row) => formatNumber(row.counts.sent) },
  {
    id: 'waiting',
    header: 'Queued',
    number: true,
    cell: (row) => (
      <>
        {formatNumber(row.counts.queued)}
        {quiet(describeQueued(row, campaign))}
      </>
    ),
  },
  {
    id: 'stopped',
    header: 'Stopped',
    number: true,
    cell: (row) => (
      <>
        {formatNumber(row.counts.suppressed)}
        {row.counts.suppressed > 0 && quiet(stoppedInWords(row.stopped))}
      </>
    ),
  },
  { id: 'opened', header: 'Opened', number: true, cell: (row) => known(campaign.trackOpens ? row.opened : null) },
  { id: 'clicked', header: 'Clicked', number: true, cell: (row) => known(campaign.trackClicks ? row.clicked : null) },
  { id: 'replied', header: 'Replied', number: true, cell: (row) => known(row.replied) },
]
