/** Contacts: people, their lists, who is never written to, and files of them. What other features and the start may use. */
export { csvLine } from './formula.ts'
export { handleJobs } from './jobs.ts'
export { askToJoin } from './joining.ts'
export { keepHashed, ownerHash, restoreSuppressions } from './kept-suppressions.ts'
export { createList } from './lists.ts'
export { mountContacts } from './routes.ts'
export { importPath } from './upload.ts'
