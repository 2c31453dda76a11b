import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { PauseButton } from '#web/ui/form/pause-button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import type { Wording } from './kinds.ts'

/** Pause, resume and stop, as far as the state allows; then the way to the next one. */
export function JobActions({ job, wording }: { job: CrawlJob; wording: Wording }) {
  const queries = useQueryClient()
  const [stopping, setStopping] = useState(false)
  const { id, state } = job
  const keep = (next: CrawlJob) => {
    queries.setQueryData(['crawl-jobs', id], next)
    // An event may have told of newer counts meanwhile: asked again, the server tells the last.
    void queries.invalidateQueries({ queryKey: ['crawl-jobs', id], exact: true })
    void queries.invalidateQueries({ queryKey: ['crawl-jobs', 'list'] })
  }
  const act = useMutation({
    mutationFn: (what: 'pause' | 'resume') => api(collector[what], { params: { id } }),
    onSuccess: keep,
    onError: (error) => toast.error(errorMessage(error)),
  })
  if (state === 'done' || state === 'stopped' || state === 'failed')
    return <ButtonLink to={wording.path}>New scrape</ButtonLink>
  return (
    <>
      <PauseButton isPaused={state === 'paused'} busy={act.isPending} onPress={act.mutate} />
      <Button kind="quiet" className="text-harm-text!" onClick={() => setStopping(true)}>
        Stop
      </Button>
      <ConfirmDialog
        open={stopping}
        onOpenChange={setStopping}
        title="Stop this scrape?"
        action="Stop scrape"
        onConfirm={async () => keep(await api(collector.stop, { params: { id } }))}
      >
        {job.found > 0
          ? `The ${plural(job.found, wording.one, wording.many)} found so far ${job.found === 1 ? 'is' : 'are'} saved. `
          : ''}
        {job.pagesQueued > 0 ? `${plural(job.pagesQueued, 'queued page')} will not be read. ` : ''}A stopped scrape
        can’t be restarted. Pause it if you are not sure.
      </ConfirmDialog>
    </>
  )
}
