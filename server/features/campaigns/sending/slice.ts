import { sql } from 'kysely'
import type { SendingWindow } from '#contracts/campaign-parts.ts'
import type { WhatsAppApi } from '#server/adapters/whatsapp/api.ts'
import {
  type ConnectionPool,
  type ConnectionPools,
  type Gate,
  openJournal,
  type Prepared,
  renderSubject,
  runSlice,
  type Tokens,
} from '#server/engine/index.ts'
import { giveBack, spendUpTo } from '#server/features/billing/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { Queue } from '#server/platform/queue.ts'
import { type Claim, claimMessages, endClaim } from './claims.ts'
import { type ClaimLeases, markNow } from './lease.ts'
import { countDay, giveBackDay, reserveDay } from './limits.ts'
import { collectOutcomes } from './outcomes.ts'
import { paceIsBack, recovered, rest, restingText, usedUpText } from './rest.ts'
import { breakIfBad } from './settle.ts'
import type { Share, Shares } from './shares.ts'
import { type Step, threadsOf } from './steps.ts'

const SLICE = 500
const LIMIT_TEXT =
  'Waiting: the e-mails of your plan are used up for this month. Follow-ups go on by themselves in the next one, or once the plan is larger.'
/** Other workers have all of the sender now: they send, and one of them may end. */
const SHARED_AGAIN_MS = 500
// The day's budget is counted where it was reserved: a slice must be over well within a bucket of five minutes.
const SLICE_LIMIT_MS = 240_000

/** What every running campaign of this thread shares. */
export interface Sending {
  db: Db
  log: Log
  tokens: Tokens
  pools: ConnectionPools
  folder: string
  home: string
  worker: string
  /** Aborts when the process stops, and not when a campaign is paused. */
  stopping: AbortSignal
  /** Claims being worked on here. */
  claims: ClaimLeases
  /** What this thread may use of each sender. */
  shares: Shares
  /** The queue's door, which is in the thread that answers requests. */
  queue: Pick<Queue, 'enqueue'>
  config: Pick<Config, 'secretKey'>
  /** Meta's API; undefined: not configured. */
  whatsapp: WhatsAppApi | undefined
  account(workspaceId: string, senderId: string): Promise<SendingAccount | undefined>
  /** Notes the message of a claim that is being made, for whoever watches the thread; null: none is. */
  hold(claimId: string, messageId: string | null): void
  /** Ends the thread: what is in flight is cut off, and the next thread settles it by the journals. */
  crash(error: unknown): Promise<never>
}

export interface RunningCampaign {
  id: string
  workspaceId: string
  channel: string
  senderId: string | null
  /** Some of its recipients are told where their address was found. */
  tellsOrigins: boolean
  /** With follow-ups: every step's campaign, the first one's leading. The state of all is the first one's. */
  sequence?: string[]
}

/** When to look at the campaign again, in milliseconds from now, and why it waits. `blocked`: until somebody lets the account send. */
export type Rest = { again: number; text?: string; blocked?: boolean }

/** How a slice leaves through one sender. */
export interface Way {
  prepared: Prepared
  /** undefined: the sender's limit a second, of which this thread has its share. */
  gate?: Gate
  /** Messages to take at once; undefined: some seconds' worth of the sender's limit. */
  wanted?: number | undefined
  /** Written down with each message, where a campaign goes through several senders. */
  claimAs?: string
  /** The hours it may leave in. */
  window?: SendingWindow | null
  /** The follow-up it is. */
  step?: Step
}

