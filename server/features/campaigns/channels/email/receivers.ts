/** What of a claim leaves now and what waits: receivers that refuse the sender, and those with a pace of their own. */
import { sql } from 'kysely'
import { bothGates, findAuthenticationFault, type Gate } from '#server/engine/index.ts'
import {
  endPauses,
  labelReceiver,
  type ReceiverPace,
  type ReceiverStates,
  readReceivers,
  type SendingAccount,
} from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { formatUtcMoment } from '#server/platform/time/utc-moment.ts'
import type { Services } from '#server/services.ts'
import { type Claim, type Claimed, endClaim, postpone } from '../../sending/claims.ts'
import type { Part } from '../../sending/dispatch.ts'
import type { Sending } from '../../sending/sending.ts'
import type { ReceiverLane } from '../../sending/shares/receiver-lane.ts'
import { sentence, setText } from '../../sending/state-text.ts'

/** Campaigns that said they wait for a receiver. */
const waiting = new Set<string>()

const MAX_NAMED = 5

const list = (receivers: { receiver: string }[]) =>
  new Intl.ListFormat('en').format(receivers.slice(0, MAX_NAMED).map(({ receiver }) => labelReceiver(receiver)))

/** Why emails to receivers wait. */
function describeWait({ fromEmail }: SendingAccount, { pauses, paces }: ReceiverStates): string {
  const [paused] = pauses
  if (paused) {
    const until = formatUtcMoment(paused.until)
    const fix = findAuthenticationFault(paused.response)?.fix
    return `Waiting: ${list(pauses)} ${pauses.length === 1 ? 'refuses' : 'refuse'} emails from ${fromEmail}, so nothing is sent there until ${until}: ${sentence(paused.response)}${fix ? ` ${fix}` : ''} Emails to other recipients continue. To try sooner, ${fix ? 'check the domain or ' : ''}pause and resume.`
  }
  const slowed = paces.filter((pace) => pace.slowed)
  const [first] = slowed
  if (!first?.slowed) return ''
  const rate = first.slowed.perHour.toLocaleString('en-US')
  return `${list(slowed)} asked ${fromEmail} to slow down${slowed.length === 1 ? `: ${rate} emails an hour are sent there` : ''}, then more every 15 minutes. ${sentence(first.slowed.response)} It continues automatically. Emails to other recipients continue.`
}

/** A claim without what waits, and with what goes through a lane of its own. */
export interface Sorted {
  claim: Claim
  parts: Part[]
  /** Nobody sends these parts any more. */
  end(): void
}

const whole = (claim: Claim): Sorted => ({ claim, parts: [], end: () => undefined })

/**
 * Puts back the messages of a claim that cannot leave soon: to receivers that refuse the sender until the pause is over, to those
 * with a pace until their turn. Says so with the campaign, and takes it back once nothing waits. `gate`: the sender's own.
 */
export async function sortByReceiver(
  sending: Pick<Sending, 'db' | 'shares'>,
  campaignId: string,
  claim: Claim,
  account: SendingAccount,
  { states, gate }: { states: ReceiverStates; gate: Gate },
): Promise<Sorted> {
  const { db } = sending
  const { pauses, paces } = states
  if (pauses.length === 0 && paces.length === 0) {
    if (waiting.delete(campaignId)) await setText(db, campaignId, '')
    return whole(claim)
  }
  const toReceiver = await readReceivers(
    db,
    claim.messages.map(({ email }) => email),
  )
  const untils = new Map(pauses.map(({ receiver, until }) => [receiver, until]))
  const byReceiver = Map.groupBy(claim.messages, ({ email }) => toReceiver(email))
  const lanes = await enterLanes(sending, account, paces, byReceiver)
  const postponed: { id: string; until: Date }[] = []
  const recipients = new Map<string, Claimed[]>()
  const free: Claimed[] = []
  for (const message of claim.messages) {
    const receiver = toReceiver(message.email)
    const until = untils.get(receiver)
    const lane = lanes.get(receiver)
    if (until) postponed.push({ id: message.id, until })
    else if (!lane) free.push(message)
    else if (lane.take()) recipients.set(receiver, [...(recipients.get(receiver) ?? []), message])
    else postponed.push({ id: message.id, until: lane.nextTurn() })
  }
  await postpone(db, claim, postponed)
  const isSlowed = paces.some(({ receiver, slowed }) => slowed && byReceiver.has(receiver))
  if (postponed.length > 0 && (isSlowed || pauses.some(({ receiver }) => byReceiver.has(receiver)))) {
    waiting.add(campaignId)
    await setText(db, campaignId, describeWait(account, states))
  } else if (pauses.length === 0 && !paces.some(({ slowed }) => slowed) && waiting.delete(campaignId))
    await setText(db, campaignId, '')
  const parts = [...recipients].flatMap(([receiver, messages]): Part[] => {
    const lane = lanes.get(receiver)
    return lane ? [{ recipients: messages, gate: lane.guard(bothGates(lane.gate, gate)), isHeld: lane.isHeld }] : []
  })
  const messages = [...free, ...parts.flatMap((part) => part.recipients)]
  if (messages.length === 0) await endClaim(db, claim)
  return {
    claim: { ...claim, messages },
    parts,
    end: () => {
      for (const lane of lanes.values()) lane.leave()
    },
  }
}

/** This thread's share of each pace that the messages of a claim go by. */
async function enterLanes(
  { shares }: Pick<Sending, 'shares'>,
  account: SendingAccount,
  paces: ReceiverPace[],
  byReceiver: ReadonlyMap<string, unknown>,
): Promise<Map<string, ReceiverLane>> {
  const lanes = new Map<string, ReceiverLane>()
  for (const pace of paces)
    if (byReceiver.has(pace.receiver)) lanes.set(pace.receiver, await shares.enterReceiver(account.id, pace))
  return lanes
}

/** A person resumes a campaign: what waits for receivers is tried again at once. */
export async function resumeReceivers(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const senders = await db
      .selectFrom('campaigns')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', campaignId)
      .select('senderId')
      .execute()
    if (
      !(await endPauses(
        db,
        workspaceId,
        senders.flatMap(({ senderId }) => senderId ?? []),
      ))
    )
      return
    await makeDue(db, workspaceId, [campaignId])
  })
}

/** See SenderPart.sendWaiting. */
export async function sendWaiting(
  { db, live }: Pick<Services, 'db' | 'live'>,
  workspaceId: string,
  senderIds: readonly string[],
): Promise<void> {
  const campaigns = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('senderId', 'in', senderIds)
    .where('state', '=', 'sending')
    .select('id')
    .execute()
  const ids = campaigns.map(({ id }) => id)
  await makeDue(db, workspaceId, ids)
  for (const id of ids) live.publish('sending', id)
}

const makeDue = (db: Db, workspaceId: string, campaignIds: readonly string[]) =>
  sql`update messages set due_at = now()
    where workspace_id = ${workspaceId} and campaign_id = any(${campaignIds}::bigint[]) and state = 'queued' and due_at > now()`.execute(
    db,
  )
