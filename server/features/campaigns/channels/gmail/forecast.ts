import { sql } from 'kysely'
import type { Forecast } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { dayReleaseAt, type RampDays } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CampaignRow, toCounts } from '../../campaign-rows.ts'
import { findHours } from '../hours/hours.ts'
import { type AccountAhead, outlook, type QueueAhead } from './outlook.ts'

/**
 * When a Gmail campaign goes on and ends: one that sends, or a draft, were it sent now to `people`. null where nothing can be
 * told.
 */
export async function forecastGmail(db: Db, row: CampaignRow, people?: number): Promise<Forecast | null> {
  if (people !== undefined) return foretell(db, row, people)
  if (row.state !== 'sending' || row.parentId) return null
  const { queued, deferred } = toCounts(row)
  return foretell(db, row, queued + deferred)
}

async function foretell(db: Db, row: CampaignRow, emails: number): Promise<Forecast | null> {
  const { window, spread } = await findHours(db, row)
  const steps = await stepsAhead(db, row)
  const waiting = await listWaiting(db, row)
  const accounts = await listAccountsAhead(db, row, waiting)
  const found = outlook({
    ...{ now: Date.now(), window, spread, accounts, waiting },
    emails,
    emailsFrom: (await firstDue(db, row)) ?? Date.now(),
    waits: steps,
  })
  if (!found) return null
  const at = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return {
    nextAt: new Date(found.nextAt).toISOString(),
    nextStep: found.nextStep,
    lastAt: at(found.lastEmailAt),
    lastFollowUpAt: at(found.lastFollowUpAt),
    isShared: await othersSend(db, row, accounts),
    timeZone: window?.timeZone ?? null,
  }
}

/** Milliseconds each follow-up waits, in order. */
async function stepsAhead(db: Db, { id, workspaceId, state }: CampaignRow): Promise<number[]> {
  const steps = db.selectFrom('campaigns').where('workspaceId', '=', workspaceId).where('parentId', '=', id)
  const rows = await (state === 'draft' ? steps : steps.where('audienceAt', 'is not', null))
    .select('afterMinutes')
    .orderBy('step')
    .execute()
  return rows.map(({ afterMinutes }) => afterMinutes * 60_000)
}

async function firstDue(db: Db, { id }: CampaignRow): Promise<number | undefined> {
  const row = await db
    .selectFrom('messages')
    .where('campaignId', '=', id)
    .where('dueAt', 'is not', null)
    .select('dueAt')
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return row?.dueAt?.getTime()
}

/** Follow-ups that wait, by the minute they are due in. */
async function listWaiting(db: Db, { workspaceId, id }: CampaignRow): Promise<QueueAhead['waiting']> {
  const { rows } = await sql<{ step: number; senderId: string; due: Date; count: number }>`
    select c.step, m.sender_id, date_trunc('minute', m.due_at) as due, count(*)::int as count
    from campaigns c join messages m on m.workspace_id = c.workspace_id and m.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and c.parent_id = ${id} and m.due_at is not null and m.sender_id is not null
    group by 1, 2, 3 order by 3`.execute(db)
  return rows.map(({ due, ...row }) => ({ ...row, dueAt: due.getTime() }))
}

interface AccountRow extends Omit<AccountAhead, 'freeAt' | 'releases' | 'plan'> {
  rampDays: RampDays | null
  rampFrom: Date | null
  paceAt: Date
  restUntil: Date | null
  usage: { bucket: string; count: number }[] | null
}

/** The accounts it goes through and those whose threads wait, without those whose permission has ended. */
async function listAccountsAhead(
  db: Db,
  { workspaceId, id }: CampaignRow,
  waiting: QueueAhead['waiting'],
): Promise<AccountAhead[]> {
  const { rows } = await sql<AccountRow>`
    select s.id, s.pace_at, s.rest_until, s.per_minute, coalesce(s.per_day, 500) as per_day, s.ramp_days, s.ramp_from,
      through.sender_id is not null as chosen,
      (select json_agg(json_build_object('bucket', u.bucket, 'count', u.count) order by u.bucket) from sender_usage u
        where u.workspace_id = s.workspace_id and u.sender_id = s.id and u.bucket > now() - interval '25 hours') as usage
    from senders s
    left join gmail_accounts g on g.workspace_id = s.workspace_id and g.sender_id = s.id
    left join campaign_senders through on through.workspace_id = s.workspace_id and through.campaign_id = ${id} and through.sender_id = s.id
    where s.workspace_id = ${workspaceId} and (through.sender_id is not null or s.id = any(${waiting.map(({ senderId }) => senderId)}::bigint[]))
      and g.revoked_at is null`.execute(db)
  return rows.map(({ paceAt, restUntil, usage, rampDays, rampFrom, ...row }) => ({
    ...row,
    plan: rampDays === null ? null : { days: rampDays, from: rampFrom },
    freeAt: Math.max(paceAt.getTime(), restUntil?.getTime() ?? 0),
    releases: (usage ?? []).flatMap(({ bucket, count }) =>
      Array.from({ length: count }, () => dayReleaseAt(Date.parse(bucket))),
    ),
  }))
}

/** Whether other campaigns send through the same accounts: then it may take longer. */
async function othersSend(db: Db, { id, workspaceId }: CampaignRow, accounts: AccountAhead[]): Promise<boolean> {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('campaignSenders as through', (join) =>
      join.onRef('through.workspaceId', '=', 'campaigns.workspaceId').onRef('through.campaignId', '=', 'campaigns.id'),
    )
    .where('campaigns.workspaceId', '=', workspaceId)
    .where('campaigns.state', '=', 'sending')
    .where('campaigns.id', '<>', id)
    .where('through.senderId', 'in', ['0', ...accounts.map((account) => account.id)])
    .select('campaigns.id')
    .executeTakeFirst()
  return row !== undefined
}
