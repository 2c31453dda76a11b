/** npm run backup -- FILE: every row into one file, while the server runs or not (docs/operations.md). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { noteClaims } from '../server/features/campaigns/sending/backup.ts'
import { BackupError, saveLastBackup, writeBackup } from '../server/platform/backup/index.ts'
import { loadConfig } from '../server/platform/config.ts'
import { type Connection, clientOptions, kyselyOn, openPool } from '../server/platform/db/database.ts'
import { DatabaseStartError } from '../server/platform/db/embedded/index.ts'
import { reach } from '../server/platform/db/reach.ts'
import { ConfigError } from '../server/platform/environment.ts'
import { VERSION } from '../server/version.ts'

const USAGE = 'Usage: npm run backup -- FILE [--without-key]'

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'without-key': { type: 'boolean', default: false } },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new BackupError(USAGE)
    return { file, withKey: !values['without-key'] }
  } catch (error) {
    throw error instanceof BackupError ? error : new BackupError(`${(error as Error).message}\n${USAGE}`)
  }
}

/** What `npm run doctor` tells the age of the backup by. The backup is complete without it. */
async function noteTime(connection: Connection, at: Date) {
  const pool = openPool(connection, 1, () => undefined)
  try {
    await saveLastBackup(kyselyOn(pool), at)
  } catch (error) {
    console.log(`The database could not note that it was backed up: ${(error as Error).message}`)
  } finally {
    await pool.end()
  }
}

async function run() {
  const { file, withKey } = readArguments()
  const config = loadConfig()
  const { connection, leave } = await reach(config)
  try {
    const at = new Date()
    const client = new pg.Client(clientOptions(connection))
    client.on('error', () => undefined)
    await client.connect()
    const secretKey = withKey && config.secretKeyFile ? readFileSync(config.secretKeyFile, 'utf8').trim() : undefined
    const done = await writeBackup(client, file, { postlark: VERSION, ...(secretKey && { secretKey }) }, (client) =>
      noteClaims(client, join(config.dataDir, 'journal')),
    )
    await client.end()
    await noteTime(connection, at)
    console.log(`${file}: ${done.rows} rows of ${done.tables} tables, ${(done.bytes / 1e6).toFixed(1)} MB.`)
    if (secretKey) console.log('The secret key is in it: store the file where only you can read it.')
    else console.log('The secret key is not in it: store SECRET_KEY (or secret.key) too.')
  } finally {
    await leave()
  }
}

run().then(
  () => process.exit(0),
  (error) => {
    const isKnown = [BackupError, ConfigError, DatabaseStartError].some((known) => error instanceof known)
    console.error(isKnown ? error.message : `The backup was not made: ${error.message}`)
    process.exit(1)
  },
)
