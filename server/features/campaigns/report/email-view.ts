import type { CampaignEmail } from '#contracts/campaigns/report/report.ts'
import type { Plan, Recipient } from '#server/engine/index.ts'
import { renderMarkedBounded } from '#server/features/templates/index.ts'
import { campaignLinks } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import { requireChannel } from '../channels/index.ts'

/** A person who does not exist: a report shows no recipient's data. */
const SAMPLE: Recipient = { id: '0', email: 'alex@example.com', name: 'Alex', attributes: {} }

async function findPlan(db: Db, { workspaceId, id }: CampaignRow): Promise<Plan | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select('plan')
    .executeTakeFirst()
  return (row?.plan as unknown as Plan | null) ?? undefined
}

/** The email of a campaign as it was frozen, with the clicks beside its links; undefined where there is none, or none can be made. */
export async function findEmail(db: Db, campaign: CampaignRow): Promise<CampaignEmail | undefined> {
  if (!requireChannel(campaign.channel).isEmail) return undefined
  const plan = await findPlan(db, campaign)
  if (!plan) return undefined
  const clicks = campaign.trackClicks ? await campaignLinks(db, campaign.workspaceId, campaign.id) : []
  const people = Object.fromEntries(clicks.map(({ link, unique }) => [link, unique]))
  const marked = await renderMarkedBounded(campaign.workspaceId, plan, SAMPLE, people)
  if (!marked) return undefined
  const { subject, html, map, links } = marked
  const { name, address } = plan.from
  return {
    subject,
    from: name ? `${name} <${address}>` : address,
    html,
    clickMap: campaign.trackClicks ? map : null,
    links,
  }
}

/** The same. Throws Refusal 409 where there is none. */
export async function showEmail(db: Db, campaign: CampaignRow): Promise<CampaignEmail> {
  const email = await findEmail(db, campaign)
  if (email) return email
  if (!requireChannel(campaign.channel).isEmail) throw conflict('wrong_channel', 'Only email campaigns have an email.')
  throw conflict('not_sent', 'The email can be viewed once the campaign has started.')
}
