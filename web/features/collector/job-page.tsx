import { useCallback, useEffect, useRef } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import type { CrawlJob } from '#contracts/collector/collector.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatMoment, formatNumber, plural } from '#web/ui/lib/format.ts'
import { Figures } from './figures.tsx'
import { JobActions } from './job-actions.tsx'
import { type Wording, wordingAt, wordings } from './kinds.ts'
import { countryOrUnknown } from './labels.ts'
import { type Arrivals, useLive } from './live.ts'
import { Outcome } from './outcome.tsx'
import { Progress } from './progress.tsx'
import { isMoving, useJob } from './queries.ts'
import { Refused } from './refused.tsx'
import { Results } from './results/results.tsx'
import { JobBadge } from './states.tsx'

export const meta = () => [{ title: 'Scrape · Postlark' }]

/** One crawl job: how it goes while it goes, and what it found. */
export default function JobPage() {
  const { id = '' } = useParams()
  const { pathname, search } = useLocation()
  const wording = wordingAt(pathname)
  const query = useJob(id)
  const job = query.data
  const arrive = useRef<(arrivals: Arrivals) => void>(null)
  const live = useLive(job, (arrivals) => arrive.current?.(arrivals))
  const onArrival = useCallback((take: ((arrivals: Arrivals) => void) | null) => {
    arrive.current = take
  }, [])
  const title = job ? tabTitle(job) : 'Scrape · Postlark'
  useEffect(() => {
    document.title = title
  }, [title])

  if (query.isError && !job)
    return (
      <ErrorState
        title="The scrape could not be opened"
        error={query.error}
        saved="If it is running, it continues automatically."
        onRetry={() => query.refetch()}
      />
    )
  if (!job) return <SkeletonRows />
  if (job.kind !== wording.kind) return <Navigate replace to={`${wordings[job.kind].path}/${id}${search}`} />
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{job.name}</span>}
        description={settingsInWords(job, wording)}
        back={{ to: wording.path, label: wording.title }}
        badge={<JobBadge state={job.state} />}
        action={<JobActions job={job} wording={wording} />}
      />
      <div className="space-y-5">
        <Refused isReading={isMoving(job.state)} />
        <Outcome job={job} wording={wording} />
        <Progress job={job} live={live} wording={wording} />
        {job.found > 0 && <Figures job={job} wording={wording} />}
        {(job.found > 0 || isMoving(job.state)) && <Results job={job} wording={wording} onArrival={onArrival} />}
      </div>
    </>
  )
}

/** What the tab says: what was found so far while it reads, then its name. */
function tabTitle({ name, state, found }: CrawlJob): string {
  if (state === 'paused') return `Paused · ${name}`
  return isMoving(state) ? `${formatNumber(found)} found · ${name}` : `${name} · Postlark`
}

function settingsInWords(job: CrawlJob, wording: Wording): string {
  const parts = [
    `Started ${formatMoment(job.createdAt)}`,
    `${plural(job.urlCount, 'URL')}`,
    `up to ${formatNumber(job.maxPages)} pages`,
    job.maxDepth === 0 ? 'no links followed' : `${plural(job.maxDepth, 'link')} deep`,
  ]
  if (job.subdomains) parts.push('including subdomains')
  if (job.include.length > 0) parts.push(`only ${job.include.join(' ')}`)
  if (job.exclude.length > 0) parts.push(`excluding ${job.exclude.join(' ')}`)
  if (wording.kind === 'phone' && job.country) parts.push(`default country ${countryOrUnknown(job.country)}`)
  return `${parts.join(' · ')}.`
}
