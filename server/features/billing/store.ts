import { sql } from 'kysely'
import { isPaid, planRank } from '#contracts/billing/plans.ts'
import { audit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { accountsPart } from './accounts-part.ts'

/** The provider's states in which a plan is open; a failed payment leaves it open while it is tried again. */
export const LIVE = ['trialing', 'active', 'past_due']

/** Whether the paid plan is open: the provider has the subscription running, and its payment was not taken back. */
export const isOpen = ({ status, reversalId }: Pick<SubscriptionRow, 'status' | 'reversalId'>): boolean =>
  LIVE.includes(status) && reversalId === null

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>

/** What a workspace pays for; nothing before its first checkout. */
export function findSubscription(db: Db, workspaceId: string) {
  return db.selectFrom('subscriptions').where('workspaceId', '=', workspaceId).selectAll().executeTakeFirst()
}

/** Makes sure there is a row, and holds it until the transaction ends. */
export async function lockSubscription(db: Db, workspaceId: string): Promise<SubscriptionRow> {
  await db
    .insertInto('subscriptions')
    .values({ workspaceId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .selectFrom('subscriptions')
    .where('workspaceId', '=', workspaceId)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function setCustomer(db: Db, workspaceId: string, customerId: string | null): Promise<void> {
  await db.updateTable('subscriptions').set({ customerId }).where('workspaceId', '=', workspaceId).execute()
}

export async function findCustomerWorkspace(db: Db, customerId: string): Promise<string | undefined> {
  const query = db.selectFrom('subscriptions').where('customerId', '=', customerId).select('workspaceId')
  return (await query.executeTakeFirst())?.workspaceId
}

/** The number of the next sync, over all processes. */
export async function nextSyncNumber(db: Db): Promise<string> {
  const { rows } = await sql<{ n: string }>`select nextval('billing_syncs') as n`.execute(db)
  return rows[0]?.n ?? '0'
}

/** A subscription as a sync found it. */
export interface SyncedState {
  subscriptionId: string | null
  plan: string | null
  billingInterval: string | null
  status: string
  periodStart: Date | null
  periodEnd: Date | null
  trialEnd: Date | null
  cancelAtPeriodEnd: boolean
  reversalId: string | null
}

/** Stores what a sync found. `syncNumber`: its number, of nextSyncNumber. */
export async function writeSyncedState(
  db: Db,
  workspaceId: string,
  syncNumber: string,
  seen: SyncedState,
): Promise<void> {
  const live = LIVE.includes(seen.status)
  await db
    .updateTable('subscriptions')
    .set({
      ...seen,
      syncNumber,
      updatedAt: sql<Date>`now()`,
      failedAt: seen.status === 'past_due' ? sql<Date>`coalesce(failed_at, (select now()))` : null,
      ...(live && { trialUsed: true }),
    })
    .where('workspaceId', '=', workspaceId)
    .execute()
}

export async function writeInvoice(
  db: Db,
  invoice: {
    id: string
    workspaceId: string
    number: string
    status: string
    total: number
    paid: number
    currency: string
    periodStart: Date | null
    periodEnd: Date | null
    hostedUrl: string | null
    pdfUrl: string | null
    createdAt: Date
    paidAt: Date | null
  },
): Promise<void> {
  const { id: _, workspaceId: _w, ...rest } = invoice
  await db
    .insertInto('invoices')
    .values(invoice)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'id']).doUpdateSet(rest))
    .execute()
}

/** The last two years' worth of monthly invoices. */
export function listInvoices(db: Db, workspaceId: string) {
  return db
    .selectFrom('invoices')
    .where('workspaceId', '=', workspaceId)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(24)
    .execute()
}

export function findGrant(db: Db, workspaceId: string) {
  return db
    .selectFrom('planGrants')
    .where('workspaceId', '=', workspaceId)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', sql<Date>`now()`)]))
    .selectAll()
    .executeTakeFirst()
}

/** Sets a plan by hand; free takes what was set back. */
export async function setGrant(db: Db, workspaceId: string, plan: string, until: Date | null) {
  await db.deleteFrom('planGrants').where('workspaceId', '=', workspaceId).execute()
  if (isPaid(plan)) await db.insertInto('planGrants').values({ workspaceId, plan, until }).execute()
}

/** Workspaces whose plan by hand is over and still counts. */
export async function grantsOver(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('planGrants').where('until', '<=', sql<Date>`now()`).select('workspaceId').execute()
  return rows.map((row) => row.workspaceId)
}

export async function removeOverGrant(db: Db, workspaceId: string): Promise<void> {
  await db
    .deleteFrom('planGrants')
    .where('workspaceId', '=', workspaceId)
    .where('until', '<=', sql<Date>`now()`)
    .execute()
}

/** Makes the plan that counts what it is to be: the larger of what is paid for and what was set by hand. Returns the plan before and after. */
export async function applyPlan(db: Db, workspaceId: string, by: string): Promise<{ before: string; after: string }> {
  const users = await accountsPart().lockUsers(db, workspaceId)
  // Read after the lock: a payment and a plan set by hand at the same moment must both count.
  const row = await findSubscription(db, workspaceId)
  const paid = row?.plan && isOpen(row) ? row.plan : 'free'
  const grant = (await findGrant(db, workspaceId))?.plan ?? 'free'
  const after = planRank(grant) > planRank(paid) ? grant : paid
  for (const user of users.filter((one) => one.plan.toLowerCase() !== after.toLowerCase())) {
    await accountsPart().setPlan(db, user.id, after)
    await audit(db, {
      action: 'plan_changed',
      ...(by && { actor: by }),
      subject: user,
      workspaceId,
      details: { from: user.plan, to: after },
    })
  }
  return { before: users[0]?.plan ?? 'free', after }
}

/** Workspaces to sync: not read for a day, over, failing, with a checkout under way, or a refund or dispute undecided. */
export async function findDueForSync(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from subscriptions s
    where customer_id is not null and updated_at < now() - interval '5 minutes' and (
      (status in ('trialing', 'active', 'past_due') and (updated_at < now() - interval '20 hours' or period_end < now() or status = 'past_due'))
      or (updated_at < now() - interval '20 hours' and exists (select 1 from payment_reversals r
        where r.workspace_id = s.workspace_id and (r.status in ('pending', 'requires_action')
          or r.kind = 'dispute' and r.status not in ('won', 'lost', 'warning_closed', 'prevented'))))
      or exists (select 1 from checkouts c where c.workspace_id = s.workspace_id and c.state = 'open' and c.session_id is not null))
    order by updated_at limit ${limit}`.execute(db)
  return rows.map((row) => row.workspaceId)
}
