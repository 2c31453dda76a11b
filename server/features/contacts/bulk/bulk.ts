import { z } from 'zod'
import { BULK_VALUES, type BulkAction, type contactsBulk } from '#contracts/contacts/bulk.ts'
import type { Checked } from '#contracts/endpoint.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, invalid, notFound, tooMany, unknownId } from '#server/platform/http/refusal.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { contactParts, type WhatsAppProof } from '../contact-parts.ts'
import { readAttributes } from '../fields/fields.ts'
import { requireLists } from '../lists/lists.ts'
import { countContacts, matchingIds } from '../pages-store.ts'
import { filterMatch } from '../segments/match.ts'
import { requireReferences } from '../segments/references.ts'
import { deleteContacts } from '../store.ts'
import { findTagId, requireTags } from '../tags/tags.ts'
import { tagContacts, untagContacts } from '../tags/tags-store.ts'
import * as changes from './bulk-changes.ts'
import { findObstacle, hasEnded, obstacleTexts } from './bulk-jobs.ts'
import * as store from './bulk-store.ts'
import { isUndoable, undoSlice } from './bulk-undo.ts'
import { setAside } from './removed-store.ts'
import { unsubscribeContacts } from './unsubscribe-store.ts'

type Change = Checked<typeof contactsBulk.start>['body']
/** Contacts chosen one by one, or all that a filter finds. */
type Choice = Pick<Change, 'ids' | 'filter'>

const Owned = z.object({ workspaceId: z.string(), id: z.string() })
const bulkJob = job('contacts.bulk', Owned, { retries: 5, expireSeconds: 6 * 3_600 })

/** Changes of a workspace that may wait or run at once. */
const UNFINISHED = 5
const RETRY_SECONDS = 20
/** Contacts a transaction: others hardly wait. A removal sets aside about a kilobyte of each. */
const SLICE = 2_000
const DELETED_SLICE = 500

/** Refuses ids that are no contacts of the workspace, without telling whether they are somebody else's. */
export async function requireContacts(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  field = 'ids',
): Promise<void> {
  if ((await store.countKnown(db, workspaceId, ids)) < new Set(ids).size) throw unknownId(field)
}

/** Refuses a change that could do nothing, or that names what is not there. Returns its value as it is stored. */
async function readValue(db: Db, workspaceId: string, { action, value }: Change): Promise<unknown> {
  if (action === 'addToList' || action === 'removeFromList')
    await requireLists(db, workspaceId, 'value', [BULK_VALUES[action].parse(value)])
  if (action === 'tag' || action === 'untag') {
    const id = await findTagId(db, workspaceId, BULK_VALUES[action].parse(value))
    if (id === undefined) throw unknownId('value')
    await requireTags(db, workspaceId, 'value', [id])
    return id
  }
  if (action === 'setField') {
    const { name, attributes } = BULK_VALUES[action].parse(value)
    if (name === undefined && Object.keys(attributes ?? {}).length === 0) throw invalid('value', 'names no field')
    if (attributes) return { name, attributes: await readAttributes(db, workspaceId, 'value.attributes', attributes) }
  }
  if (action === 'recordConsent' && Date.parse(BULK_VALUES[action].parse(value).givenAt) > Date.now() + 60_000)
    throw invalid('value.givenAt', 'is in the future: record a consent after it was given')
  return BULK_VALUES[action].parse(value)
}

/** Refuses a choice of contacts, or names in a filter, that this workspace does not have. */
async function requireChoice(db: Db, workspaceId: string, { ids, filter }: Choice, field: string): Promise<void> {
  if (filter) await requireReferences(db, workspaceId, 'filter', filter)
  if (ids) await requireContacts(db, workspaceId, ids, field)
}

/** Throws Refusal 429 where too many changes wait or run. */
async function requireTurn(db: Db, workspaceId: string): Promise<void> {
  if ((await store.countUnfinished(db, workspaceId)) >= UNFINISHED)
    throw tooMany('Other changes of contacts are still running. Try again when they are done.', RETRY_SECONDS)
}

/** Queues the undoing of a change. Returns the id under which its progress is found. Throws Refusal 404, 409 and 429. */
export function startUndo({ db, queue }: Services, caller: Caller, id: string): Promise<string> {
  const { workspaceId } = caller
  return db.transaction().execute(async (db) => {
    const row = await store.findJob(db, workspaceId, id, true)
    if (!row) throw notFound('Job')
    const obstacle = findObstacle(row)
    if (obstacle) throw conflict(obstacle, obstacleTexts[obstacle])
    await requireTurn(db, workspaceId)
    const undo = await store.insertJob(db, workspaceId, {
      ...{ action: 'undo', value: null, ids: [], filter: null, requestedBy: caller.email, undoes: id },
      total: Number(row.changed),
    })
    await queue.enqueue(bulkJob, { workspaceId, id: undo }, { key: undo, db })
    return undo
  })
}

/** Queues a change of many contacts. Returns the id under which its progress is found. */
export async function startBulk(services: Services, caller: Caller, change: Change): Promise<string> {
  const value = await readValue(services.db, caller.workspaceId, change)
  return startContactJob(services, caller, { ...change, value }, 'ids')
}

/**
 * Queues what is done with many contacts, with a value that was checked; `field` is the request's name of chosen ids. Returns the id
 * under which its progress is found. Throws Refusal 400 and 429.
 */
