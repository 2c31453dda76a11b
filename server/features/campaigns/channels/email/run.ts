import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { type Plan, type Prepared, prepare } from '#server/engine/index.ts'
import { SLICE } from '../../sending/dispatch.ts'
import { finish, nextDue } from '../../sending/finish.ts'
import type { RunningCampaign, SenderRest, Sending } from '../../sending/sending.ts'
import { setText } from '../../sending/state-text.ts'
import { enterHours, findHours, sayWaiting, waitingText } from '../hours/hours.ts'
import { windowAt } from '../hours/window.ts'
import { settleEmails } from './settle.ts'
import { type SendingWay, type Slice, sendSlice } from './slice.ts'

/** A message that is due sooner does not make a campaign say that it waits. */
const SOON_MS = 5_000
/** So many that messages leave while the others claim and settle theirs. */
const LANES = 3
/** The first claim is small, and the others wait for it, so that the first emails leave before large claims take the processors. */
const FIRST = 40

/** Sends what is due of an email campaign, until nothing is or `signal` aborts. Returns when to look again. */
export async function runEmail(
  sending: Sending,
  campaign: RunningCampaign,
  plan: Plan,
  signal: AbortSignal,
): Promise<SenderRest> {
  const { window } = await findHours(sending.db, campaign)
  return window ? runInHours(sending, campaign, plan, window, signal) : runLanes(sending, campaign, plan, {}, signal)
}

/** Sends within sending hours: by the clock of the campaign's time zone, or by each recipient's. */
async function runInHours(
  sending: Sending,
  campaign: RunningCampaign,
  plan: Plan,
  window: SendingWindow,
  signal: AbortSignal,
): Promise<SenderRest> {
  const { db } = sending
  const due = await nextDue(db, campaign)
  if (due === undefined) return finish(db, campaign)
  if (window.zoneField) {
    if (due === 0) await sayWaiting(db, campaign.id, '')
    const rest = await runLanes(sending, campaign, plan, { recipientHours: window }, signal)
    const next = await nextDue(db, campaign)
    if (next !== undefined && next > SOON_MS) await sayWaiting(db, campaign.id, waitingText(window, Date.now() + next))
    return rest
  }
  const entered = enterHours(window, signal)
  if ('again' in entered) {
    await sayWaiting(db, campaign.id, waitingText(window, entered.opensAt))
    return { again: entered.again }
  }
  await sayWaiting(db, campaign.id, '')
  const hours = { timeZone: window.timeZone, opensIn: (moment: number) => windowAt(window, moment).opensIn }
  return runLanes(sending, campaign, plan, { hours }, entered.until)
}

async function runLanes(
  sending: Sending,
  campaign: RunningCampaign,
  plan: Plan,
  hours: Pick<SendingWay, 'hours' | 'recipientHours'>,
  signal: AbortSignal,
): Promise<SenderRest> {
  const prepareFor = preparing(sending, campaign.workspaceId, plan)
  const slice: Slice = {
    senderId: campaign.senderId,
    findWay: async () => ({ prepared: await prepareFor(), ...hours }),
    settle: settleEmails,
    isOneOfMany: false,
  }
  const lane = async (limit = SLICE, onClaimed?: () => void): Promise<SenderRest> => {
    let next = limit
    while (!signal.aborted) {
      const rest = await sendSlice(sending, campaign, { ...slice, limit: next, onClaimed }, signal)
      next = SLICE
      if (rest?.text !== undefined) await setText(sending.db, campaign.id, rest.text)
      if (rest) return rest
    }
    return { again: 0 }
  }
  const claimed = Promise.withResolvers<void>()
  const first = lane(FIRST, claimed.resolve)
  await Promise.race([claimed.promise, first])
  const rests = await Promise.all([first, ...Array.from({ length: LANES - 1 }, () => lane())])
  return { again: Math.max(...rests.map((rest) => rest.again)) }
}

/** Prepares a plan with the base its links have now; it is prepared again when that changes. */
function preparing(sending: Sending, workspaceId: string, plan: Plan): () => Promise<Prepared> {
  const known = new Map<string, Prepared>()
  return async () => {
    const publicUrl = (await sending.linkBase(workspaceId, plan.from.address)) ?? plan.publicUrl
    const prepared = known.get(publicUrl) ?? prepare({ ...plan, publicUrl }, sending.tokens)
    known.set(publicUrl, prepared)
    return prepared
  }
}
