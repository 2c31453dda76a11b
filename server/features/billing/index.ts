/** Plans, payments, coupons, and the limits of what a plan allows. */
export { planSource, setPlanByHand } from './grants.ts'
export { handleJobs } from './jobs.ts'
export {
  giveBack,
  leftForCampaign,
  requireRoomForContact,
  requireRoomForSender,
  reserveCampaign,
  roomForContacts,
  use,
  useUpTo,
} from './limits.ts'
export { endSubscription } from './removal.ts'
export { mountBilling } from './routes.ts'
