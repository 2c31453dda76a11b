import type { z } from 'zod'
import type { collector } from '#contracts/collector/collector.ts'
import { noteContacts } from '#server/features/billing/index.ts'
import { type AddedCounts, addFound, holdAgain, requireLists } from '#server/features/contacts/index.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findJob } from '../collector.ts'
import { countAmong, markListed, resultsAmong, resultsFrom } from './results-store.ts'

type ToListRequest = z.output<typeof collector.toList.body>

/** Results a transaction: others hardly wait. */
const SLICE = 1_000

/** The results meant, slice by slice. */
async function* readSlices({ db }: Services, workspaceId: string, jobId: string, { ids, filter = {} }: ToListRequest) {
  if (ids) {
    for (let at = 0; at < ids.length; at += SLICE)
      yield await resultsAmong(db, workspaceId, jobId, filter, ids.slice(at, at + SLICE))
    return
  }
  for (let after = '0'; ; ) {
    const rows = await resultsFrom(db, workspaceId, jobId, filter, after, SLICE)
    if (rows.length > 0) yield rows
    if (rows.length < SLICE) return
    after = rows.at(-1)?.id ?? after
  }
}

/**
 * Makes contacts of results and puts them on a list, with where each was found and, where given, why they may be written
 * to. Done twice it adds nothing twice. Throws Refusal 404, and 400 for a list or results that are not the caller's.
 */
export async function addToList(
  services: Services,
  caller: Caller,
  jobId: string,
  given: ToListRequest,
): Promise<AddedCounts> {
  const { db } = services
  const { workspaceId } = caller
  const job = await findJob(db, workspaceId, jobId)
  await requireLists(db, workspaceId, 'listId', [given.listId])
  const ids = given.ids && [...new Set(given.ids)]
  if (ids && (await countAmong(db, workspaceId, jobId, ids)) < ids.length)
    throw invalid('ids', 'has an id that is not a result of this scrape')
  const addition = {
    listId: given.listId,
    jobId,
    addedBy: caller.userId,
    basis: given.basis ?? null,
    basisNote: given.basis ? (given.basisNote ?? '') : '',
  }
  const counts: AddedCounts = { added: 0, known: 0, suppressed: 0, refused: 0 }
  for await (const slice of readSlices(services, workspaceId, jobId, { ...given, ids })) {
    const some = await addFound(services, workspaceId, job.kind, slice, addition)
    for (const key of ['added', 'known', 'suppressed', 'refused'] as const) counts[key] += some[key]
    await markListed(
      db,
      workspaceId,
      jobId,
      slice.map((row) => row.id),
      given.listId,
    )
  }
  await noteContacts(services, db, workspaceId, counts.added)
  await holdAgain(services, workspaceId)
  return counts
}
