/** What is used of a month's limits: one row a workspace and month (UTC), changed by single statements that keep to the limit. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** What is counted by the month. */
export type Counted = 'emails' | 'whatsappMessages' | 'pages'

/** The columns of usage_months, as the trigger campaigns_settled finds them. */
const COLUMNS: Record<Counted, string> = { emails: 'emails', whatsappMessages: 'whatsapp_messages', pages: 'pages' }

const month = sql<Date>`date_trunc('month', now() at time zone 'utc')::date`

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
  what: Counted,
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
  what: Counted,
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
export async function subtract(db: Db, workspaceId: string, what: Counted, amount: number): Promise<void> {
  const column = sql.ref(what)
  await sql`update usage_months set ${column} = greatest(0, ${column} - ${amount}::bigint)
    where workspace_id = ${workspaceId} and month = ${month}`.execute(db)
}

/** This month's counts and the number of contacts and senders there are now. */
export async function usageNow(db: Db, workspaceId: string) {
  const { rows } = await sql<Record<Counted | 'contacts' | 'senders', string>>`
    select (select count(*) from contacts where workspace_id = ${workspaceId}) as contacts,
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
export async function usedOf(db: Db, workspaceId: string, what: Counted): Promise<number> {
  const row = await db
    .selectFrom('usageMonths')
    .where('workspaceId', '=', workspaceId)
    .where('month', '=', month)
    .select(what)
    .executeTakeFirst()
  return Number(row?.[what] ?? 0)
}

/** The plan that counts for a workspace. */
export async function planOf(db: Db, workspaceId: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select('plan')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.plan ?? 'free'
}

/** What a campaign has in hand: what it reserved this month and before, and how many people it may still reach or reached. */
export async function campaignNeed(db: Db, workspaceId: string, campaignId: string) {
  const { rows } = await sql<{ reserved: string; before: string; people: string | null }>`
    select
      case when c.reserved_month = ${month} then c.reserved else 0 end as reserved,
      c.reserved_before + case when c.reserved_month < ${month} then c.reserved else 0 end as before,
      n.queued + n.claimed + n.deferred + n.sent + n.bounced + n.unconfirmed as people
    from campaigns c left join campaign_counts n on n.campaign_id = c.id
    where c.id = ${campaignId} and c.workspace_id = ${workspaceId}`.execute(db)
  const row = rows[0]
  return (
    row && {
      reserved: Number(row.reserved),
      before: Number(row.before),
      people: row.people === null ? undefined : Number(row.people),
    }
  )
}

/** Notes what a campaign has reserved of a limit this month, and in all months before. */
export async function noteReserved(
  db: Db,
  workspaceId: string,
  campaignId: string,
  what: Counted,
  reserved: number,
  before: number,
): Promise<void> {
  await sql`update campaigns set reserved = ${reserved}, reserved_before = ${before}, reserved_month = ${month},
      reserved_of = ${COLUMNS[what]}
    where workspace_id = ${workspaceId} and id = ${campaignId}`.execute(db)
}

/** Gives back what campaigns that ended while messages were in hand did not use after all (trigger campaigns_settled). */
export async function settleEnded(db: Db): Promise<void> {
  await sql`update campaigns c set state = c.state from campaign_counts n
    where n.workspace_id = c.workspace_id and n.campaign_id = c.id and c.state in ('sent', 'cancelled', 'failed') and c.reserved_month = ${month}
      and c.reserved > n.sent + n.bounced + n.unconfirmed + n.claimed - c.reserved_before and c.reserved > 0`.execute(
    db,
  )
}

/** Holds a workspace against others that add to it until the transaction ends. */
export async function lockWorkspace(db: Db, workspaceId: string): Promise<void> {
  await db.selectFrom('workspaces').where('id', '=', workspaceId).select('id').forNoKeyUpdate().executeTakeFirst()
}

/** How many rows a workspace has in a table, counted up to `most`. */
export async function countUpTo(
  db: Db,
  table: 'contacts' | 'senders',
  workspaceId: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from (
    select 1 from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${most}) as counted`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
