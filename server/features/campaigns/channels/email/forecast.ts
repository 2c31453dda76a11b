import { sql } from 'kysely'
import type { Forecast } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { dayReleaseAt, planLimit, planRisesAt, type RampPlan } from '#server/engine/index.ts'
import { toPlan } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, toCounts } from '../../campaign-rows.ts'
import { findHours } from '../gmail/draft.ts'
import { foresee } from './outlook.ts'

interface SenderAhead {
  perSecond: number | null
  perDay: number | null
  rampDays: number | null
  rampFrom: Date | null
  restUntil: Date | null
  usage: { bucket: string; count: number }[] | null
  dueAt: Date | null
  isShared: boolean
}

/** When an email campaign goes on and ends; null where nothing but the speed of its mail server decides, or nothing can be told. */
export async function forecastEmail(db: Db, row: CampaignRow, people?: number): Promise<Forecast | null> {
  const { queued, deferred } = toCounts(row)
  const emails = people ?? queued + deferred
  if (emails === 0 || !row.senderId || (people === undefined && row.state !== 'sending')) return null
  const { window } = await findHours(db, row)
  const { rows } = await sql<SenderAhead>`
    select s.per_second, s.per_day, s.ramp_days, s.ramp_from, s.rest_until,
      (select json_agg(json_build_object('bucket', u.bucket, 'count', u.count)) from sender_usage u
        where u.workspace_id = s.workspace_id and u.sender_id = s.id and u.bucket > now() - interval '25 hours') as usage,
      (select m.due_at from messages m where m.campaign_id = ${row.id} and m.due_at is not null order by m.due_at limit 1) as due_at,
      exists (select from campaigns o where o.workspace_id = s.workspace_id and o.sender_id = s.id and o.state = 'sending' and o.id <> ${row.id}) as is_shared
    from senders s where s.workspace_id = ${row.workspaceId} and s.id = ${row.senderId}`.execute(db)
  const [sender] = rows
  if (!sender) return null
  const now = Date.now()
  const plan: RampPlan | null = toPlan(sender)
  if (!window && planLimit(sender.perDay, plan, now) === null) return null
  // One that has not begun begins with the first email.
  const begun = plan && { ...plan, from: plan.from ?? new Date(now) }
  const found = foresee({
    from: Math.max(now, sender.restUntil?.getTime() ?? 0, sender.dueAt?.getTime() ?? 0),
    emails,
    perSecond: sender.perSecond,
    limitAt: (at) => planLimit(sender.perDay, begun, at),
    risesAt: (at) => begun && planRisesAt(begun, at),
    releases: (sender.usage ?? []).map(({ bucket, count }) => ({ at: dayReleaseAt(Date.parse(bucket)), count })),
    window,
  })
  if (!found) return null
  return {
    nextAt: new Date(found.nextAt).toISOString(),
    nextStep: 1,
    lastAt: found.lastAt === null ? null : new Date(found.lastAt).toISOString(),
    lastFollowUpAt: null,
    isShared: sender.isShared,
    timeZone: window?.timeZone ?? null,
  }
}
