/** Bounce sources: how a workspace learns what became of emails after they were accepted. */
export { handleJobs } from './jobs.ts'
export { mountBounces } from './routes.ts'
