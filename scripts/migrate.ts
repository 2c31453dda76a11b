/** npm run migrate: brings the database to the newest schema. */
import { loadConfig } from '../server/platform/config.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { createLog } from '../server/platform/log.ts'

try {
  const database = await openDatabase(loadConfig(), createLog({ logLevel: 'silent' }))
  try {
    const names = await migrate(database.direct.pool)
    console.log(names.length > 0 ? `Applied ${names.join(', ')}` : 'Nothing to apply.')
  } finally {
    await database.close()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
