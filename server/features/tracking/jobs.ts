import type { Services } from '#server/services.ts'
import { mergeOldEvents } from './retention/retention.ts'
import { rollAll } from './rollups/roller.ts'

/** Counts events for the figures of reports, and merges old ones, where the configuration says how old. */
export async function handleJobs({ db, queue, intervals, config }: Services): Promise<void> {
  await queue.every({
    name: 'tracking.rollups',
    per: 'process',
    intervalMs: intervals.rollupsMs,
    run: (signal) => rollAll(db, signal),
  })
  await queue.every({
    name: 'tracking.retention',
    per: 'database',
    intervalMs: intervals.retentionMs,
    run: async (signal) => {
      if (config.retentionMonths !== undefined) await mergeOldEvents(db, config.retentionMonths, signal)
    },
  })
}
