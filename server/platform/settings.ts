import { sql } from 'kysely'
import type { Db } from './db/database.ts'

/** Stores a fact about the installation under a key, over what was there. */
export async function saveSetting(db: Db, key: string, value: string): Promise<void> {
  await sql`insert into settings (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value`.execute(db)
}

/** Stores a fact unless the key has one. Returns whether it had none. */
export async function addSetting(db: Db, key: string, value: string): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into settings (key, value) values (${key}, ${value})
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Counts a number under a key up by one, from 1. */
export async function countSetting(db: Db, key: string): Promise<void> {
  await sql`insert into settings (key, value) values (${key}, '1')
    on conflict (key) do update set value = (settings.value::bigint + 1)::text`.execute(db)
}
