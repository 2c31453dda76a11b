/** Senders: the mail servers and accounts a workspace sends with. */
export { type SendingAccount, sendingAccount } from './connection.ts'
export { handleJobs } from './gmail/connect.ts'
export { READABLE } from './gmail/health.ts'
export { openMailbox } from './gmail/mailbox.ts'
export { rampLimit } from './gmail/ramp.ts'
export { noteSignIn } from './gmail/store.ts'
export { mountSenders } from './routes.ts'
export { addDefaultSender } from './store.ts'
