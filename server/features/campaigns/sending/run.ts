import { sql } from 'kysely'
import {
  type ConnectionPools,
  type Gate,
  openJournal,
  type Plan,
  type Prepared,
  prepare,
  runSlice,
  type SenderProblem,
  type Tokens,
} from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { type Claim, claimMessages, endClaim } from './claims.ts'
import { countDay, gateOf, giveBackDay, reserveDay } from './limits.ts'
import { collectOutcomes } from './outcomes.ts'
import { breakIfBad } from './settle.ts'

const SLICE = 500
// A slower pace takes smaller slices: about this many seconds' worth.
const SLICE_SECONDS = 5
// The day's budget is counted where it was reserved: a slice must be over well within a bucket of five minutes.
const SLICE_LIMIT_MS = 240_000
const LANES = 2

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
  tellsOrigins: boolean
}

/** When to look at the campaign again, in milliseconds from now. */
type Rest = { again: number }

const gates = new Map<string, { perSecond: number | null; gate: Gate }>()

function gateFor(db: Db, account: SendingAccount): Gate {
  const known = gates.get(account.id)
  if (known && known.perSecond === account.perSecond) return known.gate
  const gate = gateOf(db, account.id, account.perSecond)
  gates.set(account.id, { perSecond: account.perSecond, gate })
  return gate
}

async function setText(db: Db, campaignId: string, text: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ stateText: text })
    .where('id', '=', campaignId)
    .where('state', '=', 'sending')
    .where('stateText', '<>', text)
    .execute()
}

/** Sends what is due of one campaign, until nothing is or `signal` aborts. Answers when to look again. */
export async function runCampaign(sending: Sending, campaign: RunningCampaign, signal: AbortSignal): Promise<Rest> {
  const row = await sending.db.selectFrom('campaigns').where('id', '=', campaign.id).select('plan').executeTakeFirst()
  if (!row?.plan) return { again: 1_000 }
  const prepared = prepare(row.plan as unknown as Plan, sending.tokens)
  const lane = async (): Promise<Rest> => {
    while (!signal.aborted) {
      const rest = await sendSlice(sending, campaign, prepared, signal)
      if (rest) return rest
    }
    return { again: 0 }
  }
  const rests = await Promise.all(Array.from({ length: LANES }, lane))
  return { again: Math.max(...rests.map((rest) => rest.again)) }
}

async function sendSlice(
  sending: Sending,
  campaign: RunningCampaign,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Rest | undefined> {
  const { db } = sending
  const account = campaign.senderId ? await sending.account(campaign.workspaceId, campaign.senderId) : undefined
  if (!account) {
    await setText(
      db,
      campaign.id,
      'Waiting: its sender was removed or is not configured. Choose another one after pausing.',
    )
    return { again: 10_000 }
  }
  const rest = (account.restUntil?.getTime() ?? 0) - Date.now()
  if (rest > 0) return { again: Math.min(rest, 60_000) }
  const wanted =
    account.perSecond === null ? SLICE : Math.max(1, Math.min(SLICE, Math.ceil(account.perSecond * SLICE_SECONDS)))
  const limited = account.perDay !== null
  const reserved = limited ? await reserveDay(db, account.id, wanted) : { allowed: wanted, bucket: null }
  if (reserved.allowed === 0) {
    if ((await nextDue(db, campaign.id)) === undefined) return finish(db, campaign.id)
    await setText(
      db,
      campaign.id,
      `Waiting: the limit of ${account.perDay} messages in 24 hours is used up. It goes on by itself.`,
    )
    return { again: 15_000 }
  }
  const claim = await claimMessages(db, campaign, reserved.allowed, sending.worker, sending.home).catch(
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
  return sendClaim(sending, campaign, prepared, account, claim, bucket, signal)
}

async function sendClaim(
  sending: Sending,
  campaign: RunningCampaign,
  prepared: Prepared,
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
      gate: gateFor(db, account),
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
    if (result.problem) return await rest(sending, campaign, account, result.problem)
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

/** The mail server takes nothing now: nobody's fault among the recipients, so the sender rests and is tried again. */
async function rest(
  sending: Sending,
  campaign: RunningCampaign,
  account: SendingAccount,
  problem: SenderProblem,
): Promise<Rest> {
  const seconds = Math.min(900, 30 * 2 ** Math.min(account.troubles, 5))
  sending.log.warn({ sender: account.id, campaign: campaign.id, kind: problem.kind }, 'a sender takes no mail')
  await sending.db
    .updateTable('senders')
    .set({
      troubles: account.troubles + 1,
      restUntil: sql<Date>`now() + make_interval(secs => ${seconds})`,
      state: 'failing',
      stateText: problem.text,
      checkedAt: sql<Date>`now()`,
    })
    .where('id', '=', account.id)
    .execute()
  const needsHands = problem.kind === 'auth' || problem.kind === 'sender'
  if (needsHands) {
    await sending.db
      .updateTable('campaigns')
      .set({ state: 'paused', stateText: `Paused: ${problem.text} Nothing is lost. Mend the sender, then resume.` })
      .where('id', '=', campaign.id)
      .where('state', '=', 'sending')
      .execute()
  } else
    await setText(
      sending.db,
      campaign.id,
      `Waiting for the mail server: ${problem.text} Trying again by itself; nothing is lost.`,
    )
  return { again: seconds * 1000 }
}

async function recovered(db: Db, campaignId: string, senderId: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ troubles: 0, restUntil: null, state: 'working', stateText: '' })
    .where('id', '=', senderId)
    .execute()
  await setText(db, campaignId, '')
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
