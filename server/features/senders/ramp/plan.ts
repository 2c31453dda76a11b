/** Ramp-up plans of senders: daily limits that grow for 14 or 30 days, while few emails bounce or are refused. */
import { sql } from 'kysely'
import type { Sender } from '#contracts/senders/senders.ts'
import {
  enterStep,
  findStepFault,
  isStepDue,
  planCurve,
  planDay,
  planLimit,
  planRisesAt,
  type RampDays,
  type RampPlan,
  type StepResults,
} from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

const DAY_MS = 24 * 3_600_000

interface PlanColumns {
  rampDays: number | null
  rampFrom: Date | null
  rampDay: number
  rampHold: unknown
}

/** Why a plan is held, since when, and at how many a day, as it is stored. */
type Hold = StepResults & { at: string; limit: number }

/** The slow start of a Gmail account in days: it is above Google's own limits by then. */
const ACCOUNT_DAYS = 14

/** What `senders` stores of a plan that begins with the next message; null: it ends. */
export const newPlan = (days: RampDays | null) => ({ rampDays: days, rampFrom: null, rampDay: 0, rampHold: null })

/** The same of the slow start of a Gmail account. */
export const newSlowStart = (isOn: boolean) => newPlan(isOn ? ACCOUNT_DAYS : null)

/** The plan in the columns of a sender; null: it has none. */
export const toPlan = ({ rampDays, rampFrom, rampDay, rampHold }: PlanColumns): Required<RampPlan> | null =>
  rampDays === null ? null : { days: rampDays as RampDays, from: rampFrom, day: rampDay, isHeld: rampHold !== null }

/** A plan as the contract has it; null: there is none, or it has ended. */
export function presentPlan(row: PlanColumns & { perDay: number | null }, now: number): Sender['rampPlan'] {
  const plan = toPlan(row)
  if (!plan || planDay(plan, now) >= plan.days) return null
  return {
    days: plan.days,
    day: planDay(plan, now) + 1,
    limit: planLimit(row.perDay, plan, now) ?? 0,
    curve: planCurve(plan.days, row.perDay),
    startedAt: plan.from?.toISOString() ?? null,
    held: plan.isHeld ? describeHold(row.rampHold as Hold) : null,
  }
}

function describeHold({ at, limit, ...results }: Hold): NonNullable<Sender['rampPlan']>['held'] {
  const fault = findStepFault(results) ?? 'complained'
  const share = results[fault] / Math.max(1, results.sent)
  const percent = share.toLocaleString('en-US', { style: 'percent', maximumSignificantDigits: 2 })
  // Results of a day may be of emails sent before it: more than were sent on it are no share of it.
  const emails = share > 1 ? 'emails of the days before' : `${percent} of the emails of that day`
  return { at, text: `Held at ${limit.toLocaleString('en-US')} a day: ${emails} ${FAULTS[fault]}.` }
}

const FAULTS: Record<NonNullable<ReturnType<typeof findStepFault>>, string> = {
  hard: 'bounced, because the addresses do not exist',
  blocked: 'were refused as unwanted',
  complained: 'were reported as spam',
}

/**
 * The limit of a sender's rolling day, and when its plan allows more, in the transaction `db` that holds the sender's row: so every
 * worker sees the same. Its plan begins with the first message, and another day of it once the results of the one before are seen.
 */
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
    .returning(['rampDays', 'rampFrom', 'rampDay', 'rampHold'])
    .executeTakeFirst()
  let plan = row ? toPlan(row) : null
  if (plan && isStepDue(plan, now.getTime())) plan = await beginStep(db, { id, workspaceId, perDay }, plan, now)
  return {
    limit: planLimit(perDay, plan, now.getTime()),
    risesAt: plan && planRisesAt(plan, now.getTime()),
  }
}

async function beginStep(
  db: Db,
  { id, workspaceId, perDay }: { id: string; workspaceId: string; perDay: number | null },
  plan: Required<RampPlan>,
  now: Date,
): Promise<Required<RampPlan>> {
  const since = new Date((plan.from?.getTime() ?? 0) + plan.day * DAY_MS)
  const results = await readResults(db, workspaceId, id, since)
  const next = enterStep(plan, results, now.getTime())
  const hold: Hold = { ...results, at: now.toISOString(), limit: planLimit(perDay, next, now.getTime()) ?? 0 }
  // One that sent too little since to tell anything is held for what was seen before.
  const isTold = findStepFault(results) !== null
  await db
    .updateTable('senders')
    .set({
      rampFrom: next.from,
      rampDay: next.day,
      ...(next.isHeld ? isTold && { rampHold: JSON.stringify(hold) } : { rampHold: null }),
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  return next
}

/** What became of what a sender sent since a moment; what was sent before the last 26 hours it sent in is not counted any more. */
async function readResults(db: Db, workspaceId: string, senderId: string, since: Date): Promise<StepResults> {
  const { rows } = await sql<StepResults>`
    with through as materialized (
      select c.id from campaigns c where c.workspace_id = ${workspaceId} and c.started_at is not null
        and (c.finished_at is null or c.finished_at > ${since}::timestamptz - interval '7 days')
        and (c.sender_id = ${senderId} or exists (
          select 1 from campaign_senders s where s.workspace_id = ${workspaceId} and s.campaign_id = c.id and s.sender_id = ${senderId}
        ))
    ), own as materialized (
      select id from through union all
      select f.id from through join campaigns f on f.workspace_id = ${workspaceId} and f.parent_id = through.id
    ), bad as materialized (
      select m.reason from messages m where m.workspace_id = ${workspaceId} and m.campaign_id in (select id from own)
        and m.trouble in ('failed', 'bounced') and m.reason in ('hard', 'block') and coalesce(m.bounced_at, m.first_attempt_at) >= ${since}
        and (m.sender_id is null or m.sender_id = ${senderId})
    )
    select
      (select coalesce(sum(count), 0)::int from sender_usage
        where workspace_id = ${workspaceId} and sender_id = ${senderId} and bucket > ${since}::timestamptz - interval '5 minutes') as sent,
      (select count(*)::int from bad where reason = 'hard') as hard,
      (select count(*)::int from bad where reason = 'block') as blocked,
      (select count(*)::int from suppressions s where s.workspace_id = ${workspaceId} and s.reason = 'complaint'
        and s.campaign_id in (select id from own) and s.at >= ${since}) as complained`.execute(db)
  return rows[0] ?? { sent: 0, hard: 0, blocked: 0, complained: 0 }
}

/** What a sender's plan allows on each of the coming days, today first; empty: it has none, or it has ended. */
export async function readRampAhead(db: Db, workspaceId: string, senderId: string): Promise<number[]> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', senderId)
    .select(['rampDays', 'rampFrom', 'rampDay', 'rampHold', 'perDay'])
    .executeTakeFirst()
  const plan = row ? presentPlan(row, Date.now()) : null
  return plan ? plan.curve.slice(plan.day - 1) : []
}
