import { type Merge, UNDO_DAYS } from '#contracts/contacts/merges.ts'
import { isTaken } from '#server/platform/db/constraints.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, unknownId } from '#server/platform/http/refusal.ts'
import { contactParts } from '../contact-parts.ts'
import { showContact } from '../contacts.ts'
import { moveEvents } from '../events/events-store.ts'
import { SAMPLE_SOURCE } from '../samples-store.ts'
import { moveEdits } from '../timeline/edits-store.ts'
import { combine, findConflicts, part } from './combine.ts'
import * as store from './merges-store.ts'

const DAY_MS = 86_400_000

/** Locks both, in the order of their ids: two merges of the same pair then wait for each other and never forever. */
async function lockBoth(db: Db, workspaceId: string, id: string, otherId: string) {
  const locked = new Map<string, store.Snapshot | undefined>()
  for (const one of [id, otherId].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)))
    locked.set(one, await store.lockContact(db, workspaceId, one))
  return [locked.get(id), locked.get(otherId)]
}

/** Gives everything of one contact to another. Returns the ids of what was moved. */
async function moveAll(db: Db, workspaceId: string, other: store.Snapshot, kept: store.Snapshot) {
  const moved: store.Moved = {}
  for (const part of contactParts()) Object.assign(moved, await part.merge?.(db, workspaceId, other.id, kept.id))
  await store.takeLists(db, workspaceId, other.id, kept.id)
  await store.takeTags(db, workspaceId, other.id, kept.id)
  moved.origins = await store.moveOrigins(db, workspaceId, other.id, kept.id)
  moved.confirmations = await store.moveConfirmations(db, workspaceId, other.id, kept.id)
  moved.preferences = await store.movePreferences(db, workspaceId, other.id, kept.id)
  moved.edits = await moveEdits(db, workspaceId, other.id, kept.id)
  moved.happened = await moveEvents(db, workspaceId, other.id, kept.id)
  moved.suppressions = await store.takeSuppressions(db, workspaceId, other, kept)
  return moved
}

/** Merges another contact into one. Refusal 404, 400 or 409 where there is nothing to merge. */
export function mergeContacts(db: Db, { workspaceId, email }: Caller, id: string, otherId: string) {
  return db.transaction().execute(async (db) => {
    const [kept, other] = await lockBoth(db, workspaceId, id, otherId)
    if (!kept) throw notFound('Contact')
    if (id === otherId) throw invalid('otherId', 'is the contact itself')
    if (!other) throw unknownId('otherId')
    if (kept.source === SAMPLE_SOURCE || other.source === SAMPLE_SOURCE)
      throw conflict('sample_contact', 'Sample contacts cannot be merged.')
    const moved = await moveAll(db, workspaceId, other, kept)
    // First it goes, so that its addresses are free.
    await store.deleteMerged(db, workspaceId, otherId)
    await store.writeFields(db, workspaceId, id, combine(kept, other))
    const mergeId = await store.insertMerge(db, workspaceId, { contactId: id, other, before: kept, moved }, email)
    return { ...(await showContact(db, workspaceId, id)), mergeId, conflicts: findConflicts(kept, other) }
  })
}

const present = ({ id, other, at }: store.MergeRow): Merge => ({
  id,
  other: other.email ?? other.phone ?? other.name,
  at: at.toISOString(),
  undoUntil: new Date(at.getTime() + UNDO_DAYS * DAY_MS).toISOString(),
})

/** The merges into a contact that can be undone. */
export async function showMerges(db: Db, workspaceId: string, contactId: string): Promise<{ items: Merge[] }> {
  await showContact(db, workspaceId, contactId)
  return { items: (await store.listMerges(db, workspaceId, contactId, UNDO_DAYS)).map(present) }
}

/** Only the newest can be undone first: an older one may have given it what it has. */
function requireNewest(merges: store.MergeRow[], mergeId: string): store.MergeRow {
  const merge = merges.find(({ id }) => id === mergeId)
  if (!merge) throw unknownId('mergeId')
  if (merge !== merges[0])
    throw conflict('not_newest', 'Another contact was merged into this one later. Undo that first.')
  return merge
}

/** Undoes a merge. Refusal 409 where an address of the other contact is somebody else's by now. */
export async function undoMerge(db: Db, workspaceId: string, id: string, mergeId: string) {
  const work = db.transaction().execute(async (db) => {
    const now = await store.lockContact(db, workspaceId, id)
    if (!now) throw notFound('Contact')
    const { other, before, moved } = requireNewest(await store.listMerges(db, workspaceId, id, UNDO_DAYS), mergeId)
    const parted = part(now, before, other)
    if (!parted.email && !parted.phone && !parted.bsuid)
      throw conflict('no_address', 'Without the merged contact this one has no address. Give it one first.')
    await store.writeFields(db, workspaceId, id, parted)
    await store.restoreContact(db, workspaceId, other)
    const had = new Set(before.lists.map((list) => list.id))
    await store.leaveTaken(db, workspaceId, id, {
      lists: other.lists.map((list) => list.id).filter((list) => !had.has(list)),
      tags: other.tags.filter((tag) => !before.tags.includes(tag)),
    })
    await store.moveBack(db, workspaceId, moved, other.id)
    await store.dropSuppressions(db, workspaceId, moved.suppressions ?? [])
    for (const one of contactParts()) await one.unmerge?.(db, workspaceId, moved, other.id)
    await store.deleteMerge(db, workspaceId, mergeId)
    return showContact(db, workspaceId, id)
  })
  return work.catch((error) => {
    throw isTaken(error)
      ? conflict(
          'address_taken',
          'Another contact has the address of the merged one by now. Change that contact first.',
        )
      : error
  })
}
