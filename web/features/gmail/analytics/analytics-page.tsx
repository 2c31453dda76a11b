import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useLocation } from 'react-router'
import { type GmailAnalytics, type GmailFigures, gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { api, errorMessage } from '#web/api.ts'
import { channelPages } from '#web/channel-pages.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { TabLinks } from '#web/ui/layout/tab-links.tsx'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { ChartDrawing } from '#web/ui/theme/drawings.tsx'
import { GMAIL_ACCOUNTS } from '../accounts/paths.ts'
import { useAccounts } from '../accounts/queries.ts'
import { Accounts, Campaigns, Steps } from './breakdowns.tsx'
import { Compare } from './compare.tsx'
import { Filters } from './filters.tsx'
import { type EngagementKind, engagementWords } from './labels.ts'
import { Links } from './links.tsx'
import { type AnalyticsFilter, useAnalytics, useFilter } from './queries.ts'
import { Recipients } from './recipients.tsx'
import { Summary } from './summary.tsx'
import { Days, SendingHours } from './times.tsx'
import { Week } from './week.tsx'

/** Open rate and click rate are one page with two questions. What is filtered stands in the address. */
export function AnalyticsPage({ kind }: { kind: EngagementKind }) {
  const filter = useFilter(kind)
  const query = useAnalytics(filter)
  const nothingSent = query.data?.choices.campaigns.length === 0
  return (
    <>
      <PageHeader
        title="Gmail analytics"
        description="How many of your Gmail emails people opened and clicked. Bots are counted separately."
        action={query.data && query.data.totals.engaged > 0 && <ExportButton filter={filter} />}
      />
      <AnalyticsTabs />
      {query.isError && !query.data && (
        <ErrorState
          title="The results could not be loaded"
          error={query.error}
          saved="Your data is safe."
          onRetry={() => query.refetch()}
        />
      )}
      {query.isPending && (
        <div role="status" aria-label="Loading..." className="space-y-4">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-72 w-full" />
        </div>
      )}
      {nothingSent && <NothingSent />}
      {query.data && !nothingSent && (
        <div className="space-y-5">
          <Filters choices={query.data.choices} />
          <Figures kind={kind} filter={filter} data={query.data} stale={query.isPlaceholderData} />
        </div>
      )}
    </>
  )
}

/** The two questions; what is filtered stays when the other one is asked. */
function AnalyticsTabs() {
  const { search } = useLocation()
  const links = [
    { to: `/gmail-analytics${search}`, also: ['/gmail-analytics'], label: 'Open rate' },
    { to: `/gmail-link${search}`, also: ['/gmail-link'], label: 'Click rate' },
  ]
  return <TabLinks label="Gmail analytics" links={links} className="mb-5" />
}

function NothingSent() {
  const { accounts } = useAccounts()
  const isConnected = accounts?.length !== 0
  return (
    <Card flush>
      <EmptyState
        drawing={<ChartDrawing />}
        title={isConnected ? 'No Gmail emails sent yet' : 'Connect Gmail to see results'}
        action={
          isConnected ? (
            <ButtonLink kind="primary" to={channelPages.gmail.wizard}>
              New Gmail campaign
            </ButtonLink>
          ) : (
            <ButtonLink kind="primary" to={GMAIL_ACCOUNTS}>
              Connect Gmail
            </ButtonLink>
          )
        }
      >
        {isConnected
          ? 'Results appear within a minute after a campaign starts sending.'
          : 'Connect an account and send a campaign. Opens and clicks appear here within a minute.'}
      </EmptyState>
    </Card>
  )
}

/** One empty state in the place of a chart, hours, links and recipients that would all be empty. */
function NothingHappened({ kind, totals }: { kind: EngagementKind; totals: GmailFigures }) {
  const { times } = engagementWords[kind]
  return (
    <Card flush>
      <EmptyState
        drawing={<ChartDrawing />}
        title={totals.counted > 0 ? `No ${times.toLowerCase()} yet` : `${times} are unknown`}
      >
        {totals.counted > 0
          ? `${times} by day, hour and recipient appear here as soon as the first one is counted.`
          : 'Tracking was off for these emails. Turn it on in the campaign’s Subject and tracking step.'}
      </EmptyState>
    </Card>
  )
}

interface FiguresProps {
  kind: EngagementKind
  filter: AnalyticsFilter
  data: GmailAnalytics
  stale: boolean
}

function Figures({ kind, filter, data, stale }: FiguresProps) {
  const { totals } = data
  return (
    <div className={`space-y-5 transition-opacity ${stale ? 'opacity-60' : ''}`} aria-busy={stale || undefined}>
      <Summary kind={kind} totals={totals} />
      {totals.counted + totals.unknown > 0 && (
        <>
          {filter.campaigns?.includes(',') && <Compare kind={kind} filter={filter} />}
          {totals.human + totals.machine === 0 ? <NothingHappened kind={kind} totals={totals} /> : null}
          {totals.human + totals.machine > 0 && <Days kind={kind} days={data.days} />}
          {data.week.length > 0 && <Week kind={kind} week={data.week} />}
          {totals.engaged > 0 && <SendingHours kind={kind} hours={data.hours} />}
          {kind === 'click' && data.links.length > 0 && <Links links={data.links} />}
          <Campaigns kind={kind} campaigns={data.campaigns} />
          {data.accounts.length > 1 && <Accounts kind={kind} accounts={data.accounts} />}
          {data.steps.length > 1 && <Steps kind={kind} steps={data.steps} />}
          {totals.engaged > 0 && <Recipients kind={kind} filter={filter} />}
        </>
      )}
    </div>
  )
}

function ExportButton({ filter }: { filter: AnalyticsFilter }) {
  const save = useMutation({
    mutationFn: async () =>
      saveFile(await api(gmailAnalytics.exportRecipients, { query: filter }), `gmail-${filter.kind}s.csv`),
    onError: (error) => toast.error(`The export failed. ${errorMessage(error)}`),
  })
  return (
    <Button
      busy={save.isPending}
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => save.mutate()}
    >
      Export CSV
    </Button>
  )
}
