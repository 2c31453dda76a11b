/** Senders: the mail servers and accounts a workspace sends with. */
export { addDefaultSender } from './store.ts'
export { type SendingAccount, sendingAccount } from './sending-account.ts'
