import { remainingQuota, reserveQuotaUpTo } from '#server/features/billing/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Queue } from '#server/platform/queue.ts'
import type { LeasedJob } from './leases-store.ts'

/**
 * Counts the pages a run reads against what the plan has of them for the month. `usedUp` aborts when there are no more;
 * the few that were in flight at that moment are stored and cost nothing.
 */
export function pageMeter(context: { queue: Pick<Queue, 'enqueue'> }, { workspaceId }: LeasedJob) {
  const usedUp = new AbortController()
  return {
    usedUp: usedUp.signal,
    /** Counts pages in the transaction that keeps them. */
    async count(db: Db, pages: number): Promise<void> {
      if (pages > 0 && (await reserveQuotaUpTo(context, db, workspaceId, 'pages', pages)).amount < pages) usedUp.abort()
    },
  }
}

/** Why a crawl job waits when the pages of the month are used up. */
export async function wordsOfUsedUp(db: Db, { workspaceId }: LeasedJob): Promise<string> {
  const { limit, until } = await remainingQuota(db, workspaceId, 'pages')
  return `Paused: all ${limit.toLocaleString('en-US')} web pages of this month are used, until ${until}. The results are retained. Resume it then, or choose a larger plan.`
}
