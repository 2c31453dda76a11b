import { CompileError, type Plan } from '#server/engine/index.ts'
import { hasOrigins } from '#server/features/contacts/index.ts'
import { isFromAllowed, sendingAccount, unconfirmedText } from '#server/features/senders/index.ts'
import { compileBounded } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { Launch, LaunchFault } from '../channel.ts'
import { writeEmailAudience } from './audience.ts'
import { buildDraft } from './draft.ts'

/** The fault of a launch that cannot be had again: the campaign has failed. */
export const failed = (fault: string): LaunchFault => ({ fault, state: 'failed' })

/** Compiles a campaign of emails, and writes its recipients when it starts. */
export async function launchEmails(services: Services, campaign: CampaignRow): Promise<Launch | LaunchFault> {
  // Who comes to the email of a journey later may have been collected.
  const tellsOrigins = campaign.journeyId !== null || (await hasOrigins(services.db, campaign.workspaceId))
  const plan = await compileCampaign(services, campaign, tellsOrigins)
  if (typeof plan === 'string') return failed(plan)
  return {
    plan,
    tellsOrigins,
    freeze: (db) => writeLinks(db, campaign, plan),
    writeAudience: (db, audience) => writeEmailAudience(db, audience, campaign.id),
  }
}

/** The compiled content of a campaign or a follow-up, or why it cannot start, in words. */
export async function compileCampaign(
  services: Services,
  campaign: CampaignRow,
  tellsOrigins: boolean,
): Promise<Plan | string> {
  const account = campaign.senderId
    ? await sendingAccount(services, services.db, campaign.workspaceId, campaign.senderId)
    : undefined
  if (!account?.fromEmail) return 'The campaign could not start: its sender was removed or has no From address.'
  if (!(await isFromAllowed(services, { ...account, workspaceId: campaign.workspaceId })))
    return `The campaign could not start: ${unconfirmedText(account.fromEmail)}`
  try {
    return await compileBounded(
      { workspaceId: campaign.workspaceId, isOwn: true },
      await buildDraft(services.db, campaign, account, services.config.publicUrl, { tellsOrigins }),
    )
  } catch (error) {
    if (error instanceof CompileError) return `The campaign could not start: ${error.message}`
    throw error
  }
}

/** Stores where the links of a frozen message lead, in place of those of an earlier try. */
export async function writeLinks(
  db: Db,
  { workspaceId, id: campaignId }: { workspaceId: string; id: string },
  plan: Plan,
): Promise<void> {
  await db
    .deleteFrom('campaignLinks')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', campaignId)
    .execute()
  if (plan.links.length === 0) return
  await db
    .insertInto('campaignLinks')
    .values(plan.links.map(({ index, url }) => ({ workspaceId, campaignId, link: index, url })))
    .execute()
}
