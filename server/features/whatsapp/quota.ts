import { sql } from 'kysely'
import type { z } from 'zod'
import type { PlanName } from '#contracts/accounts.ts'
import { plans } from '#contracts/plans.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'

/** Messages a workspace sent this calendar month (UTC): handed to Meta or about to be. */
export async function messagesThisMonth(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from whatsapp_messages
    where workspace_id = ${workspaceId} and at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc'
      and direction = 'out' and status <> 'failed'`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** The messages a month a plan allows. */
export function messageLimit(plan: string): number {
  const name = plan.toLowerCase() as z.infer<typeof PlanName>
  return (plans[name] ?? plans.free).whatsappMessages
}

/** Throws Refusal 402 when the plan has no room for so many more messages this month. */
export async function requireMessages(
  db: Db,
  caller: { workspaceId: string; plan: string },
  more: number,
): Promise<void> {
  const limit = messageLimit(caller.plan)
  if ((await messagesThisMonth(db, caller.workspaceId)) + more > limit)
    throw new Refusal(
      402,
      'quota_used_up',
      `Your plan sends ${limit.toLocaleString('en')} WhatsApp messages a month, and they are used up. Choose a larger plan, or wait for the next month.`,
    )
}

/** The largest plan of a workspace's people: they share one. */
export async function planOf(db: Db, workspaceId: string): Promise<string> {
  const rows = await db.selectFrom('users').where('workspaceId', '=', workspaceId).select('plan').execute()
  const names = Object.keys(plans)
  const best = Math.max(0, ...rows.map(({ plan }) => names.indexOf(plan.toLowerCase())))
  return names[best] ?? 'free'
}

/** Whether the workspace's plan has room for so many more messages this month. */
export async function hasRoom(db: Db, workspaceId: string, more: number): Promise<boolean> {
  return (await messagesThisMonth(db, workspaceId)) + more <= messageLimit(await planOf(db, workspaceId))
}
