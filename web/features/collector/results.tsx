import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CollectorJob, CollectorResult } from '#contracts/collector.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { SearchDrawing } from '#web/ui/drawings.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber, plural } from '#web/ui/format.ts'
import { useArrivals } from './arrivals.ts'
import { ExportButtons } from './export-buttons.tsx'
import type { Wording } from './kinds.ts'
import type { Arrivals } from './live.ts'
import { useValueFormat } from './numbers.ts'
import { isMoving, readResultsAnew, useFigures, useResults } from './queries.ts'
import { columnsFor } from './result-columns.tsx'
import { ResultFilters } from './result-filters.tsx'
import { ResultPanel } from './result-panel.tsx'
import { useResultQuery } from './result-query.ts'
import { SortSelect } from './sort-select.tsx'
import { ToListDialog } from './to-list-dialog.tsx'

interface ResultsProps {
  job: CollectorJob
  wording: Wording
  /** Takes what receives findings as they come; null when it is gone. */
  onArrival: (take: ((arrivals: Arrivals) => void) | null) => void
}

/** What was found: a list of any length that grows on top while the collection reads. */
export function Results({ job, wording, onArrival }: ResultsProps) {
  const asked = useResultQuery()
  const figures = useFigures(job.id, job.state)
  const key = JSON.stringify(asked.query)
  const results = useResults(job.id, asked.query)
  const place = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<CollectorResult | null>(null)
  const [adding, setAdding] = useState(false)
  const format = useValueFormat(wording.kind)

  const isScrolledIn = () => (place.current?.getBoundingClientRect().top ?? 0) < 0
  const arrivals = useArrivals({
    jobId: job.id,
    query: asked.query,
    isNewestFirst: asked.isNewestFirst,
    isBusy: () => isScrolledIn() || selected.size > 0 || open !== null || adding || Boolean(getSelection()?.toString()),
  })
  useEffect(() => {
    onArrival(arrivals.take)
    return () => onArrival(null)
  }, [onArrival, arrivals.take])
  useRereadAtRest(job, asked.query)

  // Another question, another list: what was ticked in the old one is out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what counts
  useEffect(() => {
    setSelected(new Set())
    setAll(false)
  }, [key])

  const pages = results.data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.items), [pages])
  const total = pages?.[0]?.total ?? (asked.isFiltered ? undefined : job.found)
  const columns = useMemo(() => columnsFor(wording, format), [wording, format])
  const { hasNextPage, isFetching, fetchNextPage } = results
  const more = useCallback(() => void (isFetching || fetchNextPage()), [isFetching, fetchNextPage])
  const chosen = all ? (total ?? 0) : selected.size

  return (
    <Card
      title="What was found"
      description={rows && job.found > 0 && counted(rows.length, total, asked.isFiltered, wording)}
      flush
      action={
        job.found > 0 && (
          <div className="flex flex-wrap gap-2">
            <ExportButtons job={job} wording={wording} filter={asked.filter} disabled={!rows?.length} />
            <Button kind="primary" disabled={!rows?.length} onClick={() => setAdding(true)}>
              {chosen > 0 ? `Add ${formatNumber(chosen)} to a list` : 'Add to a list'}
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
      <div ref={place}>
        {arrivals.count > 0 && (
          <NewPill
            count={arrivals.count}
            onShow={() => {
              setSelected(new Set())
              setAll(false)
              arrivals.show()
              place.current?.scrollIntoView({ block: 'start' })
            }}
          />
        )}
        {results.isError && !rows ? (
          <ErrorState
            title="The findings could not be loaded"
            error={results.error}
            kept="They are kept."
            onRetry={() => results.refetch()}
          />
        ) : (
          <DataTable
            label={wording.many}
            columns={columns}
            rows={rows}
            rowKey={(result) => result.id}
            onOpen={setOpen}
            stale={results.isPlaceholderData}
            sorting={{ by: asked.sort, order: asked.order, onSort: asked.onSort }}
            endless={{ total, onMore: hasNextPage ? more : undefined }}
            isFresh={arrivals.isFresh}
            selection={{
              selected,
              onChange: (next) => {
                setSelected(next)
                setAll(false)
              },
              actions: (
                <Button size="sm" onClick={() => setAdding(true)}>
                  Add {plural(chosen, wording.one, wording.many)} to a list
                </Button>
              ),
              ...(total !== undefined &&
                total > (rows?.length ?? 0) && { everything: { total, chosen: all, onChoose: setAll } }),
            }}
            empty={<NoRows job={job} wording={wording} filtered={asked.isFiltered} onClear={asked.clear} />}
            footer={
              results.isFetchingNextPage || results.isFetchNextPageError ? (
                <p className="px-4 py-3 text-center text-sm text-muted">
                  {results.isFetchingNextPage ? (
                    'Loading more…'
                  ) : (
                    <>
                      The rest could not be loaded.{' '}
                      <Button size="sm" onClick={() => results.fetchNextPage()}>
                        Try again
                      </Button>
                    </>
                  )}
                </p>
              ) : undefined
            }
          />
        )}
      </div>
      {open && <ResultPanel result={open} wording={wording} format={format} onClose={() => setOpen(null)} />}
      {adding && (
        <ToListDialog
          job={job}
          wording={wording}
          which={all || selected.size === 0 ? { filter: asked.filter } : { ids: [...selected] }}
          count={chosen || total}
          onDone={() => setSelected(new Set())}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

/** When it comes to rest, what was shown is read once more: mail servers were asked meanwhile, and a site may have turned out to forbid collecting. */
function useRereadAtRest(job: CollectorJob, query: ReturnType<typeof useResultQuery>['query']) {
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
    if (rests) void queries.invalidateQueries({ queryKey: ['collections', job.id, 'figures'] })
  }, [moving, job.found, job.id, queries])
}

function counted(loaded: number, total: number | undefined, filtered: boolean, wording: Wording): string {
  if (total === undefined) return `${formatNumber(loaded)} or more match`
  return `${plural(total, wording.one, wording.many)}${filtered ? ' match' : ''}`
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
  job: CollectorJob
  wording: Wording
  filtered: boolean
  onClear: () => void
}) {
  if (filtered)
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="Nothing matches"
        action={<Button onClick={onClear}>Show all {wording.many}</Button>}
      >
        Try another filter, or a part of the name or the page.
      </EmptyState>
    )
  return (
    <EmptyState drawing={<SearchDrawing />} title={`No ${wording.many} yet`}>
      {job.state === 'queued'
        ? 'It waits for its turn.'
        : `They appear here as pages are read. You can leave this page; it goes on.`}
    </EmptyState>
  )
}
