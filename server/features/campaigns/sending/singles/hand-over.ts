/** One email beside campaigns, handed over through what campaigns send through: the thread's shares and connections. */
import {
  bothGates,
  type ConnectionPool,
  type Gate,
  SmtpConnectError,
  type SmtpConnection,
} from '#server/engine/index.ts'
import {
  type Handed,
  labelReceiver,
  type ReceiverPace,
  readReceiverStates,
  readReceivers,
  type SingleEmail,
  UnusableSender,
} from '#server/features/senders/index.ts'
import type { Sending } from '../sending.ts'

/** How long it waits for a connection and its turn. Campaigns that were there before have theirs first. */
const MAX_WAIT_MS = 60_000

/** How it leaves. `isHeld`: whether the limits are still this thread's to use. */
interface Way {
  pool: ConnectionPool
  gate: Gate
  isHeld(): boolean
  signal: AbortSignal
  begin: () => Promise<boolean>
}

/** Hands over an email within the limits of its sender and of its receiver: see SenderPart.handOver. */
export async function handOver(sending: Sending, email: SingleEmail, begin: () => Promise<boolean>): Promise<Handed> {
  const { db, shares, pools } = sending
  const account = await sending.account(email.workspaceId, email.senderId).catch((error) => {
    if (error instanceof UnusableSender) return error
    throw error
  })
  if (account instanceof UnusableSender) return { kind: 'unreachable', problem: account.message }
  if (!account) return { kind: 'unreachable', problem: 'The sender was removed.' }
  const { pauses, paces } = await readReceiverStates(db, email.workspaceId, account.id)
  const hasStates = pauses.length > 0 || paces.length > 0
  const receiver = hasStates ? (await readReceivers(db, [email.to]))(email.to) : ''
  const pause = pauses.find((pause) => pause.receiver === receiver)
  if (pause)
    return {
      kind: 'later',
      until: pause.until,
      problem: `${labelReceiver(receiver)} refuses emails: ${pause.response}`,
    }
  const pool = pools.get(account.key, { connect: account.connect, size: account.connections })
  const share = await shares.enter(account, pool)
  try {
    if (!share.isUsable) return { kind: 'busy' }
    const pace = paces.find((pace) => pace.receiver === receiver)
    const lane = pace && (await shares.enterReceiver(account.id, pace))
    try {
      if (pace && lane && !lane.take()) return { kind: 'later', until: lane.nextTurn(), problem: describePace(pace) }
      return await sendOne(email, {
        pool,
        begin,
        gate: lane ? lane.guard(bothGates(lane.gate, share.gate)) : share.gate,
        isHeld: () => share.isHeld() && lane?.isHeld() !== false,
        signal: AbortSignal.any([sending.stopping, AbortSignal.timeout(MAX_WAIT_MS)]),
      })
    } finally {
      lane?.leave()
    }
  } finally {
    shares.leave(share)
  }
}

const describePace = ({ receiver, slowed }: ReceiverPace): string =>
  slowed
    ? `${labelReceiver(receiver)} asked to slow down: ${slowed.response}`
    : `The limit of the sender for ${labelReceiver(receiver)} is used up for now.`

async function sendOne(email: SingleEmail, way: Way): Promise<Handed> {
  for (;;) {
    const connection = await way.pool.acquire(way.signal).catch((error) => toProblem(error, way.signal))
    if ('kind' in connection) return connection
    const wasUsed = connection.carried > 0
    try {
      const handed = await sendOver(email, way, connection)
      // A server may have closed a connection that was open for a while: nobody's failure.
      const isStale = handed.kind === 'replied' && handed.result.kind === 'not_sent' && wasUsed
      if (!isStale || way.signal.aborted) return handed
    } finally {
      way.pool.release(connection)
    }
  }
}

/** Why there is no connection: others have them all, or the mail server cannot be reached. */
function toProblem(error: unknown, signal: AbortSignal): Handed {
  if (signal.aborted) return { kind: 'busy' }
  if (!(error instanceof SmtpConnectError)) throw error
  const { kind, text } = error.problem
  return kind === 'pace' ? { kind: 'busy' } : { kind: 'unreachable', problem: text }
}

async function sendOver(
  { from, to, data, needsSmtpUtf8 }: SingleEmail,
  { gate, isHeld, signal, begin }: Way,
  connection: SmtpConnection,
): Promise<Handed> {
  // A gate rejects when it is taken away, or when nobody may wait any longer.
  const turn = await gate.approach(signal)?.catch(() => null)
  if (turn === null) return { kind: 'busy' }
  // Set inside a callback, which the compiler does not follow.
  let isHalted = false as boolean
  const halting = <T>(wait: Promise<T>) =>
    wait.catch((error) => {
      isHalted = true
      throw error
    })
  const result = await connection.send({
    ...{ from, to, needsSmtpUtf8 },
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    async beforeData() {
      isHalted = !(await halting(begin()))
      if (isHalted) throw new Error('it is not to be sent any more')
      await halting(turn?.pass(signal) ?? Promise.resolve())
    },
    onBeforeFinalDot() {
      isHalted = !isHeld()
      if (isHalted) throw new Error('the share of the sender is not held any more')
      turn?.left()
    },
  })
  turn?.cancel()
  return isHalted ? { kind: 'busy' } : { kind: 'replied', result }
}
