import { sql } from 'kysely'
import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import {
  asksToSlowDown,
  type ConnectionPool,
  type Gate,
  type Prepared,
  type RunSlice,
  type Signer,
} from '#server/engine/index.ts'
import { emailKeys } from '#server/features/contacts/index.ts'
import {
  noteAccepted,
  type ReceiverStates,
  readReceiverStates,
  type SendingAccount,
  UnusableSender,
} from '#server/features/senders/index.ts'
import { type Budget, reserve } from '../../sending/budget.ts'
import { type Claim, type Claimed, claimMessages, type Reach } from '../../sending/claims.ts'
import { dispatch, SLICE, SLICE_LIMIT_MS } from '../../sending/dispatch.ts'
import { finish, nextDue } from '../../sending/finish.ts'
import type { RunningCampaign, SenderRest, Sending } from '../../sending/sending.ts'
import type { Settle } from '../../sending/settle.ts'
import type { Share } from '../../sending/shares/shares.ts'
import { paceIsBack } from '../../sending/state-text.ts'
import { postponeClosed } from '../hours/recipients.ts'
import { holdFrequency, isLimited, withFrequency } from './frequency.ts'
import { noteReturnPath } from './observation.ts'
import { type Sorted, sortByReceiver } from './receivers.ts'
import { recovered, rest, restingText, type SendingHours, usedUpText } from './rest.ts'
import { breakIfBad } from './settle.ts'

const LIMIT_TEXT =
  'Waiting: the emails of your plan are used up for this month. Follow-ups continue automatically next month, or after you upgrade.'
/** Other workers have all of the sender now: they send, and one of them may end. */
const SHARED_AGAIN_MS = 500

/** Whom emails reach: contacts with an address that is not suppressed. */
export const emailReach: Reach = { address: sql`c.email`, keys: emailKeys(sql.ref('c.email_key')), suppressed: 'email' }

/** A follow-up on its way through one account. Its messages are counted against the plan as they are claimed. */
export interface FollowUpStep {
  /** Of its campaign. */
  id: string
  /** Without those who stopped it. */
  reach: Reach
  /** Says of each message which thread it goes on in. */
  addThreads(messages: Claimed[]): Promise<void>
}

/** How a slice leaves through one sender. */
export interface SendingWay {
  prepared: Prepared
  /** undefined: the sender's limit a second, of which this thread has its share. */
  gate?: Gate
  /** Messages to take at once; undefined: some seconds' worth of the sender's limit. */
  wanted?: number | undefined
  /** The hours it may leave in; undefined: all. */
  hours?: SendingHours | undefined
  /** Hours by the clock of each recipient: of a claim only those leave whose hours it is. */
  recipientHours?: SendingWindow | undefined
  step?: FollowUpStep
  /** The subject each message goes out with, where follow-ups will repeat it. */
  renderSubject?(message: Claimed): string
}

/** A slice to send: through which sender, and how. */
export interface Slice {
  senderId: string | null
  findWay(account: SendingAccount): Promise<SendingWay | SenderRest>
  /** Why nothing leaves through it until a person allows it; null: it may send. */
  findBlock?(account: SendingAccount): string | null
  settle: Settle
  /** The most messages of its claim; missing: SLICE. */
  limit?: number
  /** Called when it has messages to send. */
  onClaimed?: (() => void) | undefined
  /** The campaign goes through several accounts: one that rests leaves the others going. */
  isOneOfMany: boolean
}

/** Sends one slice through a sender. undefined: there may be more at once. */
export async function sendSlice(
  sending: Sending,
  campaign: RunningCampaign,
  slice: Slice,
  signal: AbortSignal,
): Promise<SenderRest | undefined> {
  const { db } = sending
  const account = slice.senderId ? await sending.account(campaign.workspaceId, slice.senderId) : undefined
  if (!account)
    return {
      again: 10_000,
      text: 'Waiting: its sender was removed or is not configured. Pause the campaign and choose another one.',
    }
  const blocked = slice.findBlock?.(account) ?? null
  if (blocked !== null) return { again: 30_000, text: `${account.fromEmail}: ${blocked}`, blocked: true }
  const resting = (account.restUntil?.getTime() ?? 0) - Date.now()
  if (resting > 0)
    return {
      again: Math.min(resting, 60_000),
      ...(slice.isOneOfMany && { text: restingText(account, resting) }),
    }
  const way = await slice.findWay(account)
  // The pause after its last message may be hours long: a campaign with nothing left does not wait for it.
  if ('again' in way) return (await nextDue(db, campaign)) === undefined ? finish(db, campaign) : way
  const pool = sending.pools.get(account.key, { connect: account.connect, size: account.connections })
  const share = await sending.shares.enter(account, pool)
  try {
    if (!share.isUsable) return { again: SHARED_AGAIN_MS }
    const signer = await sending.signer(campaign.workspaceId, account, way.prepared.plan.from.address)
    const returnPath = await sending.returnPath(campaign.workspaceId, account, way.prepared.plan.from.address)
    if (returnPath) await noteReturnPath(db, campaign.id)
    return await sendShare(sending, campaign, slice, way, { account, share, pool, signer, returnPath }, signal)
  } catch (error) {
    if (error instanceof UnusableSender) return { again: 30_000, text: `Waiting: ${error.message}` }
    throw error
  } finally {
    sending.shares.leave(share)
  }
}

/** What a slice leaves through. */
interface SendingThrough {
  account: SendingAccount
  share: Share
  pool: ConnectionPool
  /** undefined: no domain of the workspace signs for it. */
  signer: Signer | undefined
  /** undefined: bounces return to the From address. */
  returnPath: RunSlice['returnPath']
}

