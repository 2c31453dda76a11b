/** Accounts: users, sessions, their mail. What other features and the start of the product may use. */
import { addAccountsPart } from '#server/features/billing/index.ts'
import { lockUsers, setPlan } from './store.ts'

export { resendVerification } from './accounts.ts'
export { confirmAddress } from './confirmation.ts'
export { describeDevice } from './device.ts'
export { handleJobs } from './jobs.ts'
export { hashPassword } from './passwords.ts'
export { requireOtherAdmin } from './removal/last-admin.ts'
export { addWorkspacePart, type DeleteAll, type WorkspacePart } from './removal/workspace-parts.ts'
export { mountAccounts } from './routes.ts'
export { callerFinder } from './sessions.ts'
export { allUsers, deleteSessions, firstAdminEmail, listSessions, updateUser, userByEmail } from './store.ts'
export { isOpen, isWorkspaceOpen, SUSPENDED } from './suspension.ts'
export { addUser } from './users.ts'

// The server, the workers and the command line load this feature.
addAccountsPart({ lockUsers, setPlan })
