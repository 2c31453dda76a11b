import { sql } from 'kysely'
import { CompileError, type Plan } from '#server/engine/index.ts'
import { hasOrigins, isSampleContact } from '#server/features/contacts/index.ts'
import { isFromAllowed, sendingAccount, unconfirmedText } from '#server/features/senders/index.ts'
import { compileBounded } from '#server/features/templates/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import { NO_BASIS, withoutBasis } from '../../origins.ts'
import type { Launch, LaunchFault } from '../channel.ts'
import { buildDraft } from './draft.ts'

/** The fault of a launch that cannot be had again: the campaign has failed. */
export const failed = (fault: string): LaunchFault => ({ fault, state: 'failed' })

/** Compiles a campaign of emails, and writes its recipients when it starts. */
export async function launchEmails(services: Services, campaign: CampaignRow): Promise<Launch | LaunchFault> {
  const tellsOrigins = await hasOrigins(services.db, campaign.workspaceId)
  const plan = await compileCampaign(services, campaign, tellsOrigins)
  if (typeof plan === 'string') return failed(plan)
  return {
    plan,
    tellsOrigins,
    async writeAudience(db) {
      await writeLinks(db, campaign, plan)
      await writeRecipients(db, campaign.workspaceId, campaign.id)
    },
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

/** Keeps where the links of a frozen message lead. */
export async function writeLinks(
  db: Db,
  { workspaceId, id: campaignId }: { workspaceId: string; id: string },
  plan: Plan,
): Promise<void> {
  if (plan.links.length === 0) return
  await db
    .insertInto('campaignLinks')
    .values(plan.links.map(({ index, url }) => ({ workspaceId, campaignId, link: index, url })))
    .execute()
}

/**
 * Every confirmed member of the campaign's lists with an address, each once; the suppressed, and collected people about whom
 * nobody said why they may be written to, are written down as such. Sample contacts are nobody's recipients.
 */
async function writeRecipients(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  const barred = (await hasOrigins(db, workspaceId)) ? withoutBasis(workspaceId) : sql`false`
  await sql`
    insert into messages (workspace_id, campaign_id, contact_id, address, state, reason, due_at)
    select c.workspace_id, ${campaignId}, c.id, c.email, case when s.id is null and not ${barred} then 'queued' else 'suppressed' end,
      coalesce(s.reason, case when ${barred} then ${NO_BASIS} else '' end), case when s.id is null and not ${barred} then now() end
    from contacts c
    left join suppressions s on s.workspace_id = c.workspace_id and s.channel = 'email' and s.address_key = c.email_key
    where c.workspace_id = ${workspaceId} and c.email is not null and not ${isSampleContact} and c.id in (
      select lm.contact_id from list_members lm join campaign_lists cl on cl.workspace_id = lm.workspace_id and cl.list_id = lm.list_id
      where cl.campaign_id = ${campaignId} and lm.workspace_id = ${workspaceId} and lm.status = 'confirmed')
    order by c.id
    on conflict (workspace_id, campaign_id, contact_id) do nothing`.execute(db)
}
