import { sql } from 'kysely'
import type { Plan } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { copyChoice } from '../../audience/choice-store.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { listFollowUps } from '../../follow-ups-store.ts'
import type { Launch, LaunchFault } from '../channel.ts'
import { asSent } from '../email/draft.ts'
import { compileCampaign, failed, launchEmails, writeLinks } from '../email/launch.ts'

/** Compiles a Gmail campaign and its follow-ups, and writes the recipients of the first message when it starts. */
export async function launchGmail(services: Services, campaign: CampaignRow): Promise<Launch | LaunchFault> {
  const launch = await launchEmails(services, campaign)
  if ('fault' in launch) return launch
  const steps = await planSteps(services, campaign)
  if (typeof steps === 'string') return failed(steps)
  return {
    ...launch,
    async freeze(db) {
      await launch.freeze?.(db)
      for (const step of steps) await freezeStep(db, campaign, step)
    },
  }
}

interface PlannedStep {
  id: string
  plan: Plan
}

/** What follows says what it says now too; its subject is the thread's. Returns what is wrong where one cannot start. */
async function planSteps(services: Services, campaign: CampaignRow): Promise<PlannedStep[] | string> {
  const rows = await listFollowUps(services.db, campaign.workspaceId, campaign.id)
  const planned: PlannedStep[] = []
  for (const row of rows) {
    const plan = await compileCampaign(services, await asSent(services.db, campaign, row), false)
    if (typeof plan === 'string') return `Follow-up ${row.step - 1}: ${plan}`
    planned.push({ id: row.id, plan })
  }
  return planned
}

/** A follow-up goes to the lists of its campaign, so that a recipient who leaves them by it has left them. */
async function freezeStep(
  db: Db,
  { id, workspaceId, trackOpens, trackClicks, name }: CampaignRow,
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
      startedAt: sql<Date>`statement_timestamp()`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', step.id)
    .execute()
  await copyChoice(db, workspaceId, id, step.id)
  await writeLinks(db, { workspaceId, id: step.id }, step.plan)
}
