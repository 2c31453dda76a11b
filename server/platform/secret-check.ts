import type pg from 'pg'
import type { Config } from './config.ts'
import { deriveKey } from './crypto.ts'
import { ConfigError } from './environment.ts'

const SETTING = 'secret_key'

/** What the database may know of a key. */
export const secretFingerprint = (secretKey: string): string =>
  deriveKey(secretKey, 'fingerprint').toString('base64url')

/** The fingerprint of the key that the database belongs to; undefined where none was noted yet. */
export async function findFingerprint(pool: Pick<pg.Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<{ value: string }>('select value from settings where key = $1', [SETTING])
  return rows[0]?.value
}

/**
 * Notes in the database which key its links, tokens and stored credentials are made with, and throws ConfigError for a
 * process with another one: its unsubscribe links would be dead. Only a derived fingerprint is stored. A database without
 * one takes the first that comes.
 */
export async function checkSecretKey(
  pool: pg.Pool,
  config: Pick<Config, 'secretKey' | 'secretKeyFile'>,
): Promise<void> {
  const fingerprint = secretFingerprint(config.secretKey)
  await pool.query('insert into settings (key, value) values ($1, $2) on conflict do nothing', [SETTING, fingerprint])
  if ((await findFingerprint(pool)) === fingerprint) return
  const source = config.secretKeyFile
    ? `the one generated in DATA_DIR (${config.secretKeyFile}) belongs to another installation`
    : 'the one given belongs to another installation'
  throw new ConfigError(
    `SECRET_KEY is not the key of this database: ${source}. Give every process the same SECRET_KEY, or the same DATA_DIR with its secret.key`,
  )
}
