import { sql } from 'kysely'
import { type Plan, prepare, renderSubject } from '#server/engine/index.ts'
import { type GmailAccount, isGmailAccount } from '#server/features/gmail/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { RunningCampaign, SenderRest, Sending } from '../../sending/sending.ts'
import { pauseSending, setText } from '../../sending/state-text.ts'
import { emailReach, type FollowUpStep, type SendingWay, sendSlice } from '../email/slice.ts'
import { enterHours, findHours, type Hours, waitingText } from '../hours/hours.ts'
import { windowAt } from '../hours/window.ts'
import { encodedAttachments } from './attachments.ts'
import { findLostPermission } from './ended.ts'
import { humanGate, minimumPause } from './pace.ts'
import { settleGmail } from './settle.ts'
import {
  accountsWaiting,
  dueStep,
  findThreads,
  joinStopReason,
  listLaunchedSteps,
  type Step,
  sweepStops,
} from './steps.ts'

/** A slot further away is waited for without messages in hand. */
const SOON_MS = 3_000
const MAX_WAIT_MS = 60_000
const SLICE_SECONDS = 5

const gates = new Map<string, { step: number; gate: SendingWay['gate'] }>()

/** A gate for each account and pace: what is drawn in advance was drawn for that pace. */
function gateFor(sending: Sending, workspaceId: string, account: GmailAccount, step: number): SendingWay['gate'] {
  const known = gates.get(account.id)
  if (known && known.step === step) return known.gate
  const gate = humanGate(sending.db, workspaceId, account.id, step)
  gates.set(account.id, { step, gate })
  return gate
}

/**
 * Sends what is due of a Gmail campaign: one slice through each of its accounts, side by side, in its sending hours. An
 * account that rests leaves the others going. Returns when to look again.
 */
export async function runGmail(
  sending: Sending,
  campaign: RunningCampaign,
  plan: Plan,
  signal: AbortSignal,
): Promise<SenderRest> {
  const through = await listAccounts(sending, campaign)
  const lost = await findLostPermission(sending.db, campaign, through)
  if (lost) {
    await pauseSending(sending.db, campaign.id, lost)
    return { again: 0 }
  }
  const sendingHours = await findHours(sending.db, campaign)
  const { window } = sendingHours
  const entered = enterHours(window, signal)
  if (window && 'again' in entered) {
    await setText(sending.db, campaign.id, waitingText(window, entered.opensAt))
    return { again: entered.again }
  }
  const hours = 'until' in entered ? entered.until : signal
  const steps = await listLaunchedSteps(sending.db, campaign.workspaceId, campaign.id)
  for (const step of steps) await sweepStops(sending.db, step)
  const ofThreads = await accountsWaiting(sending.db, steps)
  const senderIds = [...new Set([...through, ...ofThreads])]
  if (senderIds.length === 0) {
    await setText(sending.db, campaign.id, 'Waiting: its Gmail accounts were removed. Pause it and choose others.')
    return { again: 10_000 }
  }
  const attachments = await encodedAttachments(sending.db, campaign.id)
  const findWay = createWays(sending, campaign.workspaceId, plan, sendingHours, attachments, steps.length > 0)
  const sequence = { ...campaign, ...(steps.length > 0 && { sequence: [campaign.id, ...steps.map(({ id }) => id)] }) }
  const chosen = new Set(through)
  /** What an account has to send: a follow-up whose time has come, else a first message, if it is one of those chosen. */
  const next = async (senderId: string): Promise<SenderRest | undefined> => {
    const step = await dueStep(sending.db, steps, senderId)
    if (!step && !chosen.has(senderId)) return { again: 30_000 }
    const slice = { senderId, findWay: findWay(step), findBlock, settle: settleGmail, isOneOfMany: true }
    return sendSlice(sending, sequence, slice, hours)
  }
  const rests = await Promise.all(senderIds.map(next))
  const stopped = rests.find((rest) => rest?.blocked)
  // No account of it may send: it waits for a person.
  if (stopped && rests.every((rest) => rest?.blocked)) {
    await pauseSending(sending.db, campaign.id, `${stopped.text ?? ''} Nothing is lost. Then resume the campaign.`)
    return { again: 0 }
  }
  // One that goes on says so by having no rest: then nothing is waited for.
  const waiting = rests.every((rest) => rest !== undefined && (rest.text !== undefined || stopped !== undefined))
  const text = waiting ? (rests.find((rest) => rest?.text && !rest.blocked)?.text ?? stopped?.text ?? '') : ''
  if (rests.every((rest) => rest === undefined) || waiting) await setText(sending.db, campaign.id, text)
  return { again: Math.min(...rests.map((rest) => rest?.again ?? 0)) }
}

/** The rules of drafts (refuseSender) let no other sender in. */
function requireGmail(sender: SendingAccount): GmailAccount {
  if (!isGmailAccount(sender)) throw new Error(`Sender ${sender.id} is not a Gmail account`)
  return sender
}

const findBlock = (sender: SendingAccount): string | null => requireGmail(sender).blocked

/** How a slice of the first message, or of a follow-up, leaves through an account; or how long the account's pause still is. */
function createWays(
  sending: Sending,
  workspaceId: string,
  plan: Plan,
  { window, spread }: Hours,
  attachments: string,
  hasFollowUps: boolean,
) {
  const hours = window && { timeZone: window.timeZone, opensIn: (moment: number) => windowAt(window, moment).opensIn }
  return (step: Step | undefined) =>
    async (sender: SendingAccount): Promise<SendingWay | SenderRest> => {
      const account = requireGmail(sender)
      if (account.slotIn > SOON_MS) return { again: Math.min(account.slotIn - SOON_MS / 2, MAX_WAIT_MS) }
      const pause = minimumPause(account, spread, window)
      const from = { name: account.fromName || null, address: account.fromEmail }
      // Files go with the first message only.
      const said = step?.plan ?? plan
      const publicUrl = (await sending.linkBase(workspaceId, account.fromEmail)) ?? said.publicUrl
      const prepared = prepare({ ...said, from, publicUrl }, sending.tokens, step ? '' : attachments)
      const gate = gateFor(sending, workspaceId, account, pause)
      return {
        prepared,
        ...(gate && { gate }),
        wanted: pause === 0 ? undefined : Math.max(1, Math.floor((SLICE_SECONDS * 1_000) / pause)),
        ...(hours && { hours }),
        ...(step && { step: buildFollowUpStep(sending, step, account) }),
        ...(hasFollowUps && !step && { renderSubject: (message) => renderSubject(prepared, message) }),
      }
    }
}

function buildFollowUpStep({ db, tokens }: Sending, step: Step, { fromEmail }: SendingAccount): FollowUpStep {
  return {
    id: step.id,
    reach: {
      ...emailReach,
      joins: joinStopReason(step, sql`picked.contact_id`),
      obstacles: sql`else stop.reason`,
    },
    async addThreads(messages) {
      const domain = fromEmail.slice(fromEmail.lastIndexOf('@') + 1)
      const ids = messages.map(({ id }) => id)
      const threads = await findThreads(db, step, ids, tokens, domain)
      for (const message of messages) message.follows = threads.get(message.id) ?? null
    },
  }
}

async function listAccounts({ db }: Sending, { workspaceId, id }: RunningCampaign): Promise<string[]> {
  const rows = await db
    .selectFrom('campaignSenders')
    .where('workspaceId', '=', workspaceId)
    .where('campaignId', '=', id)
    .orderBy('position')
    .select('senderId')
    .execute()
  return rows.map((row) => row.senderId)
}
