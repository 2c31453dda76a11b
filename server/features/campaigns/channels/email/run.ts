import { type Plan, prepare } from '#server/engine/index.ts'
import type { RunningCampaign, SenderRest, Sending } from '../../sending/sending.ts'
import { setText } from '../../sending/state-text.ts'
import { settleEmails } from './settle.ts'
import { type Slice, sendSlice } from './slice.ts'

const LANES = 2

/** Sends what is due of an email campaign, until nothing is or `signal` aborts. Returns when to look again. */
export async function runEmail(
  sending: Sending,
  campaign: RunningCampaign,
  plan: Plan,
  signal: AbortSignal,
): Promise<SenderRest> {
  const prepared = prepare(plan, sending.tokens)
  const slice: Slice = {
    senderId: campaign.senderId,
    findWay: () => ({ prepared }),
    settle: settleEmails,
    isOneOfMany: false,
  }
  const lane = async (): Promise<SenderRest> => {
    while (!signal.aborted) {
      const rest = await sendSlice(sending, campaign, slice, signal)
      if (rest?.text !== undefined) await setText(sending.db, campaign.id, rest.text)
      if (rest) return rest
    }
    return { again: 0 }
  }
  const rests = await Promise.all(Array.from({ length: LANES }, lane))
  return { again: Math.max(...rests.map((rest) => rest.again)) }
}
