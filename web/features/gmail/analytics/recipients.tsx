import type { GmailRecipient } from '#contracts/gmail/analytics.ts'
import { channelPages } from '#web/channel-pages.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, formatNumber, plural } from '#web/ui/lib/format.ts'
import { stepInWords } from './filters.tsx'
import { type EngagementKind, engagementWords } from './labels.ts'
import { type AnalyticsFilter, useRecipients } from './queries.ts'

/** Who opened or clicked, and when. */
export function Recipients({ kind, filter }: { kind: EngagementKind; filter: AnalyticsFilter }) {
  const { since: _, ...asked } = filter
  return (
    <Card
      title={`Who ${engagementWords[kind].did}`}
      description="People only, most recently sent email first. Select a row to open the campaign at that recipient."
      flush
    >
      <Table key={JSON.stringify(asked)} kind={kind} filter={filter} />
    </Card>
  )
}

function Table({ kind, filter }: { kind: EngagementKind; filter: AnalyticsFilter }) {
  const pages = useCursorPages()
  const query = useRecipients(filter, pages.cursor)
  return (
    <PagedTable
      label={`Who ${engagementWords[kind].did}`}
      query={query}
      pages={pages}
      failure="The recipients could not be loaded"
      columns={columnsFor(kind)}
      rowKey={(row) => row.messageId}
      href={(row) => `${channelPages.gmail.reports}/${row.campaignId}?q=${encodeURIComponent(row.address)}#recipients`}
      empty={<EmptyState title={`No ${engagementWords[kind].times.toLowerCase()} yet`} />}
      count={(total) => plural(total, 'email')}
    />
  )
}

function columnsFor(kind: EngagementKind): Column<GmailRecipient>[] {
  const { times } = engagementWords[kind]
  return [
    {
      id: 'address',
      header: 'Recipient',
      cell: (row) => (
        <span className="block wrap-anywhere">
          {row.address}
          {row.name && <span className="block text-sm font-normal text-muted">{row.name}</span>}
        </span>
      ),
    },
    {
      id: 'campaign',
      header: 'Campaign',
      cell: (row) => (
        <span className="block min-w-0 wrap-anywhere whitespace-normal md:max-w-48 md:truncate">
          {row.campaign}
          {row.step > 1 && <span className="text-muted"> · {stepInWords(row.step)}</span>}
        </span>
      ),
    },
    ...(kind === 'click'
      ? [
          {
            id: 'links',
            header: 'Links',
            wideOnly: true,
            cell: (row: GmailRecipient) => (
              <span title={row.links.join('\n')} className="block max-w-56 truncate text-text">
                {row.links.join(', ')}
              </span>
            ),
          },
        ]
      : []),
    {
      id: 'first',
      header: 'First',
      number: true,
      cell: (row) => (
        <>
          {formatMoment(row.firstAt)}
          {row.times > 1 && <span className="block text-sm text-muted">last {formatMoment(row.lastAt)}</span>}
        </>
      ),
    },
    { id: 'times', header: times, number: true, cell: (row) => formatNumber(row.times) },
  ]
}
