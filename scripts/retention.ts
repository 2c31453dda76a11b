/** npm run retention [-- MONTHS]: merges the events older than so many months (RETENTION_MONTHS) now. */
import { mergeOldEvents } from '../server/features/tracking/retention/retention.ts'
import { loadConfig } from '../server/platform/config.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { createLog } from '../server/platform/log.ts'

try {
  const [given, ...others] = process.argv.slice(2)
  const config = loadConfig(given === undefined ? process.env : { ...process.env, RETENTION_MONTHS: given })
  const months = config.retentionMonths
  if (months === undefined || others.length > 0)
    throw new Error(
      'Usage: npm run retention -- MONTHS, or set RETENTION_MONTHS. Events younger than that stay as they are.',
    )
  const database = await openDatabase(config, createLog({ logLevel: 'silent' }))
  try {
    const { before, after } = await mergeOldEvents(database.db, months)
    console.log(before === 0 ? 'Nothing to merge.' : `Merged ${before} events into ${after}.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
