/**
 * How often one contact is emailed: a pause and a limit of their own, and the limit of the workspace, over every campaign of email.
 * What counts is in `messages` itself, so that nothing has to be given back when a message fails or a process dies.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Reach } from '../../sending/claims.ts'

/** Messages of machine words: in reports, exports and the audience. */
export const PAUSED = 'paused'
export const FREQUENCY_CAP = 'frequency_cap'

/** Whether the contact `c` wants no emails now. */
export const isPaused = sql<boolean>`coalesce(c.paused_until > now(), false)`

/** Whether a workspace, or one of its contacts, limits emails a week. Without, nothing is counted. */
export async function isLimited(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ limited: boolean }>`
    select weekly_emails is not null or exists (select 1 from contacts where workspace_id = ${workspaceId} and weekly_limit is not null) as limited
    from workspaces where id = ${workspaceId}`.execute(db)
  return rows[0]?.limited ?? false
}

const weeklyEmails = (workspaceId: string) => sql`(select weekly_emails from workspaces where id = ${workspaceId})`

/** Campaigns of email that can have sent something in the last seven days. */
const recentCampaigns = (workspaceId: string) => sql`array(select id from campaigns where workspace_id = ${workspaceId}
  and channel in ('email', 'gmail') and audience_at is not null and (finished_at is null or finished_at > now() - interval '7 days'))`

/** Whether the message `o` was sent in the last seven days, or is being sent: an unconfirmed one may have arrived. */
const counts = sql`(o.state = 'claimed' or o.state in ('sent', 'unconfirmed', 'bounced')
  and coalesce(o.sent_at, o.first_attempt_at, o.queued_at) > now() - interval '7 days')`

/** The reach `of` without those who paused emails and, where it `isLimited`, without those who had their emails of the week. */
export function withFrequency(of: Reach, workspaceId: string, isLimited: boolean): Reach {
  const { joins = sql``, obstacles = sql`` } = of
  if (!isLimited) return { ...of, obstacles: sql`when ${isPaused} then ${PAUSED} ${obstacles}` }
  return {
    ...of,
    joins: sql`${joins} left join lateral (
        select count(*) as sent from messages o where o.workspace_id = ${workspaceId} and o.campaign_id = any(${recentCampaigns(workspaceId)})
          and o.contact_id = picked.contact_id and o.id <> picked.id and ${counts}
      ) week on true`,
    obstacles: sql`when ${isPaused} then ${PAUSED}
      when week.sent >= least(c.weekly_limit, ${weeklyEmails(workspaceId)}) then ${FREQUENCY_CAP} ${obstacles}`,
  }
}

/**
 * Lets one claim of a workspace count after the other, in the transaction `db`: of two campaigns at once the second one sees
 * what the first one took.
 */
export async function holdFrequency(db: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`emails a week of ${workspaceId}`}, 0))`.execute(db)
}

/** The contacts of a workspace who had their emails of the week, for `in (…)`. */
export const atLimit = (workspaceId: string): RawBuilder<unknown> => sql`
  select o.contact_id from messages o join contacts x on x.workspace_id = o.workspace_id and x.id = o.contact_id
  where o.workspace_id = ${workspaceId} and o.campaign_id = any(${recentCampaigns(workspaceId)}) and ${counts}
  group by o.contact_id, x.weekly_limit having count(*) >= least(x.weekly_limit, ${weeklyEmails(workspaceId)})`
