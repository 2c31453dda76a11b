import type { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { remainingQuota } from '#server/features/billing/index.ts'
import type { Services } from '#server/services.ts'
import type { CampaignRow } from './campaign-rows.ts'
import type { Channel } from './channels/channel.ts'
import { requireChannel } from './channels/index.ts'
import { error, type Problem, warning } from './channels/problem.ts'
import { findLinkTagProblems } from './link-tags/link-tags.ts'

/** What of this month's limit it needs, where that is more than is left or much of it. */
async function limitProblems(
  { db }: Services,
  { counts }: Channel,
  campaign: CampaignRow,
  people: number,
): Promise<Problem[]> {
  if (people === 0 || !['draft', 'scheduled'].includes(campaign.state)) return []
  const { what, limit, left, until } = await remainingQuota(db, campaign.workspaceId, counts)
  const say = (count: number) => count.toLocaleString('en-US')
  if (people > left)
    return [
      error(
        'quota_used_up',
        `This campaign needs ${say(people)} ${what}, but your plan has ${left === 0 ? 'none' : say(left)} of ${say(limit)} left until ${until}. Upgrade or choose fewer recipients.`,
      ),
    ]
  if (left - people > limit * 0.2) return []
  return [
    warning('quota_low', `This campaign leaves ${say(left - people)} of your ${say(limit)} ${what} until ${until}.`),
  ]
}

/** What would stop or hurt a campaign, and how many people it would go to. Errors stop it, warnings do not. `isOwn`: it is about to be sent. */
export async function checkCampaign(
  services: Services,
  campaign: CampaignRow,
  isOwn = false,
): Promise<ResponseBody<typeof campaigns.check>> {
  const channel = requireChannel(campaign.channel)
  const { problems, recipients, excluded, links = [] } = await channel.check(services, campaign, isOwn)
  problems.push(
    ...findLinkTagProblems(campaign, links),
    ...(await limitProblems(services, channel, campaign, recipients)),
  )
  const forecast = campaign.state === 'draft' ? await channel.forecast?.(services.db, campaign, recipients) : null
  return {
    ok: problems.every((problem) => problem.severity === 'warning'),
    problems,
    recipients,
    excluded,
    links,
    forecast: forecast ?? null,
  }
}
