/** Plans, payments, coupons, and the limits of what a plan allows. */
export { addAccountsPart } from './accounts-part.ts'
export { planSource, setPlanByHand } from './grants.ts'
export { handleJobs } from './jobs.ts'
export {
  noteContacts,
  remainingQuota,
  requireRoomForContact,
  requireRoomForDomain,
  requireRoomForSender,
  requireSome,
  roomForContacts,
} from './limits.ts'
export { endSubscription } from './removal.ts'
export { changeReservation, type Reservation, reserveQuota, reserveQuotaUpTo } from './reservations.ts'
export { summarizeRevenue } from './revenue.ts'
export { mountBilling } from './routes.ts'
export { type CountedUse, month, USAGE_COLUMNS } from './usage-store.ts'
