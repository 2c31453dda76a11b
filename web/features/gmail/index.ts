export { AccountState } from './accounts/account-state.tsx'
export { type Account, useAccounts } from './accounts/queries.ts'
