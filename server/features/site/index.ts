/** The public site's server side: the contact form, and what robots ask for. */
export { handleJobs } from './jobs.ts'
export { mountSite } from './routes.ts'
export { deleteOldMessages } from './store.ts'
