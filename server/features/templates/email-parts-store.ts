import { sql } from 'kysely'
import type { Brand } from '#contracts/templates/parts.ts'
import type { Db } from '#server/platform/db/database.ts'

const columns = ['id', 'name', 'mjml', 'createdAt', 'updatedAt'] as const

export interface BlockRow {
  id: string
  name: string
  mjml: string
  createdAt: Date
  updatedAt: Date
}

/** Newest first, at most `limit`. */
export function listBlocks(db: Db, workspaceId: string, limit: number): Promise<BlockRow[]> {
  return db
    .selectFrom('savedBlocks')
    .where('workspaceId', '=', workspaceId)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Stores a block unless the workspace has `limit` of them; then it returns undefined. */
export async function insertBlock(
  db: Db,
  workspaceId: string,
  block: { name: string; mjml: string },
  limit: number,
): Promise<BlockRow | undefined> {
  // Others who add wait, so that the limit is exact.
  await db.selectFrom('workspaces').where('id', '=', workspaceId).select('id').forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('savedBlocks')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) return undefined
  return db
    .insertInto('savedBlocks')
    .values({ workspaceId, ...block })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export function renameBlock(db: Db, workspaceId: string, id: string, name: string): Promise<BlockRow | undefined> {
  return db
    .updateTable('savedBlocks')
    .set({ name, updatedAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

/** Returns whether there was one. */
export async function deleteBlock(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('savedBlocks')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

const NONE: Brand = { colors: [], textFont: '', headingFont: '' }

/** The workspace's colors and fonts; empty before they are set. */
export async function findBrand(db: Db, workspaceId: string): Promise<Brand> {
  const row = await db
    .selectFrom('brands')
    .where('workspaceId', '=', workspaceId)
    .select(['colors', 'textFont', 'headingFont'])
    .executeTakeFirst()
  return row ?? NONE
}

export async function setBrand(db: Db, workspaceId: string, brand: Brand): Promise<void> {
  await db
    .insertInto('brands')
    .values({ workspaceId, ...brand })
    .onConflict((conflict) =>
      conflict
        .column('workspaceId')
        .doUpdateSet({ ...brand, updatedAt: sql<Date>`excluded.updated_at` })
        .where('brands.workspaceId', '=', workspaceId),
    )
    .execute()
}
