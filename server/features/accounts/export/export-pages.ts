import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A row of an export, by column. */
export type ExportRow = Record<string, unknown>
/** Rows, page by page. */
export type Pages = AsyncGenerator<ExportRow[]>

/** Rows read at once. */
export const PAGE = 1_000
/** Templates and campaigns may hold a megabyte each. */
export const HEAVY = 20

/** Follows a query that takes the last row of the page before. */
export async function* along<R extends ExportRow>(
  size: number,
  query: (last: R | undefined, size: number) => RawBuilder<R>,
  db: Db,
) {
  for (let last: R | undefined; ; ) {
    const { rows } = await query(last, size).execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
  }
}

/** A table with a workspace and an id, in the order of the id. `columns` names what leaves. */
export function byId(db: Db, workspaceId: string, table: string, columns: string[], size = PAGE): Pages {
  const named = sql.join(columns.map((column) => sql.ref(column)))
  return along<ExportRow>(
    size,
    (last, size) => sql`select ${named} from ${sql.table(table)}
      where workspace_id = ${workspaceId} and id > ${(last?.id as string | undefined) ?? '0'} order by id limit ${size}`,
    db,
  )
}

/** The ids of lists, campaigns and the like, whose rows are read one after the other. */
export async function listIds(
  db: Db,
  workspaceId: string,
  table: 'lists' | 'campaigns' | 'imports' | 'crawlJobs',
): Promise<string[]> {
  const rows = await db.selectFrom(table).where('workspaceId', '=', workspaceId).select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}
