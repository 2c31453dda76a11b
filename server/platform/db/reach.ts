import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import type { Connection } from './database.ts'
import { runningHost, startEmbedded } from './embedded/index.ts'

/** A way to the database of an installation for a program beside the server. */
export interface Reached {
  connection: Connection
  /** Whose PostgreSQL it is: that of DATABASE_URL, the running server's, or one started for the moment. */
  through: 'url' | 'server' | 'start'
  /** Stops what was started for the moment. */
  leave(): Promise<void>
}

/** The running server's database, or the embedded one, started for the moment. Throws DatabaseStartError. */
export async function reach({
  databaseUrl,
  databaseDirectUrl,
  dataDir,
  postgresBin,
}: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir' | 'postgresBin'>): Promise<Reached> {
  const leave = async () => undefined
  if (databaseUrl) return { connection: { connectionString: databaseDirectUrl ?? databaseUrl }, through: 'url', leave }
  const host = runningHost(dataDir)
  if (host) return { connection: { host }, through: 'server', leave }
  const embedded = await startEmbedded(dataDir, createLog({ logLevel: 'silent' }), { postgresBin })
  return { connection: { host: embedded.host }, through: 'start', leave: embedded.stop }
}
