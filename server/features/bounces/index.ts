/** Bounce sources: how a workspace learns what became of emails after they were accepted. */
export { handleJobs } from './jobs.ts'
export { listenForBounces } from './listen.ts'
export { mountBounces } from './routes.ts'