/** Sends one slice through a sender. undefined: there may be more at once. */
export async function sendSlice(
  sending: Sending,
  campaign: RunningCampaign,
  senderId: string | null,
  wayOf: (account: SendingAccount) => Way | Rest,
  signal: AbortSignal,
): Promise<Rest | undefined> {
  const { db } = sending
  const account = senderId ? await sending.account(campaign.workspaceId, senderId) : undefined
  if (!account)
    return {
      again: 10_000,
      text: 'Waiting: its sender was removed or is not configured. Choose another one after pausing.',
    }
  if (account.blocked !== null)
    return { again: 30_000, text: `${account.fromEmail}: ${account.blocked}`, blocked: true }
  const resting = (account.restUntil?.getTime() ?? 0) - Date.now()
  if (resting > 0)
    return {
      again: Math.min(resting, 60_000),
      ...(account.kind === 'gmail' && { text: restingText(account, resting) }),
    }
  const way = wayOf(account)
  // The pause after its last message may be hours long: a campaign with nothing left does not wait for it.
  if ('again' in way) return (await nextDue(db, campaign)) === undefined ? finish(db, campaign) : way
  const pool = sending.pools.get(account.key, { connect: account.connect, size: account.connections })
  const share = await sending.shares.enter(account, pool)
  try {
    if (!share.isUsable) return { again: SHARED_AGAIN_MS }
    return await sendShare(sending, campaign, account, way, { share, pool }, signal)
  } finally {
    sending.shares.leave(share)
  }
}

async function sendShare(
  sending: Sending,
  campaign: RunningCampaign,
  account: SendingAccount,
  way: Way,
  through: { share: Share; pool: ConnectionPool },
  signal: AbortSignal,
): Promise<Rest | undefined> {
  const { db } = sending
  const wanted = Math.max(1, Math.min(SLICE, way.wanted ?? through.share.wanted ?? SLICE))
  const limited = account.perDay !== null
  const reserved = limited ? await reserveDay(db, account.id, wanted) : { allowed: wanted, bucket: null, roomAt: null }
  if (reserved.allowed === 0) {
    if ((await nextDue(db, campaign)) === undefined) return finish(db, campaign)
    return {
      again: 15_000,
      text: usedUpText(account, reserved.roomAt, way.window ?? null),
    }
  }
  const { claim, metered, problem } = await claimFor(sending, campaign, way, account, reserved)
  if (problem) return problem
  if (!claim) return finish(db, campaign)
  if (claim.messages.length === 0) return undefined
  const bucket = limited ? reserved.bucket : await countDay(db, account.id, claim.messages.length)
  return sendClaim(sending, campaign, way, account, { claim, bucket, metered, ...through }, signal)
}

/** Claims what was reserved and gives back what was not needed. Follow-ups are counted against the plan as they are claimed. */
async function claimFor(
  { db, worker, home, claims, tokens, queue }: Sending,
  campaign: RunningCampaign,
  { claimAs, step }: Way,
  account: SendingAccount,
  reserved: { allowed: number; bucket: Date | null },
): Promise<{ claim?: Claim | undefined; metered: number; problem?: Rest }> {
  const { allowed, bucket } = reserved
  const room = step ? await spendUpTo({ queue }, db, campaign.workspaceId, 'emails', allowed) : allowed
  if (room === 0) {
    await giveBackDay(db, account.id, bucket, allowed)
    return { metered: 0, problem: { again: 60_000, text: LIMIT_TEXT } }
  }
  const target = step ? { ...campaign, id: step.id, tellsOrigins: false } : campaign
  const asked = markNow()
  const claim = await claimMessages(db, target, room, worker, home, claimAs, step).catch(async (error) => {
    await giveBackDay(db, account.id, bucket, allowed)
    throw error
  })
  const claimed = claim?.messages.length ?? 0
  if (claim && claimed > 0) claims.take(claim.id, asked)
  await giveBackDay(db, account.id, bucket, allowed - claimed)
  if (!step) return { claim, metered: 0 }
  await giveBack(db, campaign.workspaceId, 'emails', room - claimed)
  const domain = account.fromEmail.slice(account.fromEmail.lastIndexOf('@') + 1)
  const ids = claim?.messages.map(({ id }) => id) ?? []
  const threads = await threadsOf(db, step, ids, tokens, domain)
  for (const message of claim?.messages ?? []) message.follows = threads.get(message.id) ?? null
  return { claim, metered: claimed }
}

