import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Encoded } from './encode.ts'

export interface Size {
  hash: string
  width: number
  height: number
}

/** The stored sizes of uploads, the largest first. */
export async function findSizes(db: Db, hashes: string[]): Promise<Size[]> {
  if (hashes.length === 0) return []
  return db
    .selectFrom('images')
    .where('hash', 'in', hashes)
    .select(['hash', 'width', 'height'])
    .orderBy('width', 'desc')
    .execute()
}

/** Makes images as new: they were uploaded once more. */
export async function touchSizes(db: Db, hash: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ createdAt: sql<Date>`now()` })
    .where('hash', '=', hash)
    .where('createdAt', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()
}

export async function insertSizes(db: Db, hash: string, sizes: Encoded[]): Promise<void> {
  await db
    .insertInto('images')
    .values(sizes.map((size) => ({ hash, ...size })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The bytes of one size, as WebP. */
export async function findImageBytes(db: Db, hash: string, width: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('images')
    .where('hash', '=', hash)
    .where('width', '=', width)
    .select('bytes')
    .executeTakeFirst()
  return row?.bytes
}
