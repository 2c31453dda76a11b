import type pg from 'pg'
import type { Db } from '../db/database.ts'
import { saveSetting } from '../settings.ts'

const SETTING = 'last_backup'

/** Notes the moment that a complete backup is of. */
export const saveLastBackup = (db: Db, at: Date): Promise<void> => saveSetting(db, SETTING, at.toISOString())

/** The moment that the last backup of this database is of; undefined where none was noted. */
export async function findLastBackup(pool: Pick<pg.Pool, 'query'>): Promise<Date | undefined> {
  const { rows } = await pool.query<{ value: string }>('select value from settings where key = $1', [SETTING])
  const at = new Date(rows[0]?.value ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at
}
