import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ImportJob, imports } from '#contracts/contacts/imports.ts'
import { api, errorMessage } from '#web/api.ts'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatNumber, plural } from '#web/ui/lib/format.ts'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useImport } from '../queries.ts'
import { formatDuplicates, formatImportResult, formatInvalidDates, formatInvalidPhones } from './labels.ts'

interface ImportProgressProps {
  id: string
  /** What it came to, in other words than those of contacts. */
  result?: string | undefined
  /** It has ended, well or not. */
  onEnd?: () => void
}

/** One import, live while it runs and in words when it is done. Survives a reload: all of it is read from the server. */
export function ImportProgress({ id, result, onEnd }: ImportProgressProps) {
  const queries = useQueryClient()
  const { data: job, error, refetch } = useImport(id)
  const state = job?.state
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    if (state !== 'done' && state !== 'failed') return
    for (const name of ['contacts', 'lists']) void queries.invalidateQueries({ queryKey: [name] })
    ended.current?.()
  }, [state, queries])
  if (error && !job)
    return (
      <ErrorState
        title="The import could not be loaded"
        error={error}
        saved="It continues automatically."
        onRetry={() => refetch()}
      />
    )
  if (!job) return <Skeleton className="h-24 w-full" />
  return (
    <div className="space-y-4" aria-live="polite">
      {job.state === 'failed' && (
        <Banner tone="harm" title="The import failed">
          {job.error ?? 'The reason is unknown.'}{' '}
          {job.imported + job.updated > 0 ? `Imported: ${formatImportResult(job)}.` : 'No contacts were changed.'}
        </Banner>
      )}
      {job.state === 'done' && (
        <Banner tone="good" title={result ?? `Import complete: ${formatImportResult(job)}`}>
          {formatDuplicates(job)} {formatInvalidPhones(job)} {formatInvalidDates(job)}{' '}
          {job.errorCount > 0 && 'The rows are listed below with the reason.'}
        </Banner>
      )}
      {(job.state === 'queued' || job.state === 'running') && <Running job={job} />}
      {job.errorCount > 0 && <BadRows job={job} />}
    </div>
  )
}

function Running({ job }: { job: ImportJob }) {
  const share = Math.round(job.progress * 100)
  return (
    <div>
      <p className="mb-2 text-base text-ink">
        {job.state === 'queued'
          ? 'Queued. You can leave this page.'
          : `Reading ${job.fileName}: ${share}%. You can leave this page.`}
      </p>
      <ProgressBar
        label="Import"
        parts={[
          { label: 'Read', value: share, tone: 'accent' },
          { label: 'Remaining', value: 100 - share, tone: 'waiting' },
        ]}
      />
      <p className="mt-2 text-sm text-muted tabular-nums">
        {formatNumber(job.imported)} added, {formatNumber(job.updated)} updated, {formatNumber(job.skipped)} skipped
      </p>
    </div>
  )
}

function BadRows({ job }: { job: ImportJob }) {
  const [busy, setBusy] = useState(false)
  async function download() {
    setBusy(true)
    try {
      await saveFile(await api(imports.errors, { params: { id: job.id } }), 'import-problems.csv')
    } catch (error) {
      toast.error(`The download failed. ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Rows with problems" className="rounded-card border bg-surface">
      <header className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-3">
        <h3 className="text-base font-semibold">{plural(job.errorCount, 'row')} with problems</h3>
        <Button size="sm" busy={busy} onClick={download}>
          Download rows
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div tabIndex={0} role="group" aria-label="Rows with reasons" className="max-h-80 overflow-auto">
        <table className="w-full text-base">
          <thead>
            <tr className="text-left text-xs text-muted">
              <th scope="col" className="sticky top-0 h-8 w-24 border-b bg-surface px-4 text-right font-medium">
                Row
              </th>
              <th scope="col" className="sticky top-0 border-b bg-surface px-4 font-medium">
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {job.errors.slice(0, 200).map((error) => (
              <tr key={`${error.row} ${error.reason}`} className="border-b last:border-0">
                <td className="px-4 py-2 text-right align-top text-text">{formatNumber(error.row)}</td>
                <td className="px-4 py-2 text-ink first-letter:uppercase">{error.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {job.errorCount > 200 && (
        <p className="border-t px-4 py-2 text-sm text-muted">
          Showing the first 200 of {formatNumber(job.errorCount)}. The download has more of them.
        </p>
      )}
    </section>
  )
}
