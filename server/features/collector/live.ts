import type { FastifyReply } from 'fastify'
import type { CollectorProgress } from '#contracts/collector/collector.ts'
import { serveEvents } from '#server/platform/live/live.ts'
import type { Services } from '#server/services.ts'
import { CHANGED, countSkipped, isAtRest, pagesToGo } from './collector.ts'
import { presentResult } from './results/results.ts'
import { changedResults, revisionBefore } from './results/results-store.ts'
import { jobById } from './store.ts'

/** What changed in this process is looked at at once, and not more often than this. */
const LEAST_MS = 150
const WINDOW_MS = 10_000
/** A reader begins with so many of the newest findings, so that none falls between the page they requested before and this. */
const BACKLOG = 1_000
const PORTION = 200

/** Pages a second over the last ten seconds. */
function speedometer() {
  const samples: { at: number; pages: number }[] = []
  return (pages: number): number => {
    const newest = { at: performance.now(), pages }
    samples.push(newest)
    while (samples.length > 2 && newest.at - (samples[0]?.at ?? 0) > WINDOW_MS) samples.shift()
    const first = samples[0] ?? newest
    const seconds = (newest.at - first.at) / 1_000
    return seconds > 0 ? Math.max(0, Math.round(((pages - first.pages) / seconds) * 10) / 10) : 0
  }
}

/**
 * Progress and findings of a job as events. Both are read from the database, which every process shares, so that it does
 * not matter which one crawls; a finding comes again when it changed. The stream ends when the job is at rest.
 */
export function streamJob(
  { db, log, live, intervals }: Services,
  reply: FastifyReply,
  workspaceId: string,
  jobId: string,
): void {
  serveEvents(reply, ({ send, drained, end }) => {
    const speed = speedometer()
    let since: string | undefined
    let last = ''
    let timer: NodeJS.Timeout
    let busy = false
    let again = false
    /** Nobody watches any more: what still reads is the last to do so. */
    let isDone = false
    let lookedAt = 0

    const look = async () => {
      since ??= await revisionBefore(db, workspaceId, jobId, BACKLOG)
      // Before the findings: what was found until a job came to rest is sent before the stream ends.
      const row = await jobById(db, workspaceId, jobId)
      if (!row) return end()
      for (;;) {
        const changed = await changedResults(db, workspaceId, jobId, since, PORTION)
        for (const { revision, ...result } of changed) {
          send('found', presentResult(row.kind, result))
          since = revision
        }
        await drained()
        if (changed.length < PORTION || isDone) break
      }
      const rate = speed(row.pagesFetched)
      const pagesQueued = pagesToGo(row)
      const progress: CollectorProgress = {
        state: row.state,
        stateText: row.stateText,
        pagesFetched: row.pagesFetched,
        pagesQueued,
        found: row.found,
        skipped: countSkipped(row.skipped),
        pagesPerSecond: rate,
        secondsLeft: row.state === 'running' && rate > 0 ? Math.ceil(pagesQueued / rate) : null,
      }
      const text = JSON.stringify(progress)
      if (text !== last) send('progress', progress)
      last = text
      if (isAtRest(row.state)) end()
      else later(intervals.crawlStreamMs)
    }
    const run = () => {
      if (busy) {
        again = true
        return
      }
      busy = true
      lookedAt = performance.now()
      look()
        .catch((error) => {
          log.error({ err: error }, 'the progress of a crawl job could not be read')
          end()
        })
        .finally(() => {
          busy = false
          if (again) later(LEAST_MS)
          again = false
        })
    }
    const later = (ms: number) => {
      clearTimeout(timer)
      if (!isDone) timer = setTimeout(run, ms)
    }
    const unsubscribe = live.subscribe(CHANGED, (id) => {
      if (id !== jobId) return
      if (busy) again = true
      else later(Math.max(0, LEAST_MS - (performance.now() - lookedAt)))
    })
    run()
    return () => {
      isDone = true
      unsubscribe()
      clearTimeout(timer)
    }
  })
}
