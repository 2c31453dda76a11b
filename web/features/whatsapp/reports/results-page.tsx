import { useSearchParams } from 'react-router'
import type { WhatsAppStats } from '#contracts/whatsapp/reports.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { ChartDrawing } from '#web/ui/theme/drawings.tsx'
import { NeedsNumber } from '../numbers/needs-number.tsx'
import { NumberFilter } from '../numbers/number-filter.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { CostTables } from './costs.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Figures } from './figures.tsx'
import { didItWork } from './labels.ts'
import { OverTime } from './over-time.tsx'
import { type Period, parsePeriod, periods, toRange } from './period.ts'
import { type StatsFilter, useStats } from './queries.ts'
import { Campaigns, Failures, Templates } from './tables.tsx'

export const meta = () => [{ title: 'WhatsApp results · Postlark' }]

function useFilter(): StatsFilter {
  const [search] = useSearchParams()
  const id = (param: string) =>
    (/^[1-9]\d{0,18}$/.test(search.get(param) ?? '') ? search.get(param) : null) ?? undefined
  return {
    period: parsePeriod(search.get('period')),
    accountId: id('number'),
    campaignId: id('campaign'),
    template: search.get('template') ?? undefined,
  }
}

/** What became of every WhatsApp message, what it may cost, and what it brought. */
export default function ResultsPage() {
  const numbers = useNumbers()
  const filter = useFilter()
  return (
    <>
      <PageHeader
        title="WhatsApp results"
        description="Results by day, campaign and template, with estimated costs."
        action={numbers.data && numbers.data.items.length > 0 && <ExportMenu filter={filter} />}
      />
      <NeedsNumber what="Results appear after the first message.">
        <Filters filter={filter} />
        <Results filter={filter} />
      </NeedsNumber>
    </>
  )
}

function Results({ filter }: { filter: StatsFilter }) {
  const query = useStats(filter)
  const stats = query.data
  if (query.isError && !stats)
    return (
      <Card flush>
        <ErrorState
          title="The results could not be loaded"
          error={query.error}
          saved="Your data is safe."
          onRetry={() => query.refetch()}
        />
      </Card>
    )
  if (!stats) return <Loading />
  return isEmpty(stats) ? (
    <Nothing filter={filter} />
  ) : (
    <Report stats={stats} filter={filter} stale={query.isPlaceholderData} />
  )
}

const isEmpty = ({ totals }: WhatsAppStats) => Object.values(totals).every((value) => value === 0)

function Filters({ filter }: { filter: StatsFilter }) {
  // What can be chosen does not shrink with what was chosen.
  const all = useStats({ period: filter.period, accountId: filter.accountId }).data
  return (
    <section aria-label="Filters" className="mb-5 grid gap-2 sm:flex sm:flex-wrap [&>*]:sm:w-52">
      <UrlSelect
        param="period"
        label="Period"
        all={periods['30'].label}
        options={(['1', '7', '90', '365'] satisfies Period[]).map((value) => ({ value, label: periods[value].label }))}
      />
      <NumberFilter />
      <UrlSelect
        param="campaign"
        label="Campaign"
        all="All campaigns"
        options={named(
          filter.campaignId,
          all?.campaigns.map(({ id, name }) => ({ value: id, label: name })),
        )}
      />
      <UrlSelect
        param="template"
        label="Template"
        all="All templates"
        options={named(
          filter.template,
          all?.templates.map(({ name }) => ({ value: name, label: name })),
        )}
      />
    </section>
  )
}

/** What was chosen stays among the choices, even where nothing of it lies in the period. */
function named(chosen: string | undefined, options: { value: string; label: string }[] = []) {
  if (!chosen || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: /^\d+$/.test(chosen) ? `Campaign ${chosen}` : chosen }]
}

function Report({ stats, filter, stale }: { stats: WhatsAppStats; filter: StatsFilter; stale: boolean }) {
  return (
    <div aria-busy={stale || undefined} className={`space-y-5 transition-opacity ${stale ? 'opacity-60' : ''}`}>
      <p className="max-w-3xl text-lg font-semibold tracking-tight text-balance text-ink">{didItWork(stats)}</p>
      <Figures stats={stats} />
      <OverTime
        stats={stats}
        step={toRange(filter.period).step}
        narrowed={filter.campaignId !== undefined || filter.template !== undefined}
      />
      <Campaigns stats={stats} />
      <Templates stats={stats} />
      <CostTables stats={stats} />
      <Failures stats={stats} />
    </div>
  )
}

function Nothing({ filter }: { filter: StatsFilter }) {
  const narrowed = filter.accountId ?? filter.campaignId ?? filter.template
  return (
    <Card flush>
      <EmptyState
        drawing={<ChartDrawing />}
        title={narrowed ? 'No results found' : 'No messages in this period'}
        action={
          narrowed || filter.period !== '365' ? (
            <ButtonLink to="?period=365">Show last 12 months</ButtonLink>
          ) : (
            <ButtonLink kind="primary" to="/whatsapp-sender/new">
              New campaign
            </ButtonLink>
          )
        }
      >
        Results appear as soon as Meta accepts a message.
      </EmptyState>
    </Card>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading..." className="space-y-5">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.25rem,1fr))] gap-3">
        {['sent', 'delivered', 'read', 'replied', 'failed', 'out', 'cost'].map((key) => (
          <Skeleton key={key} className="h-24" />
        ))}
      </div>
      <Skeleton className="h-72 w-full" />
    </div>
  )
}
