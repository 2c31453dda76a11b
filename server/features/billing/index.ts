/** Plans, payments, coupons, and the limits of what a plan allows. */
export { addAccountsPart } from './accounts-part.ts'
export { planSource, setPlanByHand } from './grants.ts'
export { handleJobs } from './jobs.ts'
export {
  giveBack,
  leftOf,
  noteContacts,
  requireRoomForContact,
  requireRoomForSender,
  requireSome,
  roomForContacts,
  spendUpTo,
  use,
} from './limits.ts'
export { endSubscription } from './removal.ts'
export { revenueOf } from './revenue.ts'
export { mountBilling } from './routes.ts'
export { type Counted, month, USAGE_COLUMNS } from './usage-store.ts'
