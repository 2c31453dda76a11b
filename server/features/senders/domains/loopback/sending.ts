import { z } from 'zod'
import { Id } from '#contracts/values.ts'
import { findAddressProblem, type SendResult } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { job, NotYet } from '#server/platform/queue.ts'
import type { Services } from '#server/services.ts'
import { sendingAccount } from '../../connection.ts'
import { UnusableSender } from '../../credentials.ts'
import type { SendingAccount } from '../../sender-kind.ts'
import { handOverSingle, reserveBudget } from '../../sender-parts.ts'
import { noteAccepted } from '../../sending-store.ts'
import { takeArrival } from './arrival.ts'
import { buildEmail, isInSandbox } from './email.ts'
import * as store from './store.ts'

const sendJob = job('senders.send-loopback', z.object({ id: Id }), {
  retries: 3,
  expireSeconds: 180,
  grouped: true,
})
/** One waits up to a minute for a sender that campaigns use. One of each workspace: a mail server that never responds holds up its own. */
const JOBS_AT_ONCE = 5

const PROBLEMS = {
  sender: 'The sender was removed or cannot be used.',
  limit: 'The limit of the sender for 24 hours, or of your plan for this month, is reached.',
  busy: 'Campaigns use all connections of this sender. Try again in a few minutes.',
}

/** Queues the email of a check of a workspace, in the transaction `db` that stores it. */
export const queueEmail = (
  { queue }: Pick<Services, 'queue'>,
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> => queue.enqueue(sendJob, { id }, { db, group: workspaceId })

/** Sends the emails of checks. */
export async function handleLoopback(services: Services): Promise<void> {
  const send = ({ id }: { id: string }, _: AbortSignal, isLastTry: boolean) => sendEmail(services, id, isLastTry)
  await services.queue.handle(sendJob, send, JOBS_AT_ONCE)
}

async function sendEmail(services: Services, id: string, isLastTry: boolean): Promise<void> {
  const { db } = services
  const check = await store.checkById(db, id)
  // What a process that died began may have arrived: it is not sent twice.
  if (!check?.isOpen || check.sentAt !== null) return
  try {
    const problem = await sendThrough(services, check)
    if (problem !== undefined) await store.noteFailure(db, check, problem)
  } catch (error) {
    // Tried again: campaigns use the sender for now, or the process stops.
    if (error instanceof NotYet && isLastTry) await store.noteFailure(db, check, PROBLEMS.busy)
    else if (error instanceof UnusableSender) await store.noteFailure(db, check, error.message)
    else throw error
  }
}

/** Sends the email within the limits that campaigns of the sender use. Returns why it did not leave. Throws NotYet. */
async function sendThrough(services: Services, check: store.LoopbackRow): Promise<string | undefined> {
  const { db } = services
  const { workspaceId, senderId } = check
  const account = await sendingAccount(services, db, workspaceId, senderId)
  if (!account) return PROBLEMS.sender
  const { returnsTo, ...email } = await buildEmail(services, account, check)
  const reserved = await reserveBudget(services, workspaceId, account, 1)
  let sent = 0
  try {
    if (reserved.allowed === 0) return PROBLEMS.limit
    let mayLeave: boolean | undefined
    const handed = await handOverSingle(services, { ...email, workspaceId, senderId }, async () => {
      mayLeave = await store.noteLeaving(db, check)
      return mayLeave
    })
    // Another run of this job sent it, or its time is over.
    if (mayLeave === false) return undefined
    if (handed.kind === 'busy') {
      if (mayLeave) return PROBLEMS.busy
      throw new NotYet('the sender is in use')
    }
    if (handed.kind !== 'replied') return handed.problem
    const { result } = handed
    if (result.kind !== 'sent' && result.kind !== 'unconfirmed') return describeRefusal(result, returnsTo)
    sent = 1
    await noteTaken(services, check, account, result)
    if (isInSandbox(services, account)) await deliverHere(services, check, email)
    return undefined
  } finally {
    await reserved.settle(sent, sent)
  }
}

async function noteTaken(
  { db }: Services,
  check: store.LoopbackRow,
  account: SendingAccount,
  { kind, response }: SendResult,
): Promise<void> {
  await store.noteResponse(db, check, response)
  if (kind === 'sent') await noteAccepted(db, account)
}

function describeRefusal(result: SendResult, returnsTo: string | undefined): string {
  const problem = result.problem ?? findAddressProblem(result, returnsTo)
  return problem?.text ?? `The mail server did not accept the email: ${result.response}`
}

/** The emulator stands for every receiver: what it took has arrived. */
async function deliverHere(
  services: Services,
  { id }: store.LoopbackRow,
  { from, data }: { from: string; data: Uint8Array },
): Promise<void> {
  const awaited = await store.checkById(services.db, id)
  if (!awaited) return
  // Only here: it is of no use where email really leaves.
  const { authenticate } = await import('#server/engine/dmarc/authentication.ts')
  const delivery = { ip: '127.0.0.1', helo: 'localhost', mailFrom: from }
  await takeArrival(services, awaited, { raw: data, delivery, tls: null }, authenticate)
}