export function startContactJob(
  { db, queue }: Pick<Services, 'db' | 'queue'>,
  caller: Caller,
  { action, value, ids, filter }: Choice & { action: BulkAction | 'enrol'; value: unknown },
  field: string,
): Promise<string> {
  const { workspaceId } = caller
  return db.transaction().execute(async (db) => {
    await requireChoice(db, workspaceId, { ids, filter }, field)
    await requireTurn(db, workspaceId)
    const id = await store.insertJob(db, workspaceId, {
      ...{ action, value, filter: filter ?? null, requestedBy: caller.email },
      ids: ids ? [...new Set(ids)] : null,
    })
    await queue.enqueue(bulkJob, { workspaceId, id }, { key: id, db })
    return id
  })
}

/** What a change did with some contacts: how many it changed, and what was there before. */
interface Changed {
  changed: number
  before: store.Before
}

const toChanged = (before: store.Before): Changed => ({ changed: Object.keys(before).length, before })
/** Nothing to remember but who it was. */
const toTagged = (ids: string[]): Changed => toChanged(Object.fromEntries(ids.map((id) => [id, null])))

/** Does what a change asks for with some contacts. */
async function change(
  { config }: Services,
  db: Db,
  workspaceId: string,
  { action, value, requestedBy }: store.ContactJobRow,
  ids: string[],
): Promise<Changed> {
  switch (action) {
    case 'addToList':
      return toChanged(await changes.addMembers(db, workspaceId, ids, value as string))
    case 'removeFromList':
      return toChanged(await changes.removeMembers(db, workspaceId, ids, value as string))
    case 'tag':
      return toTagged(await tagContacts(db, workspaceId, ids, value as string))
    case 'untag':
      return toTagged(await untagContacts(db, workspaceId, ids, value as string))
    case 'setField':
      return toChanged(await changes.setFields(db, workspaceId, ids, value as changes.FieldChange))
    case 'unsubscribe':
      return toChanged(await unsubscribeContacts(db, workspaceId, ids))
    case 'suppress':
      return toChanged(await changes.suppressContacts(db, workspaceId, ids))
    case 'recordConsent': {
      const before: store.Before = {}
      const by = { workspaceId, email: requestedBy }
      for (const part of contactParts())
        Object.assign(before, await part.recordConsents?.(db, by, ids, value as WhatsAppProof))
      return toChanged(before)
    }
    case 'delete': {
      const before = await setAside(db, workspaceId, ids)
      const changed = await deleteContacts(db, config, workspaceId, ids, { retainEvents: true })
      return { changed, before }
    }
    case 'enrol': {
      let changed = 0
      for (const part of contactParts())
        changed += (await part.enrol?.(db, workspaceId, value as string, ids))?.length ?? 0
      return { changed, before: {} }
    }
    case 'undo':
      throw new Error('an undo goes through what was remembered')
  }
}

/** Undoes the next part of a change, with the note of it. Returns whether more may follow. */
async function undoSome(
  { config }: Services,
  db: Db,
  workspaceId: string,
  undo: store.ContactJobRow,
): Promise<boolean> {
  const row = undo.undoes === null ? undefined : await store.findJob(db, workspaceId, undo.undoes)
  const slice = row && (await store.takeSlice(db, workspaceId, row.id))
  const changed =
    slice && isUndoable(row.action)
      ? await undoSlice({ db, config }, workspaceId, { ...row, action: row.action }, slice)
      : 0
  const processed = Object.keys(slice ?? {}).length
  const { below } = undo
  await store.noteProgress(db, workspaceId, undo.id, { below, processed, changed, total: null, done: !slice })
  return slice !== undefined
}

async function nextIds(db: Db, workspaceId: string, row: store.ContactJobRow, limit: number): Promise<string[]> {
  if (row.filter)
    return matchingIds(db, workspaceId, await filterMatch(db, workspaceId, row.filter), { limit, below: row.below })
  return (row.ids ?? [])
    .filter((id) => BigInt(id) < BigInt(row.below))
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
    .slice(0, limit)
}

/** Changes the next contacts, with the note of it in one transaction. Returns whether more may follow. */
function changeSome(services: Services, workspaceId: string, id: string): Promise<boolean> {
  return services.db.transaction().execute(async (db) => {
    const row = await store.findJob(db, workspaceId, id, true)
    if (!row || hasEnded(row)) return false
    if (row.action === 'undo') return undoSome(services, db, workspaceId, row)
    const total =
      row.total === null && row.filter
        ? await countContacts(db, workspaceId, await filterMatch(db, workspaceId, row.filter), Number.MAX_SAFE_INTEGER)
        : null
    const limit = row.action === 'delete' ? DELETED_SLICE : SLICE
    const ids = await nextIds(db, workspaceId, row, limit)
    const { changed, before }: Changed =
      ids.length > 0 ? await change(services, db, workspaceId, row, ids) : { changed: 0, before: {} }
    const done = ids.length < limit
    const below = ids.at(-1) ?? row.below
    if (changed > 0 && isUndoable(row.action)) await store.insertSlice(db, workspaceId, id, below, before)
    await store.noteProgress(db, workspaceId, id, { below, processed: ids.length, changed, total, done })
    return !done
  })
}

/** Handles changes of many contacts, slice by slice. One that was cut off resumes where it was. */
export async function handleBulk(services: Services): Promise<void> {
  const { db, queue } = services
  await queue.handle(bulkJob, async ({ workspaceId, id }, signal, isLastTry) => {
    try {
      while (!signal.aborted && (await changeSome(services, workspaceId, id)));
    } catch (error) {
      if (isLastTry) await store.failJob(db, workspaceId, id)
      throw error
    }
    if (signal.aborted) await queue.enqueue(bulkJob, { workspaceId, id }, { key: id })
  })
}
