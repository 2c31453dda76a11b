import { sql } from 'kysely'
import {
  type ConnectionPools,
  type Gate,
  openJournal,
  type Prepared,
  runSlice,
  type Tokens,
} from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { type Claim, claimMessages, endClaim } from './claims.ts'
import { countDay, giveBackDay, reserveDay } from './limits.ts'
import { collectOutcomes } from './outcomes.ts'
import { recovered, rest, restingText } from './rest.ts'
import { breakIfBad } from './settle.ts'

const SLICE = 500
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
  active: Set<string>
  account(workspaceId: string, senderId: string): Promise<SendingAccount | undefined>
  /** Ends the thread: what is in flight is cut off, and the next thread settles it by the journals. */
  crash(error: unknown): Promise<never>
}

export interface RunningCampaign {
  id: string
  workspaceId: string
  senderId: string | null
  /** Some of its recipients are told where their address was found. */
  tellsOrigins: boolean
}

/** When to look at the campaign again, in milliseconds from now, and why it waits. */
export type Rest = { again: number; text?: string }

/** How a slice leaves through one sender. */
export interface Way {
  prepared: Prepared
  gate: Gate
  /** Messages to take at once; undefined: as many as there may be. */
  wanted: number | undefined
  /** Written down with each message, where a campaign goes through several senders. */
  claimAs?: string
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
  const resting = (account.restUntil?.getTime() ?? 0) - Date.now()
  if (resting > 0)
    return {
      again: Math.min(resting, 60_000),
      ...(account.kind === 'gmail' && { text: restingText(account, resting) }),
    }
  const way = wayOf(account)
  if ('again' in way) return way
  const wanted = Math.max(1, Math.min(SLICE, way.wanted ?? SLICE))
  const limited = account.perDay !== null
  const reserved = limited ? await reserveDay(db, account.id, wanted) : { allowed: wanted, bucket: null }
  if (reserved.allowed === 0) {
    if ((await nextDue(db, campaign.id)) === undefined) return finish(db, campaign.id)
    return {
      again: 15_000,
      text: `Waiting: the limit of ${account.dayLimit} messages in 24 hours is used up. It goes on by itself.`,
    }
  }
  const claim = await claimMessages(db, campaign, reserved.allowed, sending.worker, sending.home, way.claimAs).catch(
    async (error) => {
      await giveBackDay(db, account.id, reserved.bucket, reserved.allowed)
      throw error
    },
  )
  const claimed = claim?.messages.length ?? 0
  if (claimed > 0) sending.active.add(claim?.id ?? '')
  await giveBackDay(db, account.id, reserved.bucket, reserved.allowed - claimed)
  if (!claim) return finish(db, campaign.id)
  if (claimed === 0) return undefined
  const bucket = limited ? reserved.bucket : await countDay(db, account.id, claimed)
  return sendClaim(sending, campaign, way, account, claim, bucket, signal)
}

async function sendClaim(
  sending: Sending,
  campaign: RunningCampaign,
  { prepared, gate }: Way,
  account: SendingAccount,
  claim: Claim,
  bucket: Date | null,
  signal: AbortSignal,
) {
  const { db, log } = sending
  try {
    const journal = openJournal(sending.folder, claim.id)
    const outcomes = collectOutcomes(db, campaign, claim, log, sending.stopping)
    const result = await runSlice({
      prepared,
      recipients: claim.messages,
      pool: sending.pools.get(account.key, { connect: account.connect, size: account.connections }),
      journal,
      gate,
      onOutcome: outcomes.add,
      signal: AbortSignal.any([signal, AbortSignal.timeout(SLICE_LIMIT_MS)]),
    }).catch(sending.crash)
    // From here on nothing is in flight. Should the database be away now, the journal stays until it is back.
    const { handed, hard } = await outcomes.done()
    await insist(sending, async () => {
      await endClaim(db, claim.id, handed < claim.messages.length)
      await giveBackDay(db, account.id, bucket, claim.messages.length - handed)
    })
    journal.remove()
    if (hard > 0) await breakIfBad(db, campaign.id)
    if (result.problem) return await rest(sending, campaign.id, account, result.problem)
    if (account.troubles > 0 && handed > 0) await recovered(db, campaign.id, account.id)
    return undefined
  } finally {
    sending.active.delete(claim.id)
  }
}

/** Tries again until it works: a database that restarts is waited for. Gives up only when the process stops. */
async function insist(sending: Sending, work: () => Promise<void>): Promise<void> {
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

/** Milliseconds until the next message of a campaign is due (0: now); undefined when none waits. */
async function nextDue(db: Db, campaignId: string): Promise<number | undefined> {
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
async function finish(db: Db, campaignId: string): Promise<Rest> {
  const { rows } = await sql`
    update campaigns set state = 'sent', state_text = '', finished_at = now(), updated_at = now()
    where id = ${campaignId} and state = 'sending' and audience_at is not null
      and not exists (select 1 from campaign_counts where campaign_id = ${campaignId} and queued + claimed + deferred > 0)
    returning id`.execute(db)
  if (rows.length > 0) return { again: 0 }
  const due = await nextDue(db, campaignId)
  return { again: Math.max(250, Math.min(due ?? 500, 60_000)) }
}
