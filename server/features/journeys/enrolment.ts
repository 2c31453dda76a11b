import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { matchContacts, startContactJob } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { findJourney } from './journeys.ts'
import { enterContacts } from './people.ts'
import { journeyById } from './store.ts'

/**
 * Queues a job that lets contacts enter an active journey. Returns the id under which its progress is found. Refusal 400 where the
 * contacts or the filter name what is not there, 404, 409 where the journey is not active, 429.
 */
export async function startEnrolment(
  services: Services,
  caller: Caller,
  id: string,
  { contactIds, filter }: { contactIds?: string[] | undefined; filter?: ContactFilter | undefined },
): Promise<string> {
  const journey = await findJourney(services.db, caller.workspaceId, id)
  if (journey.state !== 'active')
    throw conflict('not_active', 'Contacts can only enter an active journey. Activate it first.')
  return startContactJob(services, caller, { action: 'enrol', value: id, ids: contactIds, filter }, 'contactIds')
}

/** Lets some contacts of an enrolment enter: those the journey is for, while it is active. Returns who entered. */
export async function enrolContacts(db: Db, workspaceId: string, id: string, contactIds: string[]): Promise<string[]> {
  const journey = await journeyById(db, workspaceId, id)
  if (journey?.state !== 'active') return []
  const { entryFilter } = journey.definition
  const wanted = entryFilter ? await matchContacts(db, workspaceId, entryFilter, contactIds) : contactIds
  return enterContacts(db, journey, [...wanted])
}
