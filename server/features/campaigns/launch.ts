import { sql } from 'kysely'
import { CompileError, type Plan } from '#server/engine/index.ts'
import { reserveCampaign } from '#server/features/billing/index.ts'
import { hasOrigins, restoreSuppressions } from '#server/features/contacts/index.ts'
import { isFromAllowed, sendingAccount, unconfirmedText } from '#server/features/senders/index.ts'
import { compileBounded } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { asSent, draftOf } from './draft.ts'
import { followUpsOf } from './follow-ups-store.ts'
import { NO_BASIS, tellOrigins, withoutBasis } from './origins.ts'
import { type CampaignRow, campaignById, moveCampaign } from './store.ts'
import { writeWhatsAppAudience } from './whatsapp/audience.ts'
import { whatsAppPlanOf } from './whatsapp/launch.ts'
import type { WhatsAppPlan } from './whatsapp/message.ts'

/**
 * Starts a campaign that was set to sending: freezes its content and writes down its recipients, in one transaction and
 * only once. From then on nothing that is edited elsewhere changes what is sent.
 */
export async function launchCampaign(services: Services, workspaceId: string, id: string): Promise<void> {
  const { db, live } = services
  const campaign = await campaignById(db, workspaceId, id)
  if (campaign?.state !== 'sending' && campaign?.state !== 'paused') return
  const isWhatsApp = campaign.channel === 'whatsapp'
  const tellsOrigins = !isWhatsApp && (await hasOrigins(db, workspaceId))
  const plan = isWhatsApp ? await whatsAppPlanOf(db, campaign) : await planOf(services, campaign, tellsOrigins)
  const steps = typeof plan === 'string' ? [] : await planSteps(services, campaign)
  const fault = typeof plan === 'string' ? plan : steps.find((step) => typeof step.plan === 'string')?.plan
  if (typeof plan === 'string' || typeof fault === 'string') {
    await moveCampaign(db, workspaceId, id, ['sending', 'paused'], {
      // A template that is paused may come back: the campaign is a draft again.
      ...(isWhatsApp ? { state: 'draft' } : { state: 'failed', finishedAt: new Date() }),
      stateText: isWhatsApp ? `It did not start. ${fault}` : String(fault),
    })
    return
  }
  const begun = db.transaction().execute(async (db) => {
    const fresh = await db
      .updateTable('campaigns')
      .set({
        plan: JSON.stringify(plan),
        tellsOrigins,
        audienceAt: sql<Date>`now()`,
        startedAt: sql<Date>`clock_timestamp()`,
      })
      .where('id', '=', id)
      .where('audienceAt', 'is', null)
      .where('state', 'in', ['sending', 'paused'])
      .returning('id')
      .executeTakeFirst()
    if (!fresh) return
    if ('links' in plan) await writeLinks(db, id, plan)
    for (const step of steps) await freezeStep(db, campaign, step)
    await restoreSuppressions(db, services.config, workspaceId)
    if (isWhatsApp) await writeWhatsAppAudience(db, workspaceId, id, (plan as WhatsAppPlan).template.category)
    else await writeAudience(db, workspaceId, id)
    if (tellsOrigins) await tellOrigins(db, workspaceId, id)
    await reserveCampaign(services, db, workspaceId, id)
  })
  const refused = await begun.catch(beyondLimit)
  if (refused) {
    // It was scheduled, or its lists grew since: a draft again, so that it can be sent once there is room.
    await moveCampaign(db, workspaceId, id, ['sending', 'paused'], {
      state: 'draft',
      stateText: refused,
    })
    live.publish('sending', id)
    return
  }
  // The planner must know of the new rows now, not when autovacuum gets round to it.
  await sql`analyze messages`.execute(db)
  live.publish('sending', id)
}

/** What a launch that the plan has no room for says; any other failure is thrown on. */
function beyondLimit(error: unknown): string {
  if (error instanceof Refusal && error.status === 402) return `It did not start. ${error.message}`
  throw error
}

async function planOf(services: Services, campaign: CampaignRow, tellsOrigins: boolean): Promise<Plan | string> {
  const account = campaign.senderId
    ? await sendingAccount(services, services.db, campaign.workspaceId, campaign.senderId)
    : undefined
  if (!account?.fromEmail) return 'It could not start: its sender is gone or has no from-address.'
  if (!(await isFromAllowed(services, { ...account, workspaceId: campaign.workspaceId })))
    return `It could not start: ${unconfirmedText(account.fromEmail)}`
  try {
    return await compileBounded(
      { workspaceId: campaign.workspaceId, isOwn: true },
      await draftOf(services.db, campaign, account, services.config.publicUrl, { tellsOrigins }),
    )
  } catch (error) {
    if (error instanceof CompileError) return `It could not start: ${error.message}`
    throw error
  }
}

interface PlannedStep {
  id: string
  plan: Plan | string
}

/** What follows says what it says now too; its subject is the thread's. */
async function planSteps(services: Services, campaign: CampaignRow): Promise<PlannedStep[]> {
  const rows = await followUpsOf(services.db, campaign.workspaceId, campaign.id)
  const planned: PlannedStep[] = []
  for (const row of rows) {
    const plan = await planOf(services, await asSent(services.db, campaign, row), false)
    planned.push({ id: row.id, plan: typeof plan === 'string' ? `Follow-up ${row.step - 1}: ${plan}` : plan })
  }
  return planned
}

/** A follow-up goes to the lists of its campaign, so that whoever leaves them by it has left them. */
async function freezeStep(
  db: Db,
  { id, trackOpens, trackClicks, name }: CampaignRow,
  step: PlannedStep,
): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({
      plan: JSON.stringify(step.plan),
      name,
      trackOpens,
      trackClicks,
      audienceAt: sql<Date>`now()`,
      startedAt: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', step.id)
    .execute()
  await sql`insert into campaign_lists (campaign_id, list_id, workspace_id)
    select ${step.id}, list_id, workspace_id from campaign_lists where campaign_id = ${id} on conflict do nothing`.execute(
    db,
  )
  await writeLinks(db, step.id, step.plan as Plan)
}

async function writeLinks(db: Db, campaignId: string, plan: Plan): Promise<void> {
  if (plan.links.length === 0) return
  await db
    .insertInto('campaignLinks')
    .values(plan.links.map(({ index, url }) => ({ campaignId, link: index, url })))
    .execute()
}

/**
 * Every confirmed member of the campaign's lists with an address, each once; the suppressed, and collected people about whom
 * nobody said why they may be written to, are written down as such.
 */
async function writeAudience(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  const barred = (await hasOrigins(db, workspaceId)) ? withoutBasis(workspaceId) : sql`false`
  await sql`
    insert into messages (workspace_id, campaign_id, contact_id, address, state, reason, due_at)
    select c.workspace_id, ${campaignId}, c.id, c.email, case when s.id is null and not ${barred} then 'queued' else 'suppressed' end,
      coalesce(s.reason, case when ${barred} then ${NO_BASIS} else '' end), case when s.id is null and not ${barred} then now() end
    from contacts c
    left join suppressions s on s.workspace_id = c.workspace_id and s.channel = 'email' and s.address_key = c.email_key
    where c.workspace_id = ${workspaceId} and c.email is not null and c.id in (
      select lm.contact_id from list_members lm join campaign_lists cl on cl.list_id = lm.list_id
      where cl.campaign_id = ${campaignId} and lm.workspace_id = ${workspaceId} and lm.status = 'confirmed')
    order by c.id
    on conflict (campaign_id, contact_id) do nothing`.execute(db)
}
