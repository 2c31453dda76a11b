import { sql } from 'kysely'
import { restoreSuppressions } from '#server/features/contacts/index.ts'
import { queueLookups } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { type CampaignRow, campaignById } from '../campaign-rows.ts'
import type { Channel, Launch, LaunchFault } from '../channels/channel.ts'
import { requireChannel } from '../channels/index.ts'
import { tellOrigins } from '../origins.ts'
import { reserveCampaign } from '../reservations.ts'
import { moveCampaign } from '../store.ts'
import { type Attempt, beginAttempt, inTurn } from './attempt.ts'
import { AudienceFault, removeRecipients, requireAudience, writeRecipients } from './recipients.ts'

/** Contacts a transaction: it takes a tenth of a second, and each costs a few milliseconds beside its contacts. */
const SLICE_SIZE = 10_000

/**
 * Starts a campaign that was set to sending: freezes its content, writes down its recipients in slices, and then lets it be sent,
 * only once. A launch that was cut off is tried again from its beginning: what was written stays, each recipient once. From its
 * end on nothing that is edited elsewhere changes what is sent. Throws what `signal` aborts with.
 */
export async function launchCampaign(
  services: Services,
  workspaceId: string,
  id: string,
  signal: AbortSignal,
  sliceSize = SLICE_SIZE,
): Promise<void> {
  const { db, live } = services
  const attempt = await beginAttempt(db, workspaceId, id)
  // It may have ended while an earlier attempt was cut off.
  if (!attempt) return removeRecipients(db, { workspaceId, id, startedAt: '' })
  const campaign = await campaignById(db, workspaceId, id)
  if (!campaign) return removeRecipients(db, attempt)
  const channel = requireChannel(campaign.channel)
  const launch = await channel.plan(services, campaign)
  if ('fault' in launch) return giveUp(services, attempt, launch)
  const begun = begin(services, attempt, channel, launch, { size: sliceSize, signal })
  // It was scheduled, or its audience changed since: a draft again, so that it can be sent once that is fixed.
  const refused = await begun.catch((error): LaunchFault => ({ state: 'draft', fault: explainRefusal(error) }))
  if (typeof refused === 'object') return giveUp(services, attempt, refused)
  if (!refused) await removeRecipients(db, attempt)
  live.publish('sending', id)
}

/** Returns whether the campaign has its recipients; else it ended meanwhile. Throws AudienceFault and Refusal 402. */
async function begin(
  services: Services,
  attempt: Attempt,
  channel: Channel,
  launch: Launch,
  slices: { size: number; signal: AbortSignal },
): Promise<boolean> {
  const { db } = services
  const { workspaceId, id } = attempt
  const isFrozen = await inTurn(db, attempt, ['own'], async (db) => {
    await restoreSuppressions(db, services.config, workspaceId)
    await freeze(db, attempt, launch)
    return true
  })
  if (!isFrozen) return false
  const campaign = await campaignById(db, workspaceId, id)
  const audience = await requireAudience(db, campaign)
  if (!(await writeRecipients(db, attempt, audience, slices, launch.writeAudience))) return false
  try {
    const isComplete = await inTurn(db, attempt, ['own'], async (db) => {
      await complete(services, db, attempt, channel, launch, campaign?.listIds)
      return true
    })
    return isComplete ?? false
  } catch (error) {
    if (error instanceof EndedMeanwhile) return false
    throw error
  }
}

async function freeze(db: Db, { workspaceId, id }: Attempt, { plan, tellsOrigins, freeze }: Launch): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ plan: JSON.stringify(plan), tellsOrigins })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  await freeze?.(db)
}

class EndedMeanwhile extends Error {}

/**
 * Lets a campaign whose recipients are written be sent. What its audience needs is looked up again: a list or segment deleted
 * meanwhile changed who was found. Its row is locked last, so that a pause hardly waits. Throws AudienceFault, EndedMeanwhile
 * and Refusal 402.
 */
async function complete(
  services: Services,
  db: Db,
  { workspaceId, id }: Attempt,
  channel: Channel,
  { tellsOrigins }: Launch,
  listIds: string[] = [],
): Promise<void> {
  const campaign: CampaignRow | undefined = await campaignById(db, workspaceId, id)
  await requireAudience(db, campaign)
  if (campaign && campaign.listIds.length < listIds.length)
    throw new AudienceFault('One of its lists was deleted while it started. Check the recipients.')
  if (tellsOrigins) await tellOrigins(db, workspaceId, id)
  const started = await db
    .updateTable('campaigns')
    .set({ audienceAt: sql<Date>`now()`, startedAt: sql<Date>`statement_timestamp()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', ['sending', 'paused'])
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!started) throw new EndedMeanwhile()
  await reserveCampaign(services, db, workspaceId, id, channel.counts)
  if (channel.isEmail) await queueLookups(services, db, { workspaceId, campaignId: id })
}

/** Ends a launch that cannot be: no recipient stays, and nothing is frozen. Until then the campaign cannot be sent again. */
export async function giveUp(services: Services, attempt: Attempt, { state, fault }: LaunchFault): Promise<void> {
  const { db, live } = services
  const { workspaceId, id } = attempt
  await removeRecipients(db, attempt)
  await inTurn(db, attempt, ['own'], async (db) => {
    await sql`update campaigns set plan = null, tells_origins = false, audience_at = null
      where workspace_id = ${workspaceId} and (id = ${id} or parent_id = ${id})`.execute(db)
    await moveCampaign(db, workspaceId, id, ['sending', 'paused'], {
      state,
      stateText: fault,
      ...(state === 'failed' && { finishedAt: new Date() }),
    })
  })
  live.publish('sending', id)
}

/** What a launch says that the plan has no room for, or whose audience cannot be told; any other failure is thrown on. */
function explainRefusal(error: unknown): string {
  if (error instanceof AudienceFault || (error instanceof Refusal && error.status === 402))
    return `The campaign did not start. ${error.message}`
  throw error
}
