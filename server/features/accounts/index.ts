/** Accounts: users, sessions, their mail. What other features and the start of the product may use. */
import { addAccountsPart } from '#server/features/billing/index.ts'
import { lockUsers, setPlan } from './store.ts'

export { resendVerification } from './accounts.ts'
export { handleJobs } from './jobs.ts'
export { requireOtherAdmin } from './removal/last-admin.ts'
export { addWorkspacePart, type DeleteAll, type WorkspacePart } from './removal/workspace-parts.ts'
export { mountAccounts } from './routes.ts'
export { confirmAddress } from './sign-in/confirmation.ts'
export { describeDevice } from './sign-in/device.ts'
export { hashPassword } from './sign-in/passwords.ts'
export { callerFinder } from './sign-in/sessions.ts'
export { allUsers, deleteSessions, firstAdminEmail, listSessions, noteWrite, updateUser, userByEmail } from './store.ts'
export { isOpen, isWorkspaceOpen, SUSPENDED } from './suspension.ts'
export { addUser } from './users.ts'

// The server, the workers and the command line load this feature.
addAccountsPart({ lockUsers, setPlan })