async function sendShare(
  sending: Sending,
  campaign: RunningCampaign,
  slice: Slice,
  way: SendingWay,
  { account, share, pool, signer, returnPath }: SendingThrough,
  signal: AbortSignal,
): Promise<SenderRest | undefined> {
  const { db, queue } = sending
  const { step, gate, prepared, renderSubject, recipientHours } = way
  const wanted = Math.max(1, Math.min(slice.limit ?? SLICE, way.wanted ?? share.wanted ?? SLICE))
  const budget = await reserve(db, campaign.workspaceId, account, wanted, step && { queue })
  if (budget.lacks === 'month') return { again: 60_000, text: LIMIT_TEXT }
  if (budget.lacks === 'day') {
    if ((await nextDue(db, campaign)) === undefined) return finish(db, campaign)
    return { again: 15_000, text: usedUpText(account, budget.roomAt, way.hours) }
  }
  const leaving: Leaving = { mark: '', sorted: undefined, stop: new AbortController() }
  const done = await dispatch(
    sending,
    {
      campaign: step ? { ...campaign, id: step.id } : campaign,
      claim: () =>
        claimFor(sending, campaign, {
          slice,
          step,
          budget,
          account,
          leaving,
          gate: gate ?? share.gate,
          recipientHours,
        }),
      async open({ messages }) {
        slice.onClaimed?.()
        await step?.addThreads(messages)
        return {
          prepared,
          signer,
          returnPath,
          pool,
          gate: gate ?? share.gate,
          isHeld: () => share.isHeld(),
          parts: leaving.sorted?.parts ?? [],
          ...(renderSubject && { renderSubject }),
        }
      },
      settle: stopAtPause(slice.settle, account, campaign.workspaceId, leaving),
      close: (handed, sent) => budget.settle(handed, sent),
    },
    AbortSignal.any([signal, leaving.stop.signal]),
  ).finally(() => {
    clearTimeout(leaving.closes)
    leaving.sorted?.end()
  })
  if (!done) return finish(db, campaign)
  if (done.claimed === 0) return undefined
  if (done.hard > 0) await breakIfBad(db, campaign)
  if (done.problem) return rest(sending, campaign.id, account, done.problem, slice.isOneOfMany)
  await paceIsBack(db, campaign.id)
  if (done.sent > 0) await noteAccepted(db, account)
  if (account.troubles > 0 && done.handed > 0) await recovered(db, campaign.id, account.id)
  return undefined
}

/** A slice on its way: what was known of its receivers when it was claimed, and how it is stopped. */
interface Leaving {
  mark: string
  sorted: Sorted | undefined
  stop: AbortController
  /** Stops it as the hours of one of its recipients end. */
  closes?: NodeJS.Timeout
}

/** What tells states apart: which receivers are paused, and which asked for less when. */
const toMark = ({ pauses, paces }: ReceiverStates): string =>
  JSON.stringify([pauses.map(({ receiver }) => receiver), paces.map(({ receiver, slowed }) => [receiver, slowed?.at])])

/** Settles, and stops the slice once another receiver is paused or asks for less: the next claim goes by it. */
function stopAtPause(settle: Settle, account: SendingAccount, workspaceId: string, leaving: Leaving): Settle {
  return async (db, campaign, claimId, settled) => {
    await settle(db, campaign, claimId, settled)
    const isRefused = settled.some(({ outcome }) => outcome.class === 'block' || asksToSlowDown(outcome))
    if (isRefused && toMark(await readReceiverStates(db, workspaceId, account.id)) !== leaving.mark)
      leaving.stop.abort()
  }
}

interface Claiming {
  slice: Slice
  step: FollowUpStep | undefined
  budget: Budget
  account: SendingAccount
  leaving: Leaving
  /** The sender's own. */
  gate: Gate
  recipientHours: SendingWindow | undefined
}

/** Claims what was reserved, and returns what was not needed. */
async function claimFor(
  sending: Sending,
  campaign: RunningCampaign,
  { slice, step, budget, account, leaving, gate, recipientHours }: Claiming,
): Promise<Claim | undefined> {
  const { senderId, isOneOfMany } = slice
  const target = step ? { ...campaign, id: step.id, tellsOrigins: false } : campaign
  const isCounted = await isLimited(sending.db, campaign.workspaceId)
  const take = (db: Sending['db']) =>
    claimMessages({ ...sending, db }, target, {
      reach: withFrequency(step?.reach ?? emailReach, campaign.workspaceId, isCounted),
      limit: budget.allowed,
      ...(isOneOfMany && senderId && { senderId, isOfSender: step !== undefined }),
    })
  const takeInTurn = async (db: Sending['db']) => {
    await holdFrequency(db, campaign.workspaceId)
    return take(db)
  }
  const claiming = isCounted ? sending.db.transaction().execute(takeInTurn) : take(sending.db)
  const claim = await claiming.catch(async (error) => {
    await budget.settle(0)
    throw error
  })
  if (!claim) {
    await budget.settle(0)
    return undefined
  }
  const ready =
    recipientHours && claim.messages.length > 0 ? await holdHours(sending, claim, recipientHours, leaving) : claim
  const states = await readReceiverStates(sending.db, campaign.workspaceId, account.id)
  leaving.mark = toMark(states)
  leaving.sorted = await sortByReceiver(sending, campaign.id, ready, account, { states, gate })
  await budget.settle(leaving.sorted.claim.messages.length)
  return leaving.sorted.claim
}

/** Takes out of a claim whose hours it is not, and has the slice stopped before the hours of one of the others end. */
async function holdHours({ db }: Sending, claim: Claim, hours: SendingWindow, leaving: Leaving): Promise<Claim> {
  const held = await postponeClosed(db, claim, hours)
  if (held.left < SLICE_LIMIT_MS) leaving.closes = setTimeout(() => leaving.stop.abort(), held.left)
  return held.claim
}