async function sendClaim(
  sending: Sending,
  campaign: RunningCampaign,
  { prepared, gate, step }: Way,
  account: SendingAccount,
  taken: { claim: Claim; bucket: Date | null; metered: number; share: Share; pool: ConnectionPool },
  signal: AbortSignal,
) {
  const { db, log } = sending
  const { claim, bucket, metered, share, pool } = taken
  try {
    const journal = openJournal(sending.folder, claim.id)
    const target = step ? { ...campaign, id: step.id } : campaign
    const begins = campaign.sequence && !step
    const outcomes = collectOutcomes(db, target, claim, log, sending.stopping, (message) =>
      begins ? renderSubject(prepared, message) : '',
    )
    const result = await runSlice({
      prepared,
      recipients: claim.messages,
      pool,
      journal,
      gate: gate ?? share.gate,
      isHeld: () => sending.claims.isHeld(claim.id) && share.isHeld(),
      onOutcome: outcomes.add,
      onMake: (id) => sending.hold(claim.id, id),
      signal: AbortSignal.any([signal, AbortSignal.timeout(SLICE_LIMIT_MS)]),
    }).catch(sending.crash)
    // From here on nothing is in flight. Should the database be away now, the journal stays until it is back.
    const { handed, sent, hard } = await outcomes.done()
    await insist(sending, async () => {
      await endClaim(db, claim.id, handed < claim.messages.length)
      await giveBackDay(db, account.id, bucket, claim.messages.length - handed)
      await giveBack(db, campaign.workspaceId, 'emails', metered === 0 ? 0 : metered - sent)
    })
    journal.remove()
    if (hard > 0) await breakIfBad(db, campaign.id)
    if (result.problem) return await rest(sending, campaign.id, account, result.problem)
    await paceIsBack(db, campaign.id)
    if (account.troubles > 0 && handed > 0) await recovered(db, campaign.id, account.id)
    return undefined
  } finally {
    sending.claims.end(claim.id)
  }
}

/** Tries again until it works: a database that restarts is waited for. Gives up only when the process stops. */
export async function insist(sending: Pick<Sending, 'log' | 'stopping'>, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (sending.stopping.aborted) throw error
      sending.log.error({ err: error }, 'a slice could not be closed; trying again')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

/** Milliseconds until the next message of a campaign or its follow-ups is due (0: now); undefined when none waits. */
export async function nextDue(db: Db, { id, sequence = [id] }: RunningCampaign): Promise<number | undefined> {
  const waits = await Promise.all(sequence.map((id) => nextDueOf(db, id)))
  const known = waits.filter((wait) => wait !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

async function nextDueOf(db: Db, campaignId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('messages')
    .where('campaignId', '=', campaignId)
    .where('dueAt', 'is not', null)
    .select(sql<number>`greatest(0, extract(epoch from due_at - now())::float8 * 1000)`.as('wait'))
    .orderBy('dueAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.wait
}

/** Nothing could be claimed: the campaign is sent when nothing is under way or waiting, else it is looked at when the next is due. */
export async function finish(db: Db, campaign: RunningCampaign): Promise<Rest> {
  const { id, sequence = [id] } = campaign
  const { rows } = await sql`
    update campaigns set state = 'sent', state_text = '', finished_at = now(), updated_at = now()
    where id = ${id} and state = 'sending' and audience_at is not null
      and not exists (select 1 from campaign_counts where campaign_id = any(${sequence}::bigint[]) and queued + claimed + deferred > 0)
    returning id`.execute(db)
  if (rows.length > 0) return { again: 0 }
  const due = await nextDue(db, campaign)
  const again = Math.max(250, Math.min(due ?? 500, 60_000))
  // Nothing is in the way of a follow-up that waits for its time: what was, is over.
  return sequence.length > 1 ? { again, text: '' } : { again }
}
