import { requireChannel } from '../channels/index.ts'
import type { RunningCampaign, SenderRest, Sending } from './sending.ts'

/** Sends what is due of one campaign, until nothing is or `signal` aborts. Returns when to look again. */
export async function runCampaign(
  sending: Sending,
  campaign: RunningCampaign,
  signal: AbortSignal,
): Promise<SenderRest> {
  const row = await sending.db
    .selectFrom('campaigns')
    .where('id', '=', campaign.id)
    .select(['plan', 'channel'])
    .executeTakeFirst()
  if (!row?.plan) return { again: 1_000 }
  return requireChannel(row.channel).run(
    sending,
    campaign,
    { plan: row.plan, client: sending.clients.get(row.channel) },
    signal,
  )
}
