import type { Db } from '#server/platform/db/database.ts'
import { type ContactMatch, plainPage } from './pages-store.ts'
import { attributeNames } from './store.ts'
import { countTags } from './tags/tags-store.ts'

const PAGE = 2_000

/** Every attribute name in use, found portion by portion. */
async function allNames(db: Db, workspaceId: string): Promise<string[]> {
  const names = new Set<string>()
  let before: string | undefined
  for (;;) {
    const found = await attributeNames(db, workspaceId, 20_000, before)
    for (const name of found.names) names.add(name)
    if (found.last === null) return [...names].sort()
    before = found.last
  }
}

/** Which contacts an export holds: those that match, or those that were chosen. */
export type ExportMatch = ContactMatch & { ids?: readonly string[] | undefined }
type InTurn = <T>(read: (db: Db) => Promise<T>) => Promise<T>

/** Contacts as pages of rows: all that match, or those of them that were chosen. Each page is read `inTurn`. */
async function* exportPages(
  db: Db,
  workspaceId: string,
  match: ExportMatch,
  inTurn: InTurn,
): AsyncGenerator<string[][]> {
  const names = await allNames(db, workspaceId)
  const isTagged = (await countTags(db, workspaceId)) > 0
  yield [['email', 'phone', 'name', 'status', ...(isTagged ? ['tags'] : []), ...names]]
  let before: string | undefined
  for (;;) {
    const rows = await inTurn((db) => plainPage(db, workspaceId, match, { limit: PAGE, before }))
    yield rows.map((row) => [
      row.email ?? '',
      row.phone ?? '',
      row.name,
      row.status,
      ...(isTagged ? [row.tags.join(', ')] : []),
      ...names.map((name) => String(row.attributes[name] ?? '')),
    ])
    if (rows.length < PAGE) return
    before = rows.at(-1)?.id
  }
}

/** The pages of an export. A filter is tried first: once a file is on its way, nothing can be refused any more. */
export async function exportContacts(
  db: Db,
  workspaceId: string,
  match: ExportMatch,
  inTurn: InTurn,
): Promise<AsyncGenerator<string[][]>> {
  if (match.where) await inTurn((db) => plainPage(db, workspaceId, match, { limit: 1 }))
  return exportPages(db, workspaceId, match, inTurn)
}
