import type { JourneyPerson } from '#contracts/journeys/journeys.ts'
import type { Db } from '#server/platform/db/database.ts'
import { takePage } from '#server/platform/http/page.ts'
import * as store from './people-store.ts'
import { holdJourney, type JourneyRow } from './store.ts'

/**
 * Lets contacts enter a journey, each once, however often it is called; they go on at the next look of the runner. Filters are the
 * caller's. Returns the ids of those who entered; none where the journey is not active. In a transaction of its own, or in `db`
 * where that is one: then the journey is held, so that nobody goes on, until it ends.
 */
export function enterContacts(
  db: Db,
  { workspaceId, id }: Pick<JourneyRow, 'workspaceId' | 'id'>,
  contactIds: readonly string[],
): Promise<string[]> {
  const enter = async (db: Db) => {
    const journey = await holdJourney(db, workspaceId, id)
    return journey?.state === 'active' ? store.insertPeople(db, workspaceId, id, contactIds) : []
  }
  return db.isTransaction ? enter(db) : db.transaction().execute(enter)
}

const present = ({ id: _, ...row }: store.PersonRow): JourneyPerson => ({
  ...row,
  dueAt: row.dueAt?.toISOString() ?? null,
  enteredAt: row.enteredAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})

/** The contacts of a journey, newest first; `step`: those who are there now. */
export async function listPeople(
  db: Db,
  workspaceId: string,
  journeyId: string,
  {
    limit,
    cursor,
    ...match
  }: { limit: number; cursor?: string | undefined; step?: string | undefined; state?: string | undefined },
) {
  const rows = await store.peoplePage(db, workspaceId, journeyId, { ...match, before: cursor, limit: limit + 1 })
  const { items, nextCursor } = takePage(rows, limit)
  return { items: items.map(present), nextCursor }
}
