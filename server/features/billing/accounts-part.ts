import type { Db } from '#server/platform/db/database.ts'

/** What a plan changes of the users of a workspace. Runs in the transaction that decides the plan. */
export interface AccountsPart {
  /** The users of a workspace, the first one first, held until the transaction ends. */
  lockUsers(db: Db, workspaceId: string): Promise<{ id: string; email: string; plan: string }[]>
  setPlan(db: Db, userId: string, plan: string): Promise<void>
}

let part: AccountsPart | undefined

/** Adds the part of features/accounts, which does so when it is loaded: it calls billing, so billing cannot call it. */
export function addAccountsPart(given: AccountsPart): void {
  part = given
}

/** The part of accounts. Throws where they were not loaded. */
export function accountsPart(): AccountsPart {
  if (!part) throw new Error('features/accounts was not loaded: no plan could be opened')
  return part
}
