/** npm run restore -- FILE: brings a backup into an empty database, with every server stopped (docs/operations.md). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdRestored } from '../server/features/campaigns/sending/backup.ts'
import { holdRestoredJourneys } from '../server/features/journeys/store.ts'
import {
  BackupError,
  type BackupReader,
  clearUnused,
  finishRestore,
  type Header,
  openBackup,
  readHeader,
  restoreBackup,
  restoreJobs,
} from '../server/platform/backup/index.ts'
import { dataFolder, loadConfig } from '../server/platform/config.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { DatabaseStartError } from '../server/platform/db/embedded/index.ts'
import { ConfigError } from '../server/platform/environment.ts'
import { createLog } from '../server/platform/log.ts'
import { secretFingerprint } from '../server/platform/secret-check.ts'

const OTHER_KEY =
  'The backup belongs to another secret key. Set SECRET_KEY, or DATA_DIR/secret.key, to the key of the installation it was made of. Nothing was changed.'

/** The key in the backup becomes that of this data folder, unless one is given or there already. */
function placeKey({ secretKey }: Header): void {
  if (!secretKey || process.env.SECRET_KEY) return
  const folder = dataFolder(process.env.DATA_DIR ?? './data')
  const file = join(folder, 'secret.key')
  if (!existsSync(file)) return writeFileSync(file, `${secretKey}\n`, { mode: 0o600, flush: true })
  if (readFileSync(file, 'utf8').trim() !== secretKey)
    throw new BackupError(
      `${file} is the key of another installation. Restore into another DATA_DIR, or move that file away. Nothing was changed.`,
    )
}

async function restore(reader: BackupReader, file: string) {
  const header = await readHeader(reader)
  placeKey(header)
  const config = loadConfig()
  if (header.keyFingerprint !== null && header.keyFingerprint !== secretFingerprint(config.secretKey))
    throw new BackupError(OTHER_KEY)
  // Past a pooler: it asks who else is connected, and what it prepares is not to be handed on.
  const { databaseUrl, databaseDirectUrl, ...rest } = config
  const database = await openDatabase(
    { ...rest, databaseUrl: databaseDirectUrl ?? databaseUrl },
    createLog({ logLevel: 'silent' }),
  )
  try {
    const client = await database.pool.connect()
    await clearUnused(client).finally(() => client.release())
    const { rows, tables, jobs, note } = await restoreBackup(database.pool, reader, header)
    const held = await holdRestored(database.db, new Date(header.at), note)
    const journeys = await holdRestoredJourneys(database.db, new Date(header.at))
    await restoreJobs(database.pool, jobs)
    await finishRestore(database.pool)
    console.log(`${file} of ${header.at}: ${rows} rows of ${tables} tables were restored.`)
    if (journeys > 0) console.log(`${journeys} journeys are paused. Activate them if nothing was sent since.`)
    if (held.paused > 0)
      console.log(`${held.paused} campaigns that were sending are paused. Resume them if nothing was sent since.`)
    if (held.unscheduled > 0) console.log(`${held.unscheduled} campaigns whose time has passed are drafts again.`)
    if (held.unconfirmed > 0)
      console.log(`${held.unconfirmed} messages were being sent then, and are listed as unconfirmed.`)
  } finally {
    await database.close()
  }
}

async function run() {
  const [file, ...more] = process.argv.slice(2)
  if (!file || more.length > 0) throw new BackupError('Usage: npm run restore -- FILE')
  const reader = openBackup(file)
  await restore(reader, file).finally(() => reader.close())
}

run().then(
  () => process.exit(0),
  (error) => {
    const isKnown = [BackupError, ConfigError, DatabaseStartError].some((known) => error instanceof known)
    console.error(isKnown ? error.message : `The backup was not restored: ${error.message}`)
    process.exit(1)
  },
)
