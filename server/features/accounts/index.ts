/** Accounts: users, sessions, their mail. What other features and the start of the product may use. */
export { resendVerification } from './accounts.ts'
export { handleJobs } from './jobs.ts'
export { requireOtherAdmin } from './last-admin.ts'
export { hashPassword } from './passwords.ts'
export { mountAccounts } from './routes.ts'
export { callerFinder } from './sessions.ts'
export { allUsers, deleteSessions, sessionsOf, updateUser, userByEmail } from './store.ts'
export { addUser } from './users.ts'
