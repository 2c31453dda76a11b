/** Collecting addresses and numbers from public pages. What other features and the start may use. */
import { addWorkspacePart } from '#server/features/accounts/index.ts'
import { addContactPart } from '#server/features/contacts/index.ts'
import { eraseFromResults } from './erasure.ts'
import { collectorRemoval } from './removal.ts'

export { startCollecting } from './crawling/start.ts'
export { handleJobs } from './jobs.ts'
export { mountCollector } from './routes.ts'
export { foundSince } from './store.ts'
export { pauseCollecting } from './suspension.ts'

addWorkspacePart('collector', collectorRemoval)
addContactPart('collector', { erase: eraseFromResults })
