/** Tracking: what comes back from mail that was sent (opens, clicks, unsubscribes, web views), and the figures made of it. */

export { clearEvents, deleteMessageEvents, deleteSomeEvents } from './events-store.ts'
export { handleJobs } from './jobs.ts'
export { addMessagePart, type MessageFacts, type Observation } from './message-part.ts'
export { noteReport } from './receivers/receivers.ts'
export {
  type Among,
  allDeeds,
  BY_PEOPLE,
  type Deed,
  lookUpDeed,
  markedDeed,
  markedMessages,
  markedTimes,
  partsByTime,
  storedAmong,
  storedDeed,
} from './rollups/activities.ts'
export { countDeed, countRefused } from './rollups/list-counts.ts'
export { rollWorkspace } from './rollups/roller.ts'
export { mountTracking } from './routes.ts'
export { addSampleEvents, type SampleEvent } from './samples-store.ts'
export {
  campaignLinks,
  campaignStats,
  engagementByCampaign,
  listClientAgents,
  messageEvents,
  openedAndClicked,
} from './stats/stats.ts'
