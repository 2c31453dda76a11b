/** Senders: the mail servers and accounts a workspace sends with. */
export { addDefaultSender } from './store.ts'
