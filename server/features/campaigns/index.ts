/** Campaigns: what is sent to whom, and the sending of it. */
export { handleJobs } from './jobs.ts'
export { mountCampaigns } from './routes.ts'
export { startSending } from './sending/start.ts'
export { pauseForSuspension } from './suspension.ts'
