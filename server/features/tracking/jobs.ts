import type { Services } from '#server/services.ts'
import { mergeOldEvents } from './retention/retention.ts'
import { checkPart } from './rollups/check.ts'
import { rollAll } from './rollups/roller.ts'
import { isAnyMarked } from './rollups/rollups-store.ts'

/** Runs, a day apart, in which all figures are compared. */
const CHECKED_PARTS = 30

/** Counts events for the figures of reports, compares some of them, and merges old ones, where the configuration says how old. */
export async function handleJobs({ db, log, queue, intervals, config }: Services): Promise<void> {
  await queue.every({
    name: 'tracking.rollups',
    per: 'process',
    intervalMs: intervals.rollupsMs,
    isDue: isAnyMarked,
    run: (signal) => rollAll(db, signal),
  })
  await queue.every({
    name: 'tracking.check-rollups',
    per: 'database',
    intervalMs: intervals.rollupsCheckMs,
    run: async (signal) => {
      const { wrongMessages, wrongLinks, wrongFigures } = await checkPart(db, CHECKED_PARTS, signal)
      if (wrongMessages + wrongLinks + wrongFigures.length > 0)
        log.warn(
          { wrongMessages, wrongLinks, wrongFigures },
          'figures of reports differed from their events and are corrected',
        )
    },
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
