import type { Services } from '#server/services.ts'
import { mergeOldEvents } from './retention.ts'

/** Merges old events, where the configuration says how old. */
export async function handleJobs({ db, queue, intervals, config }: Services): Promise<void> {
  await queue.every({
    name: 'tracking.retention',
    per: 'database',
    intervalMs: intervals.retentionMs,
    run: async (signal) => {
      if (config.retentionMonths !== undefined) await mergeOldEvents(db, config.retentionMonths, signal)
    },
  })
}
