/** The admin area: users, the health of the installation, the audit log. */
export { handleJobs } from './jobs.ts'
export { mountAdmin } from './routes.ts'
