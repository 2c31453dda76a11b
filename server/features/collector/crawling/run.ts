import type { Crawler } from '#server/crawler/index.ts'
import type { Log } from '#server/platform/log.ts'
import type { Queue } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import type { MailDomains } from '../mail-domains.ts'
import { unaskedAddresses } from '../results/results-store.ts'
import { setMx, TakenOver } from './counts-store.ts'
import { DatabaseFrontier, type FoundRow } from './database-frontier.ts'
import { describeEnd } from './job-end.ts'
import { endJob, type LeasedJob, noteOnJob, pauseOrEndJob, releaseJob } from './leases-store.ts'
import { pageMeter, wordsOfUsedUp } from './pages-limit.ts'

/** What every run of a process shares. */
export interface Collecting {
  db: Services['db']
  log: Log
  crawler: Crawler
  domains: MailDomains
  queue: Pick<Queue, 'enqueue'>
  /** Tells the process that something of a job changed. */
  changed(jobId: string): void
}

/** The end of a crawl waits so long for name servers; what they say later is still written down. */
const LAST_RESPONSES_MS = 3_000

/** Asks about the domains of new addresses while the crawl goes on, each domain once a run. */
function domainAsker({ db, log, domains, changed }: Collecting, { id: jobId, workspaceId }: LeasedJob) {
  const asked = new Map<string, string[]>()
  const open = new Set<Promise<void>>()
  const write = async (domain: string, ids: string[]) => {
    const mx = await domains.findMxState(domain)
    asked.delete(domain)
    if (mx === 'unknown') return
    await setMx(db, workspaceId, jobId, ids, mx)
    changed(jobId)
  }
  return {
    ask(rows: FoundRow[]): void {
      for (const { id, value } of rows) {
        const domain = value.slice(value.lastIndexOf('@') + 1)
        const waiting = asked.get(domain)
        if (waiting) {
          waiting.push(id)
          continue
        }
        const ids = [id]
        asked.set(domain, ids)
        const work = write(domain, ids)
          .catch((error) => log.warn({ err: error, job: jobId }, 'what DNS says of a domain could not be stored'))
          .finally(() => open.delete(work))
        open.add(work)
      }
    },
    async settled(): Promise<void> {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_RESPONSES_MS)
      })
      await Promise.race([Promise.allSettled([...open]), late])
      clearTimeout(timer)
    },
  }
}

/**
 * Crawls a job from where it was to its end, or until `signal` aborts; then it is free for the next process. Rejects
 * when the database does not keep what was read.
 */
export async function runJob(collecting: Collecting, job: LeasedJob, signal: AbortSignal): Promise<void> {
  const { db, crawler, changed } = collecting
  try {
    const asker = domainAsker(collecting, job)
    const isEmail = job.kind === 'email'
    const meter = pageMeter(collecting, job)
    const frontier = await DatabaseFrontier.open(db, job, {
      changed(found) {
        changed(job.id)
        if (isEmail) asker.ask(found)
      },
      read: meter.count,
    })
    if (isEmail && job.pagesFetched > 0) asker.ask(await unaskedAddresses(db, job.workspaceId, job.id))
    const { urls: _, country, ...limits } = job.settings
    const { end } = await crawler.crawl({
      workspaceId: job.workspaceId,
      settings: { ...limits, hosts: job.hosts, kind: job.kind, ...(country && { country }) },
      frontier,
      resumed: {
        pagesRead: job.pagesFetched,
        contentHashes: frontier.contentHashes,
        forgotten: job.forgotten,
      },
      signal: AbortSignal.any([signal, meter.usedUp]),
      onNote: ({ text }) => void noteOnJob(db, job.worker, text).catch(() => undefined),
    })
    if (meter.usedUp.aborted) await pauseOrEndJob(db, job, await wordsOfUsedUp(db, job))
    if (end === 'stopped') return await releaseJob(db, job.worker)
    await asker.settled()
    await endJob(db, job.worker, await describeEnd(db, job.id, end))
  } catch (error) {
    if (error instanceof TakenOver) return
    throw error
  } finally {
    changed(job.id)
  }
}
