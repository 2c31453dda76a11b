/** Plans, payments, coupons, and the limits of what a plan allows. */
export { addAccountsPart } from './accounts-part.ts'
export { planSource, setPlanByHand } from './grants.ts'
export { handleJobs } from './jobs.ts'
export {
  giveBack,
  noteContacts,
  remainingQuota,
  requireRoomForContact,
  requireRoomForSender,
  requireSome,
  roomForContacts,
  spendUpTo,
  use,
} from './limits.ts'
export { endSubscription } from './removal.ts'
export { summarizeRevenue } from './revenue.ts'
export { mountBilling } from './routes.ts'
export { type CountedUse, month, USAGE_COLUMNS } from './usage-store.ts'
