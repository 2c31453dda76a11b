import type { Db } from '#server/platform/db/database.ts'
import * as people from './people-store.ts'
import { toProgram } from './program.ts'
import { holdJourney } from './store.ts'

/** People a transaction: others hardly wait. */
const SLICE = 5_000

/**
 * Takes some out who have nowhere to go: of a deleted journey everybody is forgotten, of an archived one everybody leaves, of another
 * one who is at a step that is gone. Returns how many.
 */
export function clearPeople(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.transaction().execute(async (db) => {
    const journey = await holdJourney(db, workspaceId, id)
    if (!journey) return people.deleteSome(db, workspaceId, id, SLICE)
    const steps = journey.state === 'archived' ? [] : [...toProgram(journey.definition).steps.keys()]
    return people.exitSome(db, workspaceId, id, { steps, limit: SLICE, isAll: journey.state === 'archived' })
  })
}
