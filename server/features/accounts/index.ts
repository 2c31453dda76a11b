/** Accounts: users, sessions, their mail. What other features and the start of the product may use. */
export { addUser } from './accounts.ts'
export { handleJobs } from './jobs.ts'
export { hashPassword } from './passwords.ts'
export { mountAccounts } from './routes.ts'
export { callerFinder } from './sessions.ts'
export { allUsers, updateUser, userByEmail } from './store.ts'
