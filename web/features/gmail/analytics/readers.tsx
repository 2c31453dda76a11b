import type { GmailReader } from '#contracts/gmail-analytics.ts'
import { channels } from '#web/features/campaigns/index.ts'
import { Card } from '#web/ui/card.tsx'
import { CursorPager, useCursorPages } from '#web/ui/cursor-pager.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatMoment, formatNumber, plural } from '#web/ui/format.ts'
import { stepInWords } from './filters.tsx'
import { type Filter, useReaders } from './queries.ts'
import { type Kind, wordsOf } from './words.ts'

/** Who opened or clicked, and when. */
export function Readers({ kind, filter }: { kind: Kind; filter: Filter }) {
  const { since: _, ...asked } = filter
  return (
    <Card
      title={`Who ${wordsOf[kind].did}`}
      description="People only; the letters sent last come first. A row opens the campaign at that person."
      flush
    >
      <Table key={JSON.stringify(asked)} kind={kind} filter={filter} />
    </Card>
  )
}

function Table({ kind, filter }: { kind: Kind; filter: Filter }) {
  const pages = useCursorPages()
  const query = useReaders(filter, pages.cursor)
  if (query.isError && !query.data)
    return <ErrorState title="The people could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  return (
    <DataTable
      label={`Who ${wordsOf[kind].did}`}
      columns={columnsFor(kind)}
      rows={query.data?.items}
      rowKey={(row) => row.messageId}
      href={(row) => `${channels.gmail.list}/${row.campaignId}?q=${encodeURIComponent(row.address)}#recipients`}
      stale={query.isPlaceholderData}
      empty={<EmptyState title={`Nobody is known to have ${wordsOf[kind].did} yet`} />}
      footer={
        <CursorPager
          pages={pages}
          nextCursor={query.data?.nextCursor}
          busy={query.isPlaceholderData}
          note={query.data?.total === undefined ? undefined : plural(query.data.total, 'letter')}
        />
      }
    />
  )
}

function columnsFor(kind: Kind): Column<GmailReader>[] {
  const { times } = wordsOf[kind]
  return [
    {
      id: 'address',
      header: 'Person',
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
            cell: (row: GmailReader) => (
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
