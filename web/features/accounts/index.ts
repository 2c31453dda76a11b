export { logOut } from './log-out.ts'
export { usePlan, useSubscription, useUser } from './session-queries.ts'
