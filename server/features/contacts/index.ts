/** Contacts: people, their lists, who is never written to, and files of them. What other features and the start may use. */
export { csvLine } from './formula.ts'
export { handleJobs } from './jobs.ts'
export { mountContacts } from './routes.ts'
