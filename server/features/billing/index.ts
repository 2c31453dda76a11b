/** Plans, payments, coupons, and the limits of what a plan allows. */
export { planSource, setPlanByHand } from './grants.ts'
export { handleJobs } from './jobs.ts'
export {
  giveBack,
  leftOf,
  noteContacts,
  requireRoomForContact,
  requireRoomForSender,
  requireSome,
  reserveCampaign,
  roomForContacts,
  spendUpTo,
  use,
} from './limits.ts'
export { endSubscription } from './removal.ts'
export { mountBilling } from './routes.ts'
export type { Counted } from './usage-store.ts'
