import { MAX_TAGS } from '#contracts/contacts/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import { makeTags, tagAddresses } from '../tags/tags-store.ts'
import type { BadRow, Ready } from './imports-store.ts'

/** The tags of the rows, made where they are missing. Rows with a tag for which the workspace has no room are returned as bad. */
export async function withTags(
  db: Db,
  workspaceId: string,
  rows: Ready[],
): Promise<{ ready: Ready[]; tagIds: Map<string, string>; untaggable: BadRow[] }> {
  const names = [...new Set(rows.flatMap(({ tags }) => tags))]
  if (names.length === 0) return { ready: rows, tagIds: new Map(), untaggable: [] }
  const tagIds = await makeTags(db, workspaceId, names, MAX_TAGS)
  const untaggable: BadRow[] = []
  const ready = rows.filter((row) => {
    const name = row.tags.find((tag) => !tagIds.has(tag))
    if (name === undefined) return true
    const reason = `there is no room for the tag ${name}: a workspace has at most ${MAX_TAGS.toLocaleString('en-US')} tags`
    untaggable.push({ row: row.row, reason, line: row.email ?? row.phone ?? '' })
    return false
  })
  return { ready, tagIds, untaggable }
}

/** Puts the tags of imported rows on their contacts. */
export async function tagRows(db: Db, workspaceId: string, rows: Ready[], tagIds: Map<string, string>): Promise<void> {
  if (tagIds.size === 0) return
  const tagged = rows.flatMap(({ key, phone, tags }) =>
    [...new Set(tags.flatMap((tag) => tagIds.get(tag) ?? []))].map((tagId) => ({ key, phone, tagId })),
  )
  await tagAddresses(db, workspaceId, tagged)
}
