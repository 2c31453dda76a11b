import {
  type ConnectionPool,
  type Gate,
  MakingTime,
  type Outcome,
  openJournal,
  type RunSlice,
  runSlice,
  type SenderProblem,
} from '#server/engine/index.ts'
import { type Claim, type Claimed, endOwnClaim } from './claims.ts'
import { markNow } from './lease.ts'
import { collectOutcomes } from './outcomes.ts'
import type { Sending } from './sending.ts'
import type { Settle } from './settle.ts'

/** Of this thread. */
const makingTime = new MakingTime()

/** The most messages of one claim. */
export const SLICE = 500
// The day's budget is counted where it was reserved: a slice must be over well within a bucket of five minutes.
export const SLICE_LIMIT_MS = 240_000

/** How the messages of a claim leave. */
export interface Handover {
  prepared: RunSlice['prepared']
  signer?: RunSlice['signer']
  returnPath?: RunSlice['returnPath']
  pool: ConnectionPool
  gate: Gate
  /** Asked before every hand-over, beside the claim itself: whether the sender is still this thread's to use. */
  isHeld?(): boolean
  /** The subject a message goes out with, where follow-ups will repeat it. */
  renderSubject?(message: Claimed): string
  onOutcome?(outcome: Outcome): void
  /** Messages of the claim that leave through gates of their own, beside the others. */
  parts?: readonly Part[]
}

/** Messages of a claim that leave through a gate of their own. */
export interface Part {
  recipients: Claimed[]
  gate: Gate
  isHeld(): boolean
}

/** What is dispatched: the messages one claim takes, and what a channel does before and after they leave. */
export interface Dispatch {
  /** Whose messages they are. */
  campaign: { id: string; workspaceId: string }
  claim(): Promise<Claim | undefined>
  open(claim: Claim): Promise<Handover> | Handover
  settle: Settle
  /** The claim has ended: what was counted or written down for messages that were not handed over returns. May be asked twice. */
  close(handed: number, sent: number, claimed: number): Promise<void>
}

/** What became of the messages of a claim; `problem`: why nothing more can leave through the sender now. */
export interface Dispatched {
  claimed: number
  handed: number
  sent: number
  /** Refused because the address does not exist. */
  hard: number
  problem?: SenderProblem
}

/**
 * Claims messages, notes them in a journal, hands them over and settles them: the only way any message of a campaign leaves
 * (decision 0008). Returns undefined when nothing was due; with `claimed` 0 all that was due may not be sent any more.
 */
export async function dispatch(
  sending: Sending,
  { campaign, claim: claimDue, open, settle, close }: Dispatch,
  signal: AbortSignal,
): Promise<Dispatched | undefined> {
  const { db, log, claims } = sending
  const asked = markNow()
  const claim = await claimDue()
  if (!claim) return undefined
  const claimed = claim.messages.length
  if (claimed === 0) return { claimed, handed: 0, sent: 0, hard: 0 }
  claims.take(claim.id, asked)
  const making = makingTime.begin(campaign.workspaceId)
  try {
    const { prepared, signer, returnPath, pool, gate, isHeld, renderSubject, onOutcome, parts = [] } = await open(claim)
    const journal = openJournal(sending.folder, claim.id)
    const outcomes = collectOutcomes(db, campaign, claim, settle, log, sending.stopping, renderSubject)
    const halt = new AbortController()
    const run = async (part: Part, isPatient: boolean) => {
      const done = await runSlice({
        prepared,
        signer,
        returnPath,
        recipients: part.recipients,
        pool,
        journal,
        gate: part.gate,
        isPatient,
        isHeld: () => claims.isHeld(claim.id) && (isHeld?.() ?? true) && part.isHeld(),
        onOutcome: (id, outcome) => {
          onOutcome?.(outcome)
          outcomes.add(id, outcome)
        },
        onMake: (id) => sending.hold(claim.id, id),
        making,
        signal: AbortSignal.any([signal, halt.signal, AbortSignal.timeout(SLICE_LIMIT_MS)]),
      })
      // What stops one part stops them all.
      if (done.problem) halt.abort()
      return done
    }
    const others = { recipients: withoutParts(claim.messages, parts), gate, isHeld: () => true }
    const runs = [run(others, false), ...parts.map((part) => run(part, true))]
    const results = await Promise.all(runs).catch(sending.crash)
    const problem = results.find((result) => result.problem)?.problem
    // From here on nothing is in flight. Should the database be away now, the journal stays until it is back.
    const { handed, sent, hard } = await outcomes.done()
    let isEnded = true
    await insist(sending, async () => {
      isEnded = await endOwnClaim(db, claim, handed < claimed)
      await close(handed, sent, claimed)
    })
    if (isEnded) journal.remove()
    else journal.close()
    return { claimed, handed, sent, hard, ...(problem && { problem }) }
  } finally {
    making.end()
    claims.end(claim.id)
  }
}

function withoutParts(messages: Claimed[], parts: readonly Part[]): Claimed[] {
  if (parts.length === 0) return messages
  const apart = new Set(parts.flatMap(({ recipients }) => recipients))
  return messages.filter((message) => !apart.has(message))
}

/** Tries again until it works: a database that restarts is waited for. Gives up only when the process stops. */
async function insist(sending: Pick<Sending, 'log' | 'stopping'>, work: () => Promise<void>): Promise<void> {
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
