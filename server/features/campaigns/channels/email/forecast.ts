import { sql } from 'kysely'
import type { Forecast, SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { dayReleaseAt, planLimit, planRisesAt, type RampDays, type RampPlan } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readAudience } from '../../audience/audience.ts'
import { type CampaignRow, toCounts } from '../../campaign-rows.ts'
import { findHours } from '../hours/hours.ts'
import { hoursFor } from '../hours/recipients.ts'
import { type EmailsAhead, foresee, MAX_PARTS } from './outlook.ts'

/** Recipients whose time zones are counted while somebody waits for the answer. */
const MAX_BY_ZONE = 50_000
/** Different texts in the field for time zones, and parts of days that are gone through for each zone at least. */
const MAX_ZONES = 1_000
const MIN_PARTS = 30

interface SenderAhead {
  perSecond: number | null
  perDay: number | null
  rampDays: RampDays | null
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
      exists (select 1 from campaigns o where o.workspace_id = s.workspace_id and o.sender_id = s.id and o.state = 'sending' and o.id <> ${row.id}) as is_shared
    from senders s where s.workspace_id = ${row.workspaceId} and s.id = ${row.senderId}`.execute(db)
  const [sender] = rows
  if (!sender) return null
  const now = Date.now()
  // Told as if no day of it were held.
  const plan: RampPlan | null = sender.rampDays === null ? null : { days: sender.rampDays, from: sender.rampFrom }
  if (!window && planLimit(sender.perDay, plan, now) === null) return null
  // One that has not begun begins with the first email.
  const begun = plan && { ...plan, from: plan.from ?? new Date(now) }
  const ahead = {
    from: Math.max(now, sender.restUntil?.getTime() ?? 0, sender.dueAt?.getTime() ?? 0),
    emails,
    perSecond: sender.perSecond,
    limitAt: (at: number) => planLimit(sender.perDay, begun, at),
    risesAt: (at: number) => begun && planRisesAt(begun, at),
    releases: (sender.usage ?? []).map(({ bucket, count }) => ({ at: dayReleaseAt(Date.parse(bucket)), count })),
    window,
  }
  const read = people === undefined ? readQueuedZones : readDraftZones
  const found = window?.zoneField ? await foreseeByZone(() => read(db, row, window), ahead, window) : foresee(ahead)
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

interface ZoneCount {
  /** What the custom field says, as it is written. */
  zone: string | null
  count: number
}

/** What the field for time zones says of who still waits, with one more than the most that are told apart. */
async function readQueuedZones(
  db: Db,
  { workspaceId, id }: CampaignRow,
  { zoneField }: SendingWindow,
): Promise<ZoneCount[]> {
  const { rows } = await sql<ZoneCount>`
    select c.attributes->>${zoneField} as zone, count(*)::int as count
    from messages m left join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
    where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and m.due_at is not null group by 1 limit ${MAX_ZONES + 1}`.execute(
    db,
  )
  return rows
}

/** The same of whom a draft goes to: of all with an address, whether they are skipped or not. undefined: they cannot be told. */
async function readDraftZones(
  db: Db,
  row: CampaignRow,
  { zoneField }: SendingWindow,
): Promise<ZoneCount[] | undefined> {
  const { found } = await readAudience(db, row, async (db, audience) => {
    const { rows } = await sql<ZoneCount>`
      select zone, count(*)::int as count from (
        select c.attributes->>${zoneField} as zone from ${audience.found} c where c.email is not null limit ${MAX_BY_ZONE}
      ) known group by 1 limit ${MAX_ZONES + 1}`.execute(db)
    return rows
  })
  return found
}

/**
 * The same where each recipient has hours of their own: all of them at the sender's pace, and those of each time zone in its
 * hours. Of many only the next one can be told.
 */
async function foreseeByZone(
  readZones: () => Promise<ZoneCount[] | undefined>,
  ahead: EmailsAhead,
  window: SendingWindow,
): Promise<ReturnType<typeof foresee>> {
  const own = foresee({ ...ahead, window: null })
  if (!own || ahead.emails > MAX_BY_ZONE) return own && { ...own, lastAt: null }
  const rows = await readZones()
  if (!rows) return undefined
  if (rows.length > MAX_ZONES) return { ...own, lastAt: null }
  const counts = new Map<string, number>()
  for (const { zone, count } of rows) {
    const { timeZone } = hoursFor(window, { [window.zoneField ?? '']: zone })
    counts.set(timeZone, (counts.get(timeZone) ?? 0) + count)
  }
  const maxParts = Math.max(MIN_PARTS, Math.floor(MAX_PARTS / counts.size))
  const zones = [...counts].map(([timeZone, emails]) =>
    foresee({ ...ahead, emails, window: { ...window, timeZone } }, maxParts),
  )
  const known = zones.filter((one) => one !== undefined)
  if (known.length === 0) return { ...own, lastAt: null }
  const lasts = [own, ...known].map(({ lastAt }) => lastAt ?? Number.POSITIVE_INFINITY)
  const lastAt = known.length < zones.length ? Number.POSITIVE_INFINITY : Math.max(...lasts)
  return {
    nextAt: Math.max(own.nextAt, Math.min(...known.map(({ nextAt }) => nextAt))),
    lastAt: lastAt === Number.POSITIVE_INFINITY ? null : lastAt,
  }
}
