import type { SendingWindow } from '#contracts/campaign-parts.ts'
import { type Plan, prepare } from '#server/engine/index.ts'
import type { WhatsAppPlan } from '../whatsapp/message.ts'
import { runWhatsApp } from '../whatsapp/run.ts'
import { runGmail } from './gmail.ts'
import { setText } from './rest.ts'
import { type Rest, type RunningCampaign, type Sending, sendSlice, type Way } from './slice.ts'

const LANES = 2

/** Sends what is due of one campaign, until nothing is or `signal` aborts. Answers when to look again. */
export async function runCampaign(sending: Sending, campaign: RunningCampaign, signal: AbortSignal): Promise<Rest> {
  const row = await sending.db
    .selectFrom('campaigns')
    .where('id', '=', campaign.id)
    .select(['plan', 'channel', 'sendingWindow', 'spread'])
    .executeTakeFirst()
  if (!row?.plan) return { again: 1_000 }
  if (row.channel === 'whatsapp') return runWhatsApp(sending, campaign, row.plan as unknown as WhatsAppPlan, signal)
  const plan = row.plan as unknown as Plan
  if (row.channel === 'gmail') {
    const window = row.sendingWindow as unknown as SendingWindow | null
    return runGmail(sending, campaign, { plan, window, spread: row.spread }, signal)
  }
  const prepared = prepare(plan, sending.tokens)
  const way = (): Way => ({ prepared })
  const lane = async (): Promise<Rest> => {
    while (!signal.aborted) {
      const rest = await sendSlice(sending, campaign, campaign.senderId, way, signal)
      if (rest?.text !== undefined) await setText(sending.db, campaign.id, rest.text)
      if (rest) return rest
    }
    return { again: 0 }
  }
  const rests = await Promise.all(Array.from({ length: LANES }, lane))
  return { again: Math.max(...rests.map((rest) => rest.again)) }
}
