import { sql } from 'kysely'
import { isPaid } from '#contracts/billing/plans.ts'
import { reserveQuotaUpTo } from '#server/features/billing/index.ts'
import { hashToken } from '#server/platform/crypto.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import { remainingWait, throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { showList } from '../lists/lists.ts'
import * as store from './confirmations-store.ts'
import { mayAsk, queueConfirmation } from './joining.ts'

/** Members of one workspace, and workspaces, at one look: a large import does not keep others waiting. */
const BATCH_SIZE = 5
const MAX_WORKSPACES = 10
// They leave from the operator's mail server to people who asked for nothing, so that they are few and paced.
const AN_HOUR = { free: 100, paid: 1_000 }
const HOUR = 3_600
/** Emails to one address about all lists of a workspace: made anew, a list asks nobody again. */
const MAX_PER_ADDRESS = 3
const ADDRESS_SECONDS = 7 * 86_400
const MAX_ASKS = 3
const DAYS_BETWEEN_ASKS = 7
// Any number: one process at a time asks.
const LOCK = 7_310_405

/**
 * Sends the next confirmation emails, a few of each workspace in turns; returns the workspace to go on after. Bounded for
 * a workspace by the hour and by its plan's emails of the month; what is beyond waits in the table.
 */
export async function askSome(services: Services, after: string): Promise<string> {
  // Nearly always there is nobody to ask: one statement, and no transaction.
  if ((await store.workspacesToAsk(services.db, after, 1)).length === 0) return '0'
  return services.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as free`.execute(db)
    if (!rows[0]?.free) return after
    const workspaces = await store.workspacesToAsk(db, after, MAX_WORKSPACES)
    for (const workspaceId of workspaces) await askFor(services, db, workspaceId)
    return workspaces.length < MAX_WORKSPACES ? '0' : (workspaces.at(-1) as string)
  })
}

async function askFor(services: Services, db: Db, workspaceId: string): Promise<void> {
  const sender = await store.findActiveSender(db, workspaceId)
  if (!sender) return
  const limit = isPaid(sender.plan) ? AN_HOUR.paid : AN_HOUR.free
  const key = `confirmations:${workspaceId}`
  for (const member of await store.membersToAsk(db, workspaceId, BATCH_SIZE)) {
    const { email, emailKey } = member
    if (email === null || emailKey === null) {
      await store.noteAsked(db, workspaceId, member, false)
      continue
    }
    if ((await remainingWait(db, key, limit)) > 0) return
    const reserved = await reserveQuotaUpTo(services, db, workspaceId, 'emails', 1)
    if (reserved.amount === 0) return
    const asked = await isFree(services, db, workspaceId, emailKey)
    if (asked) {
      await throttle(db, key, limit, HOUR)
      await queueConfirmation(services, db, { listId: member.listId, email, joins: false })
    }
    await reserved.settle(db, asked ? 1 : 0)
    await store.noteAsked(db, workspaceId, member, asked)
  }
}

/** Queues the members of a double opt-in list who have not confirmed; returns how many. Throws Refusal 404 or 409. */
export async function askMembersAgain(db: Db, workspaceId: string, listId: string): Promise<number> {
  const list = await showList(db, workspaceId, listId)
  if (list.optin !== 'double') throw conflict('single_opt_in', 'Members of this list do not need to confirm.')
  return store.askAgain(db, workspaceId, listId, MAX_ASKS, DAYS_BETWEEN_ASKS)
}

/** Whether an address may be asked by this workspace, and has not been asked by too many this hour. */
async function isFree({ config }: Services, db: Db, workspaceId: string, emailKey: string): Promise<boolean> {
  const key = `confirmation:${workspaceId}:${hashToken(config.secretKey + emailKey)}`
  return (await throttle(db, key, MAX_PER_ADDRESS, ADDRESS_SECONDS)).ok && (await mayAsk(db, config, emailKey))
}
