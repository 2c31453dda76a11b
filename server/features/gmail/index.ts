/** Gmail: the accounts campaigns are sent through, and what recipients did with what was sent. */
import { addSenderKind } from '#server/features/senders/index.ts'
import { gmailAccount } from './accounts/kind.ts'

export { stopIfBlocked } from './accounts/blocks.ts'
export { type GmailAccount, isGmailAccount } from './accounts/gmail-account.ts'
export { READABLE } from './accounts/health.ts'
export { openMailbox } from './accounts/mailbox.ts'
export { noteSignIn } from './accounts/sign-in.ts'
export { isAnyMailboxDue, noteRead, noteUnread, type ReadableAccount, takeMailboxes } from './accounts/sync-store.ts'
export { handleJobs } from './jobs.ts'
export { mountGmail } from './routes.ts'

// Every thread that uses Gmail accounts loads this feature: the one that serves requests, and the one that sends.
addSenderKind(gmailAccount)
