import { sql } from 'kysely'
import type { Revenue } from '#contracts/admin/admin.ts'
import { currency, plans } from '#contracts/billing/plans.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invoicePresenter } from './invoices.ts'
import type { Interval, PaidPlan } from './provider.ts'
import { latestReversals, returnedRecently } from './reversals/reversals-store.ts'

const MONTHS = 12
const LATEST = 10

/** Cents a month of one subscription at its list price. */
function monthly(plan: string, interval: string): number {
  const price = plans[plan as PaidPlan]?.price[interval as Interval] ?? 0
  return interval === 'year' ? price / 12 : price
}

/** What comes in on this installation, in numbers. What was refunded or disputed is told apart and not taken off. */
export async function summarizeRevenue(db: Db): Promise<Revenue> {
  const groups = await subscriptionGroups(db)
  const paying = groups.filter(({ status }) => status === 'active' || status === 'past_due')
  const count = (of: typeof groups) => of.reduce((sum, { n }) => sum + n, 0)
  const sumRecurring = (of: typeof groups) =>
    Math.round(of.reduce((sum, { plan, interval, n }) => sum + monthly(plan, interval) * n, 0))
  const sums = await paidSums(db)
  return {
    currency,
    recurring: sumRecurring(paying),
    paid30Days: sums.recent,
    paidBefore: sums.before,
    returned30Days: await returnedRecently(db, currency),
    subscriptions: {
      active: count(groups.filter(({ status }) => status === 'active')),
      trialing: count(groups.filter(({ status }) => status === 'trialing')),
      pastDue: count(groups.filter(({ status }) => status === 'past_due')),
      ending: count(groups.filter(({ ending }) => ending)),
      byHand: sums.byHand,
    },
    plans: (['starter', 'pro', 'business'] as const).map((plan) => {
      const own = paying.filter((group) => group.plan === plan)
      return { plan, subscriptions: count(own), recurring: sumRecurring(own) }
    }),
    months: await paidMonths(db),
    latest: await latestInvoices(db),
    reversals: await latestReversals(db, LATEST),
  }
}

async function subscriptionGroups(db: Db) {
  const { rows } = await sql<{ plan: string; interval: string; status: string; ending: boolean; n: string }>`
    select plan, billing_interval as interval, status, cancel_at_period_end as ending, count(*) as n from subscriptions
    where plan is not null and reversal_id is null and status in ('active', 'trialing', 'past_due') group by 1, 2, 3, 4`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

async function paidSums(db: Db) {
  const { rows } = await sql<{ recent: string; before: string }>`
    select coalesce(sum(paid) filter (where paid_at > now() - interval '30 days'), 0) as recent,
      coalesce(sum(paid) filter (where paid_at <= now() - interval '30 days'), 0) as before
    from invoices where paid_at > now() - interval '60 days' and currency = ${currency.toLowerCase()}`.execute(db)
  const { rows: grants } = await sql<{ n: string }>`
    select count(*) as n from plan_grants where until is null or until > now()`.execute(db)
  const row = rows[0]
  return { recent: Number(row?.recent ?? 0), before: Number(row?.before ?? 0), byHand: Number(grants[0]?.n ?? 0) }
}

async function paidMonths(db: Db) {
  const { rows } = await sql<{ month: string; paid: string }>`
    select to_char(m, 'YYYY-MM') as month, coalesce(sum(i.paid), 0) as paid
    from generate_series(date_trunc('month', now() at time zone 'utc') - make_interval(months => ${MONTHS - 1}),
      date_trunc('month', now() at time zone 'utc'), interval '1 month') as m
    left join invoices i on i.paid_at at time zone 'utc' >= m and i.paid_at at time zone 'utc' < m + interval '1 month'
      and i.currency = ${currency.toLowerCase()}
    group by m order by m`.execute(db)
  return rows.map(({ month, paid }) => ({ month, paid: Number(paid) }))
}

async function latestInvoices(db: Db) {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('workspaces', 'workspaces.id', 'invoices.workspaceId')
    .select(['invoices.id', 'workspaceId', 'number', 'status', 'total', 'currency', 'invoices.createdAt', 'hostedUrl'])
    .select(['workspaces.name', 'workspaces.company'])
    .orderBy('invoices.createdAt', 'desc')
    .limit(LATEST)
    .execute()
  const present = await invoicePresenter(db, [...new Set(rows.map(({ workspaceId }) => workspaceId))])
  return rows.map((row) => ({ ...present(row), who: row.company || row.name }))
}
