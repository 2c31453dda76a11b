/** Journeys: what contacts go through by themselves, and the background work that takes them through it. */
import { addWorkspacePart } from '#server/features/accounts/index.ts'
import { addContactPart } from '#server/features/contacts/index.ts'
import { deletePeople, givePeople, givePeopleBack, readRows, writeRows } from './contacts.ts'
import { enrolContacts } from './enrolment.ts'
import { journeysRemoval } from './removal.ts'

export { handleJobs } from './jobs.ts'
export { mountJourneys } from './routes.ts'
export { findJourneys } from './store.ts'

// Every process that serves requests or handles jobs loads this feature.
addWorkspacePart('journeys', journeysRemoval)
addContactPart('journeys', {
  deleteWith: deletePeople,
  aside: { table: 'journey_people', read: readRows, putBack: writeRows },
  merge: givePeople,
  unmerge: givePeopleBack,
  enrol: enrolContacts,
})
