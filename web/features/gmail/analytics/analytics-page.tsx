import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type GmailAnalytics, gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { api, errorMessage } from '#web/api.ts'
import { channelPages } from '#web/channel-pages.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { ChartDrawing } from '#web/ui/theme/drawings.tsx'
import { Accounts, Campaigns, Steps } from './breakdowns.tsx'
import { Compare } from './compare.tsx'
import { Filters } from './filters.tsx'
import { type EngagementKind, engagementWords } from './labels.ts'
import { Links } from './links.tsx'
import { type AnalyticsFilter, useAnalytics, useFilter } from './queries.ts'
import { Recipients } from './recipients.tsx'
import { Summary } from './summary.tsx'
import { Days, Hours } from './times.tsx'

/** Open rate and click rate are one page with two questions. What is filtered stands in the address. */
export function AnalyticsPage({ kind }: { kind: EngagementKind }) {
  const words = engagementWords[kind]
  const filter = useFilter(kind)
  const query = useAnalytics(filter)
  const nothingSent = query.data?.choices.campaigns.length === 0
  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        action={query.data && query.data.totals.engaged > 0 && <ExportButton filter={filter} />}
      />
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
      {nothingSent && (
        <Card flush>
          <EmptyState
            drawing={<ChartDrawing />}
            title="No Gmail emails sent yet"
            action={
              <ButtonLink kind="primary" to={channelPages.gmail.wizard}>
                New Gmail campaign
              </ButtonLink>
            }
          >
            Results appear within a minute after a campaign starts sending.
          </EmptyState>
        </Card>
      )}
      {query.data && !nothingSent && (
        <div className="space-y-5">
          <Filters choices={query.data.choices} />
          <Figures kind={kind} filter={filter} data={query.data} stale={query.isPlaceholderData} />
        </div>
      )}
    </>
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
          <Days kind={kind} days={data.days} />
          <Hours kind={kind} hours={data.hours} />
          <Campaigns kind={kind} campaigns={data.campaigns} />
          <Accounts kind={kind} accounts={data.accounts} />
          <Steps kind={kind} steps={data.steps} />
          {kind === 'click' && <Links links={data.links} totals={totals} />}
          <Recipients kind={kind} filter={filter} />
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
