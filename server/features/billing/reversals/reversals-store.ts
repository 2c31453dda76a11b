import { sql } from 'kysely'
import type { PaymentReversal, ReversalState } from '#contracts/billing/billing.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isTakenBack, type Reversal, reversalState } from './reversals.ts'

/** A refund or dispute that is new or in another state than before. */
export interface ReversalChange {
  reversal: Reversal
  before: ReversalState | undefined
}

/** Stores the current state of refunds and disputes. Returns those that changed. */
export async function writeReversals(db: Db, workspaceId: string, reversals: Reversal[]): Promise<ReversalChange[]> {
  if (reversals.length === 0) return []
  const ids = reversals.map(({ id }) => id)
  const stored = await db
    .selectFrom('paymentReversals')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'kind', 'status'])
    .execute()
  const states = new Map(stored.map((row) => [row.id, reversalState(row)]))
  await db
    .insertInto('paymentReversals')
    .values(reversals.map((reversal) => ({ ...reversal, workspaceId })))
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'id']).doUpdateSet((set) => ({
        invoiceId: set.ref('excluded.invoiceId'),
        amount: set.ref('excluded.amount'),
        status: set.ref('excluded.status'),
        reason: set.ref('excluded.reason'),
      })),
    )
    .execute()
  return reversals
    .map((reversal) => ({ reversal, before: states.get(reversal.id) }))
    .filter(({ reversal, before }) => reversalState(reversal) !== before)
}

/** Refunds and disputes of a workspace as they were last stored. */
export async function storedReversals(db: Db, workspaceId: string): Promise<Reversal[]> {
  const rows = await db
    .selectFrom('paymentReversals')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'kind', 'invoiceId', 'amount', 'currency', 'status', 'reason', 'createdAt'])
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as Reversal['kind'], amount: Number(row.amount) }))
}

const withInvoice = (db: Db) =>
  db
    .selectFrom('paymentReversals as r')
    .leftJoin('invoices as i', (join) =>
      join.onRef('i.workspaceId', '=', 'r.workspaceId').onRef('i.id', '=', 'r.invoiceId'),
    )
    .select(['r.id', 'r.kind', 'r.status', 'r.amount', 'r.currency', 'r.reason', 'r.createdAt'])
    .select(['i.id as invoiceId', 'i.number', 'i.hostedUrl'])
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.id', 'desc')

type StoredReversal = Awaited<ReturnType<ReturnType<typeof withInvoice>['execute']>>[number]

const present = (row: StoredReversal): PaymentReversal => ({
  id: row.id,
  kind: row.kind as PaymentReversal['kind'],
  state: reversalState(row),
  amount: Number(row.amount),
  currency: row.currency.toUpperCase(),
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
  invoice: row.invoiceId ? { id: row.invoiceId, number: row.number ?? '', url: row.hostedUrl } : null,
})

/** The refunds and disputes of a workspace, newest first. */
export async function findReversals(db: Db, workspaceId: string): Promise<PaymentReversal[]> {
  return (await withInvoice(db).where('r.workspaceId', '=', workspaceId).limit(50).execute()).map(present)
}

/** One refund or dispute. */
export async function findReversal(db: Db, workspaceId: string, id: string): Promise<PaymentReversal | undefined> {
  const query = withInvoice(db).where('r.workspaceId', '=', workspaceId).where('r.id', '=', id)
  const row = await query.executeTakeFirst()
  return row && present(row)
}

/** The latest refunds and disputes of all workspaces, with the names of these. */
export async function latestReversals(db: Db, limit: number) {
  const rows = await withInvoice(db)
    .innerJoin('workspaces as w', 'w.id', 'r.workspaceId')
    .select(['w.name', 'w.company'])
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...present(row), who: row.company || row.name }))
}

/** Of each invoice of these workspaces: the cents that were refunded, and whether its payment is or was lost to a dispute. */
export async function reversalsByInvoice(
  db: Db,
  workspaceIds: string[],
): Promise<Map<string, { refunded: number; disputed: boolean }>> {
  if (workspaceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('paymentReversals')
    .where('workspaceId', 'in', workspaceIds)
    .select(['invoiceId', 'kind', 'status', 'amount'])
    .execute()
  const sums = new Map<string, { refunded: number; disputed: boolean }>()
  for (const { invoiceId, amount, ...row } of rows.filter(isTakenBack)) {
    const sum = sums.get(invoiceId ?? '') ?? { refunded: 0, disputed: false }
    if (row.kind === 'refund') sum.refunded += Number(amount)
    else sum.disputed = true
    sums.set(invoiceId ?? '', sum)
  }
  return sums
}

/** Cents of a currency that went back to payers in the last 30 days: refunds, and disputes that are open or lost. */
export async function returnedRecently(db: Db, currency: string): Promise<number> {
  const rows = await db
    .selectFrom('paymentReversals')
    .where('createdAt', '>', sql<Date>`now() - interval '30 days'`)
    .where('currency', '=', currency.toLowerCase())
    .select(['kind', 'status'])
    .select(({ fn }) => fn.sum<string>('amount').as('amount'))
    .groupBy(['kind', 'status'])
    .execute()
  return rows.filter(isTakenBack).reduce((sum, { amount }) => sum + Number(amount), 0)
}
