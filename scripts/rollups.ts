/** npm run rollups: compares the figures of reports with the events and messages they are counted from, and corrects them. */
import { checkRollups } from '../server/features/tracking/rollups/check.ts'
import { loadConfig } from '../server/platform/config.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { createLog } from '../server/platform/log.ts'

try {
  if (process.argv.length > 2) throw new Error('Usage: npm run rollups')
  const database = await openDatabase(loadConfig(), createLog({ logLevel: 'silent' }))
  try {
    const { wrongMessages, wrongLinks, wrongFigures } = await checkRollups(database.db)
    for (const { campaignId, dimension, total, messages } of wrongFigures)
      console.log(`Campaign ${campaignId}: ${dimension} differed by ${total} requests and ${messages} messages.`)
    if (wrongMessages > 0) console.log(`${wrongMessages} messages differed from their events.`)
    if (wrongLinks > 0) console.log(`${wrongLinks} clicked links differed in lists of recipients.`)
    console.log(
      wrongMessages + wrongLinks + wrongFigures.length === 0
        ? 'Every figure is what its events say.'
        : 'The figures are corrected.',
    )
  } finally {
    await database.close()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
