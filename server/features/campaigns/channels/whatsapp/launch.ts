import { missingVariables } from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { Launch, LaunchFault } from '../channel.ts'
import { writeWhatsAppAudience } from './audience.ts'
import { parseContent } from './content.ts'
import type { WhatsAppPlan } from './message.ts'

/** The template a campaign was given; undefined: none, or it is gone. */
export async function findTemplate(db: Db, workspaceId: string, templateId: string | null) {
  if (templateId === null) return undefined
  return db
    .selectFrom('whatsappTemplates')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', templateId)
    .select(['name', 'language', 'category', 'status', 'reason', 'parameterFormat', 'components', 'businessAccountId'])
    .executeTakeFirst()
}

/** What is frozen when a WhatsApp campaign starts, or why nothing can be sent, in words. */
export async function buildWhatsAppPlan(db: Db, campaign: CampaignRow): Promise<WhatsAppPlan | string> {
  const { accountId, templateId, variables } = await parseContent(db, campaign)
  const template = await findTemplate(db, campaign.workspaceId, templateId)
  if (accountId === null || templateId === null || !template) return 'Its WhatsApp number or its template was removed.'
  const { status, reason, businessAccountId: _, ...kept } = template
  if (status !== 'APPROVED')
    return `The status of the template “${kept.name}” at Meta is ${status}${reason ? ` (${reason})` : ''}. Only approved templates can be sent.`
  const given = Object.fromEntries(Object.keys(variables).map((key) => [key, 'x']))
  const missing = missingVariables(kept, given)
  if (missing.length > 0) return `The template changed, and it has no value for ${missing.join(', ')}.`
  return { version: 1, accountId, templateId, template: kept, variables }
}

/** Freezes the template of a WhatsApp campaign, and writes its recipients when it starts. */
export async function launchWhatsApp({ db }: { db: Db }, campaign: CampaignRow): Promise<Launch | LaunchFault> {
  const plan = await buildWhatsAppPlan(db, campaign)
  // A template that is paused may come back: the campaign is a draft again.
  if (typeof plan === 'string') return { fault: `The campaign did not start. ${plan}`, state: 'draft' }
  return {
    plan,
    tellsOrigins: false,
    writeAudience: (db, audience) => writeWhatsAppAudience(db, audience, campaign.id, plan.template.category),
  }
}
