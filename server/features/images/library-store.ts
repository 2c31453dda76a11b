import type { Db } from '#server/platform/db/database.ts'

const columns = ['id', 'url', 'width', 'height', 'name', 'alt', 'createdAt'] as const

export interface LibraryRow {
  id: string
  url: string
  width: number
  height: number
  name: string
  alt: string
  createdAt: Date
}

/** Newest first; `before` is the last id of the page before. */
export function imagePage(db: Db, workspaceId: string, limit: number, before?: string): Promise<LibraryRow[]> {
  let query = db
    .selectFrom('workspaceImages')
    .where('workspaceId', '=', workspaceId)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) query = query.where('id', '<', before)
  return query.execute()
}

export async function countImages(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('workspaceImages')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The same image a second time is the one there is; an alternative text it comes with wins. */
export function insertImage(
  db: Db,
  workspaceId: string,
  image: Omit<LibraryRow, 'id' | 'createdAt'>,
): Promise<LibraryRow> {
  return db
    .insertInto('workspaceImages')
    .values({ workspaceId, ...image })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'url'])
        .doUpdateSet((eb) => (image.alt ? { alt: image.alt } : { url: eb.ref('excluded.url') })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export function changeImage(
  db: Db,
  workspaceId: string,
  id: string,
  fields: { name?: string; alt?: string },
): Promise<LibraryRow | undefined> {
  const query = db
    .updateTable('workspaceImages')
    .set((eb) => ({ url: eb.ref('url'), ...fields }))
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
  return query.returning(columns).executeTakeFirst()
}

/** Returns whether there was one. */
export async function deleteImage(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('workspaceImages')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}
