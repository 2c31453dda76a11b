import type { Tag } from '#contracts/contacts/tags.ts'
import { MAX_TAGS } from '#contracts/contacts/tags.ts'
import { Id } from '#contracts/values.ts'
import { isTaken } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict, notFound, unknownId } from '#server/platform/http/refusal.ts'
import * as store from './tags-store.ts'

const present = (row: store.TagRow): Tag => ({
  ...row,
  contacts: Number(row.contacts),
  createdAt: row.createdAt.toISOString(),
})

/** The tags of a workspace in the order they were made, with their counts. */
export async function listTags(db: Db, workspaceId: string, page: { limit: number; after?: string }): Promise<Tag[]> {
  return (await store.tagPage(db, workspaceId, page)).map(present)
}

/** One tag with its count; a refusal (404) when there is none. */
export async function showTag(db: Db, workspaceId: string, id: string): Promise<Tag> {
  const row = await store.tagById(db, workspaceId, id)
  if (!row) throw notFound('Tag')
  return present(row)
}

async function refuseTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isTaken(error) ? conflict('name_taken', 'Another tag already has this name.') : error
  }
}

/** Creates a tag. Refusal 409 where its name is taken, or where the workspace has as many as it may. */
export async function createTag(db: Db, workspaceId: string, name: string): Promise<Tag> {
  if ((await store.countTags(db, workspaceId)) >= MAX_TAGS)
    throw conflict(
      'too_many_tags',
      `A workspace has at most ${MAX_TAGS.toLocaleString('en-US')} tags. Delete one first.`,
    )
  return showTag(db, workspaceId, await refuseTaken(store.insertTag(db, workspaceId, name)))
}

/** Renames a tag. Refusal 409 where the name is taken, 404 where there is no such tag. */
export async function changeTag(db: Db, workspaceId: string, id: string, name: string | undefined): Promise<Tag> {
  if (name !== undefined) await refuseTaken(store.renameTag(db, workspaceId, id, name))
  return showTag(db, workspaceId, id)
}

/** Removes a tag; its contacts lose it afterwards, with clearTagged. */
export async function removeTag(db: Db, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteTag(db, workspaceId, id))) throw notFound('Tag')
}

/** Refuses ids that are no tags of the workspace, without telling whether they are somebody else's. */
export async function requireTags(db: Db, workspaceId: string, field: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length > 0 && (await store.knownTags(db, workspaceId, wanted)).length < wanted.length)
    throw unknownId(field)
}

/** The id of a tag that is given by its id or its name; undefined where no tag has the name. An id is not looked up. */
export async function findTagId(db: Db, workspaceId: string, idOrName: string): Promise<string | undefined> {
  return Id.safeParse(idOrName).success ? idOrName : store.tagIdByName(db, workspaceId, idOrName)
}
