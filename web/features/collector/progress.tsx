import { useState } from 'react'
import { type CollectorProgress, type CrawlJob, SkipReason } from '#contracts/collector/collector.ts'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatDuration, formatNumber, plural } from '#web/ui/lib/format.ts'
import type { Wording } from './kinds.ts'
import { skippedInAll, skipWords } from './labels.ts'
import { isMoving } from './queries.ts'
import { SkipsPanel } from './skips-panel.tsx'

interface ProgressProps {
  job: CrawlJob
  live: CollectorProgress | null
  wording: Wording
}

/** How far it is: pages read, waiting and omitted with their reasons; rate and time left while it moves. */
export function Progress({ job, live, wording }: ProgressProps) {
  const [open, setOpen] = useState<SkipReason | null>(null)
  const skipped = skippedInAll(job.skipped)
  // A bar of skipped pages alone would look like progress.
  const isEmpty = job.pagesFetched === 0 && job.pagesQueued === 0 && !isMoving(job.state)
  return (
    <Card>
      {job.stateText && isMoving(job.state) && (
        <Banner className="mb-4" role="status">
          {job.stateText}
        </Banner>
      )}
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-md font-semibold text-ink tabular-nums">
          {isEmpty
            ? 'No pages read'
            : `${job.found > 0 ? plural(job.found, wording.one, wording.many) : 'Nothing'} found on ${plural(job.pagesFetched, 'page')}`}
        </p>
        <p className="text-base text-text tabular-nums">{pace(job, live)}</p>
      </div>
      {!isEmpty && (
        <ProgressBar
          label="Pages"
          legend
          parts={[
            { label: 'Read', value: job.pagesFetched, tone: 'good' },
            { label: 'Skipped', value: skipped, tone: 'attention' },
            ...(job.pagesQueued > 0 || isMoving(job.state)
              ? [{ label: 'Queued', value: job.pagesQueued, tone: 'waiting' as const }]
              : []),
          ]}
        />
      )}
      {skipped > 0 && (
        <section aria-label="Skipped pages" className="mt-4 border-t pt-3">
          <h2 className="text-sm font-medium text-muted">Why pages were skipped</h2>
          <ul className="mt-1.5 flex flex-wrap gap-1.5">
            {SkipReason.options
              .filter((reason) => job.skipped[reason] > 0)
              .map((reason) => (
                <li key={reason}>
                  <button
                    type="button"
                    onClick={() => setOpen(reason)}
                    className="inline-flex h-7 items-center gap-1.5 rounded-full border px-3 text-sm font-medium text-text transition-colors hover:border-control hover:text-ink"
                  >
                    {skipWords[reason].label}
                    <span className="text-muted tabular-nums">{formatNumber(job.skipped[reason])}</span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      )}
      {open && <SkipsPanel jobId={job.id} reason={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function pace(job: CrawlJob, live: CollectorProgress | null): string {
  if (job.state === 'paused') return 'Paused. Nothing is lost.'
  if (job.state === 'queued') return 'Queued. You can leave this page.'
  if (job.state !== 'running') return ''
  if (!live) return 'Loading progress…'
  const left = live.secondsLeft === null ? 'time left unknown' : `${formatDuration(live.secondsLeft)} left`
  if (live.pagesPerSecond <= 0) return `Waiting for the sites; ${left}`
  const rate = live.pagesPerSecond < 10 ? live.pagesPerSecond.toFixed(1) : formatNumber(Math.round(live.pagesPerSecond))
  return `${rate} pages a second, ${left}`
}
