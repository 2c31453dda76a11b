/** npm run migrate: brings the database to the newest schema; with DATABASE_BACKEND=citus, and spreads its tables. */
import { loadConfig } from '../server/platform/config.ts'
import { spreadTables } from '../server/platform/db/citus.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { createLog } from '../server/platform/log.ts'

try {
  const config = loadConfig()
  const database = await openDatabase(config, createLog({ logLevel: 'silent' }))
  try {
    const names = await migrate(database.direct.pool)
    console.log(names.length > 0 ? `Applied ${names.join(', ')}` : 'Nothing to apply.')
    if (config.databaseBackend === 'citus') {
      const spread = await spreadTables(database.direct.pool)
      console.log(spread.length > 0 ? `Spread ${spread.join(', ')}` : 'Nothing to spread.')
    }
  } finally {
    await database.close()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
