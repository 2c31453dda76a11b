import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type GmailAnalytics, gmailAnalytics } from '#contracts/gmail-analytics.ts'
import { api, messageOf } from '#web/api.ts'
import { channels } from '#web/features/campaigns/index.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChartDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { Accounts, Campaigns, Steps } from './breakdowns.tsx'
import { Compare } from './compare.tsx'
import { Filters } from './filters.tsx'
import { Links } from './links.tsx'
import { type Filter, useAnalytics, useFilter } from './queries.ts'
import { Readers } from './readers.tsx'
import { Summary } from './summary.tsx'
import { Days, Hours } from './times.tsx'
import { type Kind, wordsOf } from './words.ts'

/** Open rate and click rate are one page with two questions. What is filtered stands in the address. */
export function AnalyticsPage({ kind }: { kind: Kind }) {
  const words = wordsOf[kind]
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
          title="The figures could not be loaded"
          error={query.error}
          kept="They are all kept."
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
            title="Nothing was sent through Gmail yet"
            action={
              <ButtonLink kind="primary" to={channels.gmail.wizard}>
                New Gmail campaign
              </ButtonLink>
            }
          >
            Once a campaign is on its way, its figures are here within a minute.
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
  kind: Kind
  filter: Filter
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
          <Readers kind={kind} filter={filter} />
        </>
      )}
    </div>
  )
}

function ExportButton({ filter }: { filter: Filter }) {
  const save = useMutation({
    mutationFn: async () =>
      saveFile(await api(gmailAnalytics.exportReaders, { query: filter }), `gmail-${filter.kind}s.csv`),
    onError: (error) => toast.error(`The export did not work. ${messageOf(error)}`),
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
