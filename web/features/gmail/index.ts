export { AccountState } from './accounts/account-state.tsx'
export { GMAIL_ACCOUNTS } from './accounts/paths.ts'
export { type Account, useAccounts } from './accounts/queries.ts'
