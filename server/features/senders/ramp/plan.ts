/** Ramp-up plans of mail servers: daily limits that grow for 14 or 30 days. */
import { sql } from 'kysely'
import type { Sender } from '#contracts/senders/senders.ts'
import { planCurve, planLimit, planRisesAt, type RampDays, type RampPlan, rampDay } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** The plan in the columns of a sender; null: it has none. */
export const toPlan = ({ rampDays, rampFrom }: { rampDays: number | null; rampFrom: Date | null }): RampPlan | null =>
  rampDays === null ? null : { days: rampDays as RampDays, from: rampFrom }

/** A plan as the contract has it; null: there is none, or it has ended. */
export function presentPlan(plan: RampPlan | null, perDay: number | null, now: number): Sender['rampPlan'] {
  if (!plan || rampDay(plan.from, now) >= plan.days) return null
  return {
    days: plan.days,
    day: rampDay(plan.from, now) + 1,
    limit: planLimit(perDay, plan, now) ?? 0,
    curve: planCurve(plan.days, perDay),
    startedAt: plan.from?.toISOString() ?? null,
  }
}

/** The limit of a sender's rolling day, and when its plan allows more; its plan begins with the first message, in the transaction `db`. */
export async function readPlanLimit(
  db: Db,
  { id, workspaceId, perDay }: { id: string; workspaceId: string; perDay: number | null },
  now: Date,
): Promise<{ limit: number | null; risesAt: number | null }> {
  const row = await db
    .updateTable('senders')
    .set({ rampFrom: sql<Date>`coalesce(ramp_from, ${now})` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('rampDays', 'is not', null)
    .returning(['rampDays', 'rampFrom'])
    .executeTakeFirst()
  const plan = row ? toPlan(row) : null
  return {
    limit: planLimit(perDay, plan, now.getTime()),
    risesAt: plan && planRisesAt(plan, now.getTime()),
  }
}
