import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CollectorResult, CrawlJob } from '#contracts/collector/collector.ts'
import { DataTable } from '#web/ui/display/data-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import type { Wording } from '../kinds.ts'
import type { Arrivals } from '../live.ts'
import { isMoving, readResultsAnew, useFigures, useResults } from '../queries.ts'
import { useArrivals } from './arrivals.ts'
import { ExportButtons } from './export-buttons.tsx'
import { useValueFormat } from './numbers.ts'
import { columnsFor } from './result-columns.tsx'
import { ResultFilters } from './result-filters.tsx'
import { ResultPanel } from './result-panel.tsx'
import { useResultQuery } from './result-query.ts'
import { SortSelect } from './sort-select.tsx'
import { ToListDialog } from './to-list-dialog.tsx'

interface ResultsProps {
  job: CrawlJob
  wording: Wording
  /** Takes what receives findings as they come; null when it is gone. */
  onArrival: (take: ((arrivals: Arrivals) => void) | null) => void
}

/** What was found: a list of any length that grows on top while the crawl runs. */
export function Results({ job, wording, onArrival }: ResultsProps) {
  const asked = useResultQuery()
  const figures = useFigures(job.id, job.state)
  const results = useResults(job.id, asked.query)
  const top = useRef<HTMLDivElement>(null)
  const choice = useChoice(JSON.stringify(asked.query))
  const [open, setOpen] = useState<CollectorResult | null>(null)
  const [adding, setAdding] = useState(false)
  const format = useValueFormat(wording.kind)

  // Set by a movement: a page that opens under a pointer at rest is only looked at. A touch leaves nothing behind.
  const isPointedAt = useRef(false)
  const isScrolledIn = () => (top.current?.getBoundingClientRect().top ?? 0) < 0
  const arrivals = useArrivals({
    jobId: job.id,
    query: asked.query,
    isNewestFirst: asked.isNewestFirst,
    isBusy: () =>
      isScrolledIn() ||
      isPointedAt.current ||
      choice.selected.size > 0 ||
      open !== null ||
      adding ||
      Boolean(getSelection()?.toString()),
  })
  useEffect(() => {
    onArrival(arrivals.take)
    return () => onArrival(null)
  }, [onArrival, arrivals.take])
  useRereadAtRest(job, asked.query)

  const pages = results.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.items), [pages])
  const total = pages?.[0]?.total ?? (asked.isFiltered ? undefined : job.found)
  const chosen = choice.all ? (total ?? 0) : choice.selected.size
  const showNew = () => {
    choice.clear()
    arrivals.show()
    top.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <Card
      title="Results"
      description={rows && job.found > 0 && counted(rows.length, total, asked.isFiltered, wording)}
      flush
      action={
        job.found > 0 && (
          <div className="flex flex-wrap gap-2">
            <ExportButtons job={job} wording={wording} filter={asked.filter} disabled={!rows?.length} />
            <Button kind="primary" disabled={!rows?.length} onClick={() => setAdding(true)}>
              {chosen > 0 ? `Add ${formatNumber(chosen)} to list` : 'Add to list'}
            </Button>
          </div>
        )
      }
    >
      {job.found > 0 && (
        <>
          <ResultFilters wording={wording} figures={figures.data} />
          <SortSelect sort={asked.sort} order={asked.order} onSort={asked.onSort} />
        </>
      )}
      <div
        ref={top}
        onPointerMove={({ pointerType }) => {
          isPointedAt.current = pointerType === 'mouse'
        }}
        onPointerLeave={() => {
          isPointedAt.current = false
        }}
      >
        {arrivals.count > 0 && <NewPill count={arrivals.count} onShow={showNew} />}
        <ResultTable
          {...{ job, wording, asked, results, rows, total, chosen, choice, format }}
          isFresh={arrivals.isFresh}
          onOpen={setOpen}
          onAdd={() => setAdding(true)}
        />
      </div>
      {open && <ResultPanel result={open} wording={wording} format={format} onClose={() => setOpen(null)} />}
      {adding && (
        <ToListDialog
          job={job}
          wording={wording}
          which={choice.all || choice.selected.size === 0 ? { filter: asked.filter } : { ids: [...choice.selected] }}
          count={chosen || total}
          onDone={choice.clear}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

/** Which rows are ticked, or all that the question finds. Another question starts with none: its rows are others. */
function useChoice(question: string) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const select = useCallback((next: ReadonlySet<string>) => {
    setSelected(next)
    setAll(false)
  }, [])
  const clear = useCallback(() => select(new Set()), [select])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what counts
  useEffect(clear, [question])
  return { selected, all, select, setAll, clear }
}

interface ResultTableProps {
  job: CrawlJob
  wording: Wording
  asked: ReturnType<typeof useResultQuery>
  results: ReturnType<typeof useResults>
  rows: CollectorResult[] | undefined
  total: number | undefined
  chosen: number
  choice: ReturnType<typeof useChoice>
  format: ReturnType<typeof useValueFormat>
  isFresh: (result: CollectorResult) => boolean
  onOpen: (result: CollectorResult) => void
  onAdd: () => void
}

/** The rows, loaded as they are scrolled to. */
function ResultTable(props: ResultTableProps) {
  const { job, wording, asked, results, rows, total, chosen, choice, format } = props
  const columns = useMemo(() => columnsFor(wording, format), [wording, format])
  const { hasNextPage, isFetching, fetchNextPage } = results
  const more = useCallback(() => void (isFetching || fetchNextPage()), [isFetching, fetchNextPage])
  if (results.isError && !rows)
    return (
      <ErrorState
        title="The results could not be loaded"
        error={results.error}
        saved="Your data is safe."
        onRetry={() => results.refetch()}
      />
    )
  return (
    <DataTable
      label={wording.many}
      columns={columns}
      rows={rows}
      rowKey={(result) => result.id}
      onOpen={props.onOpen}
      stale={results.isPlaceholderData}
      sorting={{ by: asked.sort, order: asked.order, onSort: asked.onSort }}
      endless={{ total, onMore: hasNextPage ? more : undefined }}
      isFresh={props.isFresh}
      selection={{
        selected: choice.selected,
        onChange: choice.select,
        actions: (
          <Button size="sm" onClick={props.onAdd}>
            Add {plural(chosen, wording.one, wording.many)} to list
          </Button>
        ),
        ...(total !== undefined &&
          total > (rows?.length ?? 0) && { everything: { total, chosen: choice.all, onChoose: choice.setAll } }),
      }}
      empty={<NoRows job={job} wording={wording} filtered={asked.isFiltered} onClear={asked.clear} />}
      footer={<MoreRows results={results} />}
    />
  )
}

/** That more rows are loading, or that they could not be loaded; nothing otherwise. */
function MoreRows({ results }: { results: ReturnType<typeof useResults> }) {
  if (!results.isFetchingNextPage && !results.isFetchNextPageError) return null
  return (
    <p className="px-4 py-3 text-center text-sm text-muted">
      {results.isFetchingNextPage ? (
        'Loading more…'
      ) : (
        <>
          The remaining results could not be loaded.{' '}
          <Button size="sm" onClick={() => results.fetchNextPage()}>
            Try again
          </Button>
        </>
      )}
    </p>
  )
}

/** When it comes to rest, what was shown is read once more: mail servers were asked meanwhile, and a site may have turned out to forbid collecting. */
function useRereadAtRest(job: CrawlJob, query: ReturnType<typeof useResultQuery>['query']) {
  const queries = useQueryClient()
  const moving = isMoving(job.state)
  const before = useRef({ moving, found: job.found })
  const latest = useRef(query)
  latest.current = query
  useEffect(() => {
    const fell = job.found < before.current.found
    const rests = before.current.moving && !moving
    before.current = { moving, found: job.found }
    if (fell || rests) void readResultsAnew(queries, job.id, latest.current)
    if (rests) void queries.invalidateQueries({ queryKey: ['crawl-jobs', job.id, 'figures'] })
  }, [moving, job.found, job.id, queries])
}

function counted(loaded: number, total: number | undefined, filtered: boolean, wording: Wording): string {
  if (total === undefined) return `${formatNumber(loaded)} or more results`
  return filtered
    ? plural(total, `matching ${wording.one}`, `matching ${wording.many}`)
    : plural(total, wording.one, wording.many)
}

/** Says how many came while somebody was reading. */
function NewPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className="pointer-events-none sticky top-0 z-30 flex h-0 justify-center">
      <button
        type="button"
        onClick={onShow}
        className="pointer-events-auto mt-13 inline-flex h-8 animate-float-in items-center gap-1.5 rounded-full bg-accent px-3.5 text-sm font-medium text-on-accent shadow-float hover:bg-accent-hover"
      >
        <ArrowUp aria-hidden="true" className="size-3.5" />
        <span aria-live="polite">{formatNumber(count)} new</span>
      </button>
    </div>
  )
}

function NoRows({
  job,
  wording,
  filtered,
  onClear,
}: {
  job: CrawlJob
  wording: Wording
  filtered: boolean
  onClear: () => void
}) {
  if (filtered)
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="No results found"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Try another filter, or part of the value or the page.
      </EmptyState>
    )
  return (
    <EmptyState drawing={<SearchDrawing />} title={`No ${wording.many} yet`}>
      {job.state === 'queued'
        ? 'The scrape is queued.'
        : 'Results appear here as pages are read. You can leave this page.'}
    </EmptyState>
  )
}
