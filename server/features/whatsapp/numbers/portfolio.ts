import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/**
 * How many people the numbers of each portfolio wrote to with a template in the last 24 hours, `margin` minutes more, whether
 * or not their window was open: never fewer than Meta counts of this installation. Meta counts by the portfolio, so all
 * workspaces that speak for one are counted together; nothing of them is told but this number.
 */
export async function reachedBy(db: Db, portfolios: string[], margin = 0): Promise<Map<string, number>> {
  if (portfolios.length === 0) return new Map()
  const { rows } = await sql<{ portfolioId: string; people: number }>`
    select a.portfolio_id, count(distinct m.person)::int as people
    from whatsapp_numbers a join whatsapp_messages m on m.account_id = a.id and m.workspace_id = a.workspace_id
    where a.portfolio_id = any(${portfolios}::text[]) and a.portfolio_id <> '' and m.direction = 'out' and m.kind = 'template'
      and m.status <> 'failed' and m.at > now() - make_interval(hours => 24, mins => ${margin}::int)
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.portfolioId, row.people]))
}

/** Whether one of a portfolio's numbers wrote to this person within the last 24 hours, so that another message adds nobody. */
async function hasReached(db: Db, portfolioId: string, person: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from whatsapp_numbers a join whatsapp_messages m on m.account_id = a.id and m.workspace_id = a.workspace_id
    where a.portfolio_id = ${portfolioId} and m.person = ${person} and m.direction = 'out' and m.kind = 'template'
      and m.status <> 'failed' and m.at > now() - interval '24 hours' limit 1`.execute(db)
  return rows.length > 0
}

interface Limited {
  portfolioId: string
  dailyLimit: number | null
}

/**
 * How many more people a number may write to first; null: without a limit. A caller in a transaction holds the
 * portfolio until its end: all that is sent through one portfolio is counted one after the other.
 */
export async function remainingRoom(db: Db, { portfolioId, dailyLimit }: Limited, margin = 0): Promise<number | null> {
  if (dailyLimit === null) return null
  await sql`select pg_advisory_xact_lock(hashtextextended(${`whatsapp portfolio ${portfolioId}`}, 0))`.execute(db)
  return Math.max(0, dailyLimit - ((await reachedBy(db, [portfolioId], margin)).get(portfolioId) ?? 0))
}

/** Whether one more message to a person keeps within the limit. In the transaction that writes the message down. */
export async function mayReach(db: Db, number: Limited, person: string): Promise<boolean> {
  const room = await remainingRoom(db, number)
  return room === null || room > 0 || (await hasReached(db, number.portfolioId, person))
}
