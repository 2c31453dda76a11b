/** The admin area: users, the health of the installation, the audit log. */
export { probed } from './health.ts'
export { databaseLines } from './health-database.ts'
export { many, spell } from './health-labels.ts'
export { diskLine } from './health-machine.ts'
export { mailServerLine } from './health-mail.ts'
export { queueHealth } from './health-queue.ts'
export { handleJobs } from './jobs.ts'
export { mountAdmin } from './routes.ts'
