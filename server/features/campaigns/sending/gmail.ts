import type { SendingWindow } from '#contracts/campaign-parts.ts'
import { type Plan, prepare } from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import { encodedAttachments } from '../attachments.ts'
import { humanGate, pauseOf } from './limits.ts'
import { setText } from './rest.ts'
import { type Rest, type RunningCampaign, type Sending, sendSlice, type Way } from './slice.ts'
import { accountsWaiting, dueStep, type Step, stepsOf, sweepStops } from './steps.ts'
import { windowAt } from './window.ts'

/** With less time left the window is as good as over: a message begun now must be out before it closes. */
const CLOSING_MS = 5_000
/** A slot further away is waited for without messages in hand. */
const SOON_MS = 3_000
const LOOK_AGAIN_MS = 60_000
const SLICE_SECONDS = 5

const gates = new Map<string, { step: number; gate: Way['gate'] }>()

/** A gate for each account and pace: what is drawn in advance was drawn for that pace. */
function gateFor(sending: Sending, account: SendingAccount, step: number): Way['gate'] {
  const known = gates.get(account.id)
  if (known && known.step === step) return known.gate
  const gate = humanGate(sending.db, account.id, step)
  gates.set(account.id, { step, gate })
  return gate
}

/**
 * Sends what is due of a Gmail campaign: one slice through each of its accounts, side by side, in its sending hours. An
 * account that rests leaves the others going. Answers when to look again.
 */
export async function runGmail(
  sending: Sending,
  campaign: RunningCampaign,
  given: { plan: Plan; window: SendingWindow | null; spread: boolean },
  signal: AbortSignal,
): Promise<Rest> {
  const { plan, window, spread } = given
  const { opensIn, closesIn } = windowAt(window, Date.now())
  if (opensIn > 0 || closesIn < CLOSING_MS) {
    const when = opensIn > 0 ? opensIn : closesIn
    await setText(sending.db, campaign.id, waitingText(window, opensIn))
    return { again: Math.min(when, LOOK_AGAIN_MS) }
  }
  const steps = await stepsOf(sending.db, campaign.id)
  for (const step of steps) await sweepStops(sending.db, step)
  const ofThreads = await accountsWaiting(sending.db, steps)
  const through = await accountsOf(sending, campaign.id)
  const senderIds = [...new Set([...through, ...ofThreads])]
  if (senderIds.length === 0) {
    await setText(sending.db, campaign.id, 'Waiting: its Gmail accounts were removed. Pause it and choose others.')
    return { again: 10_000 }
  }
  const attachments = await encodedAttachments(sending.db, campaign.id)
  const wayOf =
    (step: Step | undefined) =>
    (account: SendingAccount): Way | Rest => {
      if (account.slotIn > SOON_MS) return { again: Math.min(account.slotIn - SOON_MS / 2, LOOK_AGAIN_MS) }
      const pause = pauseOf(account, spread, window)
      const from = { name: account.fromName || null, address: account.fromEmail }
      return {
        // Files go with the first message only.
        prepared: prepare({ ...(step?.plan ?? plan), from }, sending.tokens, step ? '' : attachments),
        gate: gateFor(sending, account, pause),
        wanted: pause === 0 ? undefined : Math.max(1, Math.floor((SLICE_SECONDS * 1_000) / pause)),
        claimAs: account.id,
        window,
        ...(step && { step }),
      }
    }
  const sequence = { ...campaign, ...(steps.length > 0 && { sequence: [campaign.id, ...steps.map(({ id }) => id)] }) }
  const chosen = new Set(through)
  /** What an account has to send: a follow-up whose time has come, else a first message, if it is one of those chosen. */
  const next = async (id: string): Promise<Rest | undefined> => {
    const step = await dueStep(sending.db, steps, id)
    if (!step && !chosen.has(id)) return { again: 30_000 }
    return sendSlice(sending, sequence, id, wayOf(step), hours)
  }
  const hours =
    closesIn === Number.POSITIVE_INFINITY
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(Math.min(closesIn - CLOSING_MS / 2, 2 ** 31 - 1))])
  const rests = await Promise.all(senderIds.map(next))
  const stopped = rests.find((rest) => rest?.blocked)
  if (stopped && rests.every((rest) => rest?.blocked)) return pauseBlocked(sending, campaign.id, stopped.text ?? '')
  // One that goes on says so by having no rest: then nothing is waited for.
  const waiting = rests.every((rest) => rest !== undefined && (rest.text !== undefined || stopped !== undefined))
  const text = waiting ? (rests.find((rest) => rest?.text && !rest.blocked)?.text ?? stopped?.text ?? '') : ''
  if (rests.every((rest) => rest === undefined) || waiting) await setText(sending.db, campaign.id, text)
  return { again: Math.min(...rests.map((rest) => rest?.again ?? 0)) }
}

/** No account of it may send: it waits for a person. */
async function pauseBlocked({ db }: Sending, campaignId: string, text: string): Promise<Rest> {
  await db
    .updateTable('campaigns')
    .set({ state: 'paused', stateText: `${text} Nothing is lost; then resume the campaign.` })
    .where('id', '=', campaignId)
    .where('state', '=', 'sending')
    .execute()
  return { again: 0 }
}

async function accountsOf({ db }: Sending, campaignId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('campaignSenders')
    .where('campaignId', '=', campaignId)
    .orderBy('position')
    .select('senderId')
    .execute()
  return rows.map((row) => row.senderId)
}

function waitingText(window: SendingWindow | null, opensIn: number): string {
  if (!window || opensIn === 0) return ''
  const when = new Intl.DateTimeFormat('en-GB', {
    timeZone: window.timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(Date.now() + opensIn)
  return `Waiting for its sending hours: it goes on by itself on ${when} (${window.timeZone}).`
}
