/** What is used of a month's limits: one row a workspace and month (UTC), changed by single statements that keep to the limit. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** What is counted by the month. */
export type CountedUse = 'emails' | 'whatsappMessages' | 'pages'

/** The columns of usage_months: what a campaign reserved is noted by them, and given back by the trigger campaigns_settled. */
export const USAGE_COLUMNS: Record<CountedUse, string> = {
  emails: 'emails',
  whatsappMessages: 'whatsapp_messages',
  pages: 'pages',
}

/** This month (UTC), as usage_months has it. */
export const month = sql<Date>`date_trunc('month', now() at time zone 'utc')::date`

/** Makes this month's row, unless it is there. */
async function ensureMonth(db: Db, workspaceId: string): Promise<void> {
  await db
    .insertInto('usageMonths')
    .values({ workspaceId, month })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Adds to this month's count if it is then within the limit; returns the new count, or undefined where it would not be. */
export async function add(
  db: Db,
  workspaceId: string,
  what: CountedUse,
  amount: number,
  limit: number,
): Promise<number | undefined> {
  await ensureMonth(db, workspaceId)
  const row = await db
    .updateTable('usageMonths')
    .set((set) => ({ [what]: set(what, '+', String(amount)) }))
    .where('workspaceId', '=', workspaceId)
    .where('month', '=', month)
    .where((where) => where(where(what, '+', String(amount)), '<=', String(limit)))
    .returning(what)
    .executeTakeFirst()
  return row && Number(row[what])
}

/** Adds what there is room for, up to `amount`. Returns how much that was and the new count. */
export async function addUpTo(
  db: Db,
  workspaceId: string,
  what: CountedUse,
  amount: number,
  limit: number,
): Promise<{ added: number; used: number }> {
  await ensureMonth(db, workspaceId)
  const column = sql.ref(what)
  const { rows } = await sql<{ before: string; used: string }>`
    with held as (select ${column} as before from usage_months where workspace_id = ${workspaceId} and month = ${month} for update)
    update usage_months set ${column} = held.before + least(${amount}::bigint, greatest(0, ${limit}::bigint - held.before))
    from held where workspace_id = ${workspaceId} and month = ${month}
    returning held.before, ${column} as used`.execute(db)
  const { before = 0, used = 0 } = rows[0] ?? {}
  return { added: Number(used) - Number(before), used: Number(used) }
}

/** Takes away from this month's count; never below nothing. */
export async function subtract(db: Db, workspaceId: string, what: CountedUse, amount: number): Promise<void> {
  const column = sql.ref(what)
  await sql`update usage_months set ${column} = greatest(0, ${column} - ${amount}::bigint)
    where workspace_id = ${workspaceId} and month = ${month}`.execute(db)
}

/** How many sample contacts a workspace has: they count against no limit. */
const samples = (workspaceId: string) =>
  sql`select count(*) from contacts where workspace_id = ${workspaceId} and source = 'sample'`

/** This month's counts and the number of contacts and senders there are now. */
export async function usageNow(db: Db, workspaceId: string) {
  const { rows } = await sql<Record<CountedUse | 'contacts' | 'senders', string>>`
    select (select count(*) from contacts where workspace_id = ${workspaceId}) - (${samples(workspaceId)}) as contacts,
      (select count(*) from senders where workspace_id = ${workspaceId}) as senders,
      coalesce(max(emails), 0) as emails, coalesce(max(whatsapp_messages), 0) as whatsapp_messages, coalesce(max(pages), 0) as pages
    from usage_months where workspace_id = ${workspaceId} and month = ${month}`.execute(db)
  const row = rows[0]
  const number = (value: string | undefined) => Number(value ?? 0)
  return {
    contacts: number(row?.contacts),
    emails: number(row?.emails),
    senders: number(row?.senders),
    pages: number(row?.pages),
    whatsappMessages: number(row?.whatsappMessages),
  }
}

/** How much of one thing was used this month. */
export async function countUsed(db: Db, workspaceId: string, what: CountedUse): Promise<number> {
  const row = await db
    .selectFrom('usageMonths')
    .where('workspaceId', '=', workspaceId)
    .where('month', '=', month)
    .select(what)
    .executeTakeFirst()
  return Number(row?.[what] ?? 0)
}

/** The plan that counts for a workspace. */
export async function findPlanName(db: Db, workspaceId: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select('plan')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.plan ?? 'free'
}

/** Holds a workspace against others that add to it until the transaction ends. */
export async function lockWorkspace(db: Db, workspaceId: string): Promise<void> {
  await db.selectFrom('workspaces').where('id', '=', workspaceId).select('id').forNoKeyUpdate().executeTakeFirst()
}

/** How many rows a workspace has in a table, counted up to `most`; sample contacts are not counted. */
export async function countUpTo(
  db: Db,
  table: 'contacts' | 'senders' | 'sending_domains',
  workspaceId: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from (
    select 1 from ${sql.table(table)} where workspace_id = ${workspaceId}
      ${table === 'contacts' ? sql`and source <> 'sample'` : sql``} limit ${most}) as counted`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
