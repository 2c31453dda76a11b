import { useEffect, useState } from 'react'
import type { HealthLine, HealthState } from '#contracts/admin/admin.ts'
import { type Column, DataTable } from '#web/ui/display/data-table.tsx'
import { Badge, type BadgeTone } from '#web/ui/feedback/badge.tsx'
import { Banner, type Tone } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDuration, formatNumber } from '#web/ui/lib/format.ts'
import { areaWords, healthSentence, stateWords } from './labels.ts'
import { useHealth } from './queries.ts'

export const meta = () => [{ title: 'Health · Admin · Postlark' }]

type Health = NonNullable<ReturnType<typeof useHealth>['data']>

const tones: Record<HealthState, { badge: BadgeTone; shape: 'check' | 'warning' | 'cross' | 'dashed'; banner: Tone }> =
  {
    ok: { badge: 'good', shape: 'check', banner: 'good' },
    warning: { badge: 'attention', shape: 'warning', banner: 'attention' },
    bad: { badge: 'harm', shape: 'cross', banner: 'harm' },
    unknown: { badge: 'neutral', shape: 'dashed', banner: 'info' },
  }

/** How the installation is, part by part, with what to do about it. Refreshes by itself. */
export default function HealthPage() {
  const health = useHealth()
  return (
    <>
      <PageHeader
        title="Health"
        description="The services this server depends on, checked every five seconds."
        badge={health.data && <Age at={health.dataUpdatedAt} lost={health.isError} />}
      />
      {health.isError && !health.data && (
        <Card flush>
          <ErrorState
            title="The health status could not be loaded"
            error={health.error}
            saved="If the server is running, its database may be unavailable."
            onRetry={() => health.refetch()}
          />
        </Card>
      )}
      {health.isPending && (
        <div className="grid gap-4 wide:grid-cols-2">
          {[0, 1, 2, 3].map((key) => (
            <Skeleton key={key} className="h-48 rounded-card" />
          ))}
        </div>
      )}
      {health.data && <Parts health={health.data} />}
    </>
  )
}

function Parts({ health }: { health: Health }) {
  const areas = [...new Set(health.lines.map((line) => line.area))]
  return (
    <>
      <Banner tone={tones[health.state].banner} role="status" className="mb-4">
        {healthSentence(health.lines)}
      </Banner>
      <div className="grid items-start gap-4 wide:grid-cols-2">
        {areas.map((area) => (
          <Card key={area} title={areaWords[area]}>
            <dl className="space-y-3.5 text-base">
              {health.lines
                .filter((line) => line.area === area)
                .map((line) => (
                  <Line key={line.name} line={line} />
                ))}
            </dl>
          </Card>
        ))}
      </div>
      <Card title="Jobs by name" description="Background jobs in the queue." flush className="mt-4">
        <DataTable label="Jobs" columns={jobColumns} rows={health.jobs} rowKey={(job) => job.name} />
      </Card>
    </>
  )
}

function Line({ line }: { line: HealthLine }) {
  const { badge, shape } = tones[line.state]
  return (
    <div>
      <dt className="flex items-center justify-between gap-3">
        <span className="font-medium text-ink">{line.name}</span>
        <Badge tone={badge} shape={shape}>
          {stateWords[line.state]}
        </Badge>
      </dt>
      <dd className="mt-0.5 wrap-anywhere">
        {line.text}
        {line.advice && <span className="block text-muted">{line.advice}</span>}
      </dd>
    </div>
  )
}

const count = (value: number) => (value === 0 ? <span className="text-muted">0</span> : formatNumber(value))

const jobColumns: Column<Health['jobs'][number]>[] = [
  { id: 'name', header: 'Job', cell: (job) => job.name },
  { id: 'waiting', header: 'Queued', number: true, cell: (job) => count(job.waiting) },
  {
    id: 'oldest',
    header: 'Oldest',
    number: true,
    wideOnly: true,
    cell: (job) =>
      job.oldestSeconds === null ? <span className="text-muted">-</span> : formatDuration(job.oldestSeconds),
  },
  { id: 'active', header: 'Running', number: true, cell: (job) => count(job.active) },
  { id: 'later', header: 'Scheduled', number: true, wideOnly: true, cell: (job) => count(job.later) },
  { id: 'failed', header: 'Failed in 24 h', number: true, cell: (job) => count(job.failed) },
]

/** How old the image is; it says so when it can no longer be renewed. */
function Age({ at, lost }: { at: number; lost: boolean }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((now - at) / 1_000))
  if (lost)
    return (
      <Badge tone="attention" shape="warning">
        no response; last known state {seconds} s ago
      </Badge>
    )
  return <Badge shape="clock">{seconds < 2 ? 'just now' : `${seconds} s ago`}</Badge>
}
