import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type DmarcSummary, domains } from '#contracts/senders/domains.ts'
import { api } from '#web/api.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Stat } from '#web/ui/display/stat.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatNumber, formatShare, formatUtcDay, plural } from '#web/ui/lib/format.ts'
import { ServerDrawing } from '#web/ui/theme/drawings.tsx'

export const meta = () => [{ title: 'DMARC reports · Postlark' }]

const DAYS = 30

type Source = DmarcSummary['sources'][number]
type Day = DmarcSummary['timeline'][number]

export default function DmarcPage() {
  const { id = '' } = useParams()
  const { data, ...query } = useQuery({
    queryKey: ['domains', id, 'dmarc'],
    queryFn: () => api(domains.dmarc, { params: { id }, query: { days: DAYS } }),
  })
  return (
    <>
      <PageHeader
        title="Who sends as your domain"
        back={{ to: `/sending-domains/${id}`, label: data?.domain ?? 'Sending domain' }}
        description={`Emails with your domain in From in the last ${DAYS} days, and whether they passed DMARC, as receivers report them.`}
      />
      {query.isPending && <Skeleton className="h-96 rounded-card" />}
      {query.isError && !data && (
        <Card flush>
          <ErrorState title="The reports could not be loaded" error={query.error} onRetry={() => query.refetch()} />
        </Card>
      )}
      {data && (data.reports === 0 ? <NoReports summary={data} /> : <Summary summary={data} />)}
    </>
  )
}

function NoReports({ summary: { address, domain } }: { summary: DmarcSummary }) {
  return (
    <Card flush>
      <EmptyState
        drawing={<ServerDrawing />}
        title="No DMARC reports yet"
        action={!address && <ButtonLink to="/bounce-sources">View bounce sources</ButtonLink>}
      >
        {address
          ? `Receivers such as Google and Yahoo send a report once a day to the address that the DMARC record of ${domain} names. The first comes a day or two after you publish it.`
          : `Receivers such as Google and Yahoo send a report once a day to the address that the DMARC record of ${domain} names. Add a mailbox as a bounce source and put its address into the rua tag of the record: Postlark reads the reports it receives.`}
      </EmptyState>
      {address && <ReportAddress address={address} />}
    </Card>
  )
}

function ReportAddress({ address }: { address: string }) {
  const tag = `rua=mailto:${address}`
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-5 py-4">
      <code className="min-w-0 flex-1 basis-56 rounded-control bg-sunken px-2 py-1 font-mono text-sm wrap-anywhere text-ink">
        {tag}
      </code>
      <CopyButton size="sm" text={tag} aria-label="Copy the rua tag" />
    </div>
  )
}

function Summary({ summary }: { summary: DmarcSummary }) {
  const { totals, sources, sourceCount, reports, unverified, reporters, timeline } = summary
  const failed = totals.messages - totals.passed
  const more = sourceCount - sources.length
  return (
    <div className="space-y-5">
      {unverified.reports > 0 && (
        <Banner>
          {plural(unverified.reports, 'report')} on {plural(unverified.messages, 'email')}{' '}
          {unverified.reports === 1 ? 'is' : 'are'} not verified and not counted here: no valid DKIM signature or SPF
          pass shows who wrote {unverified.reports === 1 ? 'it' : 'them'}.
        </Banner>
      )}
      <div className="grid grid-cols-2 gap-3 wide:grid-cols-4">
        <Stat
          label="Emails"
          value={formatNumber(totals.messages)}
          note={plural(reports - unverified.reports, 'report')}
        />
        <Stat
          label="Passed DMARC"
          value={showShare(totals.passed, totals.messages)}
          note={`${formatNumber(failed)} failed`}
        />
        <Stat label="Signed by Postlark" value={formatNumber(totals.ours)} note="With your DKIM key" />
        <Stat
          label="To spam or rejected"
          value={formatNumber(totals.quarantined + totals.rejected)}
          note={`${formatNumber(totals.quarantined)} to spam, ${formatNumber(totals.rejected)} rejected`}
        />
      </div>
      <Card
        title="Servers"
        description={more > 0 ? `${plural(more, 'more server')} sent fewer emails.` : undefined}
        flush
      >
        <DataTable<Source>
          label="Servers that send as this domain"
          columns={sourceColumns}
          rows={sources}
          rowKey={({ sourceIp }) => sourceIp}
          empty={<p className="px-5 pt-1 pb-5 text-base text-muted">No verified report tells of a server.</p>}
        />
      </Card>
      {timeline.length > 0 && (
        <Card title="By day" flush>
          <DataTable<Day> label="By day" columns={dayColumns} rows={timeline.toReversed()} rowKey={({ day }) => day} />
        </Card>
      )}
      <p className="text-sm text-muted">
        Reported by {reporters.map(labelReporter).join(', ')}. Emails to other receivers are not counted.
      </p>
    </div>
  )
}

/** "google.com (30)", "a.example (2, not verified)". */
function labelReporter({ reporter, reports, unverified }: DmarcSummary['reporters'][number]): string {
  const some = unverified === reports ? 'not verified' : `${formatNumber(unverified)} not verified`
  return `${reporter} (${formatNumber(reports)}${unverified > 0 ? `, ${some}` : ''})`
}

/** Of no emails there is no share. */
const showShare = (part: number, whole: number) => (whole === 0 ? '-' : formatShare(part / whole))

const share = (part: 'spfAligned' | 'dkimAligned' | 'passed') => (row: Source | Day) =>
  showShare(row[part], row.messages)

const sourceColumns: Column<Source>[] = [
  {
    id: 'server',
    header: 'Server',
    cell: ({ name, sourceIp, headerFrom, ours }) => (
      <div className="py-1.5 whitespace-normal">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="wrap-anywhere text-ink">{name ?? sourceIp}</span>
          {ours > 0 && (
            <Badge tone="good" shape="check">
              Postlark
            </Badge>
          )}
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          {[...(name ? [sourceIp] : []), ...(headerFrom.length > 0 ? [`From ${headerFrom.join(', ')}`] : [])].join(
            ' · ',
          )}
        </span>
      </div>
    ),
  },
  { id: 'messages', header: 'Emails', number: true, cell: ({ messages }) => formatNumber(messages) },
  { id: 'spf', header: 'SPF aligned', number: true, cell: share('spfAligned') },
  { id: 'dkim', header: 'DKIM aligned', number: true, cell: share('dkimAligned') },
  { id: 'passed', header: 'Passed', number: true, cell: share('passed') },
  { id: 'spam', header: 'To spam', number: true, cell: ({ quarantined }) => formatNumber(quarantined) },
  { id: 'rejected', header: 'Rejected', number: true, cell: ({ rejected }) => formatNumber(rejected) },
]

const dayColumns: Column<Day>[] = [
  { id: 'day', header: 'Day (UTC)', cell: ({ day }) => formatUtcDay(day) },
  { id: 'messages', header: 'Emails', number: true, cell: ({ messages }) => formatNumber(messages) },
  { id: 'spf', header: 'SPF aligned', number: true, cell: share('spfAligned') },
  { id: 'dkim', header: 'DKIM aligned', number: true, cell: share('dkimAligned') },
  { id: 'passed', header: 'Passed', number: true, cell: share('passed') },
  { id: 'spam', header: 'To spam', number: true, cell: ({ quarantined }) => formatNumber(quarantined) },
  { id: 'rejected', header: 'Rejected', number: true, cell: ({ rejected }) => formatNumber(rejected) },
]
