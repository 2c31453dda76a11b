import { MAX_SAVED_REPLIES, type SavedReply } from '#contracts/whatsapp/saved-replies.ts'
import { isTaken } from '#server/platform/db/constraints.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import * as store from './store.ts'

type Base = Pick<Services, 'db'>

const present = (row: store.SavedReplyRow): SavedReply => ({ ...row, updatedAt: row.updatedAt.toISOString() })

export async function listSavedReplies({ db }: Base, workspaceId: string): Promise<SavedReply[]> {
  return (await store.savedReplies(db, workspaceId)).map(present)
}

async function show({ db }: Base, workspaceId: string, id: string): Promise<SavedReply> {
  const row = await store.savedReplyById(db, workspaceId, id)
  if (!row) throw notFound('Saved reply')
  return present(row)
}

function refuseTaken(error: unknown): never {
  if (isTaken(error)) throw conflict('name_taken', 'A saved reply with this name already exists.')
  throw error
}

/** Throws Refusal 409 where the name is taken or there are too many. */
export async function createSavedReply(
  services: Base,
  workspaceId: string,
  given: { name: string; text: string },
): Promise<SavedReply> {
  const id = await store.insertSavedReply(services.db, workspaceId, given, MAX_SAVED_REPLIES).catch(refuseTaken)
  if (id === undefined)
    throw conflict('too_many', `A workspace has ${MAX_SAVED_REPLIES} saved replies at most. Delete one first.`)
  return show(services, workspaceId, id)
}

/** Throws Refusal 404, or 409 where the name is taken. */
export async function changeSavedReply(
  services: Base,
  workspaceId: string,
  id: string,
  given: { name?: string | undefined; text?: string | undefined },
): Promise<SavedReply> {
  await show(services, workspaceId, id)
  const { name, text } = given
  const change = { ...(name !== undefined && { name }), ...(text !== undefined && { text }) }
  await store.updateSavedReply(services.db, workspaceId, id, change).catch(refuseTaken)
  return show(services, workspaceId, id)
}

/** Throws Refusal 404. */
export async function removeSavedReply({ db }: Base, workspaceId: string, id: string): Promise<void> {
  if (!(await store.deleteSavedReply(db, workspaceId, id))) throw notFound('Saved reply')
}
