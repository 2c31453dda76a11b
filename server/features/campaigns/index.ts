/** Campaigns: what is sent to whom, and the sending of it. */
import { addCampaignsPart } from '#server/features/whatsapp/index.ts'
import { pauseForTemplates, settleMessages } from './channels/whatsapp/statuses.ts'

export { handleJobs } from './jobs.ts'
export { mountCampaigns } from './routes.ts'
export { startSending } from './sending/start.ts'
export { pauseForSuspension } from './suspension.ts'

// Every process that handles what Meta says loads this feature.
addCampaignsPart({ settleMessages, pauseForTemplates })
