import { sql } from 'kysely'
import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import { isOpen, SUSPENDED } from '#server/features/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { allChannels } from './channels/index.ts'
import { beginAttempt } from './launch/attempt.ts'
import { giveUp, launchCampaign } from './launch/launch.ts'
import { removeRecipients } from './launch/recipients.ts'
import { settleEnded } from './reservations.ts'

const launchJob = job('campaigns.launch', z.object({ workspaceId: Id, campaignId: Id }), { retries: 10 })

/** Queues the start of a campaign with the transaction that decided it. */
export function queueLaunch(
  services: Pick<Services, 'queue'>,
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<void> {
  return services.queue.enqueue(launchJob, { workspaceId, campaignId }, { db, key: campaignId })
}

/** A campaign that is sending gets its recipients soon; one without them for this long, whose launch is in no queue, has lost it. */
const LOST_LAUNCH_SECONDS = 30
const NOT_STARTED =
  'The campaign could not start: the server failed each time. Duplicate it and try again. If that fails too, contact the operator: the server log has the reason.'
/** The planner must know of new messages soon, and not when autovacuum gets round to it. */
const analyzeJob = job('campaigns.analyze', z.object({}), { retries: 0 })
/**
 * Claims do without, and at first it would only compete with them. Of a campaign to more than so many it saves a quarter of the
 * database's work (`npm run bench campaign`), so that it is worth it at once.
 */
const LARGE = 30_000
const ANALYZE_AFTER_MS = 10_000

async function queueAnalysis({ db, queue }: Services, workspaceId: string, campaignId: string): Promise<void> {
  const counts = await db
    .selectFrom('campaignCounts')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .select('queued')
    .executeTakeFirst()
  const isLarge = Number(counts?.queued ?? 0) > LARGE
  const at = new Date(Date.now() + (isLarge ? 0 : ANALYZE_AFTER_MS))
  await queue.enqueue(analyzeJob, {}, { at, key: 'messages' })
}

const isCampaignOpen = isOpen('campaigns.workspace_id')

const isDue = sql<boolean>`state = 'scheduled' and scheduled_at <= now()`

/** Moves scheduled campaigns whose time has come to sending, or to paused where the account is suspended. The row says when: a clock that jumps or a process that slept changes nothing. */
async function startDue(services: Services): Promise<void> {
  const started = await services.db.transaction().execute(async (db) => {
    const due = await db
      .updateTable('campaigns')
      .set({
        state: sql<string>`case when ${isCampaignOpen} then 'sending' else 'paused' end`,
        stateText: sql<string>`case when ${isCampaignOpen} then '' else ${SUSPENDED} end`,
        startedAt: sql<Date>`now()`,
      })
      .where(isDue)
      .returning(['id', 'workspaceId'])
      .execute()
    for (const row of due) await queueLaunch(services, db, row.workspaceId, row.id)
    return due
  })
  for (const { id } of started) services.live.publish('launching', id)
}

/** Ends a campaign that did not start after every try, in words. One that has its recipients is left alone. */
async function endLaunch(services: Services, workspaceId: string, campaignId: string): Promise<void> {
  const attempt = await beginAttempt(services.db, workspaceId, campaignId)
  if (attempt) await giveUp(services, attempt, { state: 'failed', fault: NOT_STARTED })
}

const isOverdue = sql`audience_at is null and started_at < now() - make_interval(secs => ${LOST_LAUNCH_SECONDS})`
const isLost = sql<boolean>`state = 'sending' and ${isOverdue}`
const hasEnded = sql<boolean>`${isOverdue} and (state in ('cancelled', 'failed') or deleted_at is not null)
  and exists (select 1 from messages m where m.workspace_id = campaigns.workspace_id and m.campaign_id = campaigns.id)`

/** Ends the campaigns whose launch used up its tries with processes that died: no run was left to say so. */
async function endLostLaunches(services: Services): Promise<void> {
  const lost = await services.db
    .selectFrom('campaigns')
    .where(isLost)
    .select(['id', 'workspaceId'])
    .limit(100)
    .execute()
  for (const { id, workspaceId } of lost)
    if (!(await services.queue.holds(services.db, launchJob, id))) await endLaunch(services, workspaceId, id)
}

/** Removes what launches left that used up their tries after their campaign was canceled or removed. */
async function clearEndedLaunches(services: Services): Promise<void> {
  const { rows } = await sql<{ id: string; workspaceId: string }>`
    select id, workspace_id from campaigns
    where ${hasEnded} limit 100`.execute(services.db)
  for (const { id, workspaceId } of rows)
    if (!(await services.queue.holds(services.db, launchJob, id)))
      await removeRecipients(services.db, { workspaceId, id, startedAt: '' })
}

/** Launches campaigns, watches the clock for scheduled ones, and does the work of each channel. */
export async function handleJobs(services: Services): Promise<void> {
  const { queue, intervals } = services
  await queue.handle(
    launchJob,
    async ({ workspaceId, campaignId }, signal, isLastTry) => {
      try {
        await launchCampaign(services, workspaceId, campaignId, signal)
        await queueAnalysis(services, workspaceId, campaignId)
      } catch (error) {
        // The process stops, and another one goes on: that is no failure.
        if (signal.aborted) return queueLaunch(services, services.db, workspaceId, campaignId)
        if (isLastTry) await endLaunch(services, workspaceId, campaignId)
        throw error
      }
    },
    2,
  )
  await queue.handle(analyzeJob, async () => void (await sql`analyze messages`.execute(services.db)))
  await queue.every({
    name: 'campaigns.start-due',
    per: 'process',
    intervalMs: intervals.dueCampaignsMs,
    isDue: sql<boolean>`exists (select 1 from campaigns where ${isDue})`,
    run: () => startDue(services),
  })
  await queue.every({
    name: 'campaigns.end-lost-launches',
    per: 'process',
    intervalMs: intervals.lostLaunchesMs,
    isDue: sql<boolean>`(exists (select 1 from campaigns where ${isLost}) or exists (select 1 from campaigns where ${hasEnded}))`,
    run: async () => {
      await endLostLaunches(services)
      await clearEndedLaunches(services)
    },
  })
  await queue.every({
    name: 'campaigns.settle-reservations',
    per: 'database',
    intervalMs: intervals.unusedReservationsMs,
    run: () => settleEnded(services.db),
  })
  for (const channel of allChannels()) await channel.handleJobs?.(services)
}
