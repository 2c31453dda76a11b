import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { findAddressProblem, type SendResult } from '#server/engine/index.ts'
import {
  findDefaultAccount,
  findSigner,
  handOverSingle,
  noteAccepted,
  reserveBudget,
  type SendingAccount,
  signWhole,
} from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { askMembers, mayAsk } from './asking.ts'
import { buildMessage } from './confirmation-email.ts'
import * as store from './confirmations-store.ts'
import { findJoining } from './joining-store.ts'
import { isAnyToAsk, workspacesToAsk } from './members-store.ts'

/** Whether any workspace has members to ask or emails whose time has come. */
export const isAnyToSend = sql<boolean>`(${isAnyToAsk} or (${store.isAnyDue}))`

/** Workspaces served at once, and emails of one at one look. */
const MAX_WORKSPACES = 10
const BATCH_SIZE = 10
/** A look ends after so long; what a slow mail server still holds up goes on beside the next look. */
const MAX_WAIT_MS = 4_000
/** No email is begun so long after the day's limit was reserved: it has to leave well within the five minutes it is counted in. */
const MAX_BATCH_MS = 60_000
/** How long a workspace waits whose sender cannot send now. Seconds. */
const PUT_OFF = { noSender: 30, connection: 60, limit: 300 }
const LATER = {
  suspended: 'The account is suspended.',
  rest: 'The sender rests after problems with its mail server.',
  limit: 'The limit of the sender for 24 hours, or of your plan for this month, is reached.',
}

/** Whether the account of a workspace is not suspended. */
async function isActive(db: Db, workspaceId: string): Promise<boolean> {
  const user = db.selectFrom('users').where('workspaceId', '=', workspaceId).where('suspendedAt', 'is', null)
  return (await user.select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Sends confirmation emails, a few of each workspace in turns, through the default sender of each and within its limits. */
export class ConfirmationSending {
  readonly #services: Services
  /** Workspaces served at this moment. */
  readonly #served = new Set<string>()
  /** Until when workspaces are left alone whose limit is reached, or whose mail server does not respond. Milliseconds. */
  readonly #resting = new Map<string, number>()
  /** Where the next look goes on among workspaces with members to ask. */
  #after = '0'

  constructor(services: Services) {
    this.#services = services
  }

  /** One look. What it begins is awaited for MAX_WAIT_MS at most. */
  async look(signal: AbortSignal): Promise<void> {
    const { db } = this.#services
    const waiting = await workspacesToAsk(db, this.#after, MAX_WORKSPACES)
    this.#after = waiting.length < MAX_WORKSPACES ? '0' : (waiting.at(-1) as string)
    const ids = new Set([...(await store.workspacesWithDue(db, MAX_WORKSPACES)), ...waiting])
    for (const [id, until] of this.#resting) if (until < Date.now()) this.#resting.delete(id)
    const begun = [...ids]
      .filter((id) => !this.#served.has(id) && !this.#resting.has(id))
      .map((id) => this.#serve(id, signal))
    if (begun.length === 0) return
    const late = new AbortController()
    const pause = wait(MAX_WAIT_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined)
    await Promise.race([Promise.all(begun), pause])
    late.abort()
  }

  async #serve(workspaceId: string, signal: AbortSignal): Promise<void> {
    this.#served.add(workspaceId)
    try {
      const rest = await serve(this.#services, workspaceId, signal)
      if (rest > 0) this.#resting.set(workspaceId, Date.now() + rest * 1000)
    } catch (error) {
      this.#services.log.error({ err: error, workspaceId }, 'confirmation emails could not be sent')
    } finally {
      this.#served.delete(workspaceId)
    }
  }
}

/** Returns for how many seconds the workspace is left alone: without that, ever more of its members would become requests that wait. */
async function serve(services: Services, workspaceId: string, signal: AbortSignal): Promise<number> {
  const { db } = services
  const later = async (seconds: number, problem: string, rest = 0) => {
    await store.putOff(db, workspaceId, seconds, problem)
    return rest
  }
  if (!(await isActive(db, workspaceId))) return later(PUT_OFF.limit, LATER.suspended)
  const found = await findDefaultAccount(services, workspaceId)
  if ('problem' in found) return later(PUT_OFF.noSender, found.problem)
  const { account } = found
  if (account.restUntil) return later(PUT_OFF.connection, LATER.rest)
  const limit = Math.max(1, Math.min(BATCH_SIZE, Math.floor(account.perSecond ?? BATCH_SIZE)))
  let rows = await store.dueConfirmations(db, workspaceId, limit)
  if (rows.length < limit) {
    await askMembers(services, workspaceId, limit - rows.length)
    rows = await store.dueConfirmations(db, workspaceId, limit)
  }
  if (rows.length === 0) return 0
  const reserved = await reserveBudget(services, workspaceId, account, rows.length)
  let sent = 0
  try {
    if (reserved.allowed === 0) return await later(PUT_OFF.limit, LATER.limit, PUT_OFF.limit)
    const done = await sendSome(services, account, rows.slice(0, reserved.allowed), signal)
    sent = done.sent
    return done.isStopped ? PUT_OFF.connection : 0
  } finally {
    await reserved.settle(sent, sent)
  }
}

/**
 * Sends emails one after the other, each as the limits of the sender and of its receiver allow beside campaigns. Returns how many were
 * handed over, and whether the mail server stopped it.
 */
async function sendSome(
  services: Services,
  account: SendingAccount,
  rows: store.ConfirmationRow[],
  signal: AbortSignal,
): Promise<{ sent: number; isStopped: boolean }> {
  const { db } = services
  const begunAt = performance.now()
  let sent = 0
  for (const row of rows) {
    if (signal.aborted || performance.now() - begunAt > MAX_BATCH_MS) break
    const message = await prepareMessage(services, account, row)
    if (!message) continue
    let isClaimed = false
    const email = { ...message, workspaceId: row.workspaceId, senderId: account.id }
    const handed = await handOverSingle(services, email, async () => {
      isClaimed = await store.claim(db, row)
      return isClaimed
    })
    if (handed.kind !== 'replied') {
      const { kind } = handed
      if (isClaimed) await store.unclaim(db, row)
      if (kind === 'later') await store.postpone(db, row, handed)
      if (kind === 'unreachable') {
        await store.putOff(db, row.workspaceId, PUT_OFF.connection, handed.problem)
        return { sent, isStopped: true }
      }
      // Campaigns have all of the sender for now: the next look tries again.
      if (kind === 'busy') break
      continue
    }
    const { result } = handed
    if (isTaken(result)) sent++
    const problem = findSenderProblem(result)
    if (problem === undefined) await settle(services, account, row, result)
    else {
      if (isClaimed) await store.unclaim(db, row)
      await store.putOff(db, row.workspaceId, PUT_OFF.connection, problem)
      return { sent, isStopped: true }
    }
  }
  return { sent, isStopped: false }
}

/** Whether it left, or may have. */
const isTaken = ({ kind }: SendResult): boolean => kind === 'sent' || kind === 'unconfirmed'

/** Why nothing leaves through the sender now, where that is no matter of this email. */
const findSenderProblem = (result: SendResult): string | undefined =>
  (result.problem ?? findAddressProblem(result, undefined))?.text

async function settle(
  { db }: Services,
  account: SendingAccount,
  row: store.ConfirmationRow,
  result: SendResult,
): Promise<void> {
  if (result.kind === 'sent') await noteAccepted(db, account)
  if (isTaken(result)) await store.noteSent(db, row, result.kind === 'sent' ? '' : result.response)
  else if (result.kind === 'failed') await store.endMails(db, row.workspaceId, row.id, result.response)
  else await store.noteDeferred(db, row, result.response)
}

/** The email of a request, signed; undefined where nobody is to be asked any more, or it cannot be made now. */
async function prepareMessage(services: Services, account: SendingAccount, row: store.ConfirmationRow) {
  const { db, config } = services
  const joining = await findJoining(db, config, row)
  const isWanted =
    joining.standing === 'open' &&
    !row.isExpired &&
    (row.nextMail === 'first' ||
      (!(await store.hasNewer(db, row)) && (await mayAsk(db, services, row.workspaceId, row.emailKey))))
  // Confirmed, unsubscribed or removed since it was queued.
  if (!isWanted) {
    await store.endMails(db, row.workspaceId, row.id)
    return undefined
  }
  try {
    const { from, to, data, needsSmtpUtf8 } = await buildMessage(services, account, row, joining)
    const signer = await findSigner(services, row.workspaceId, account, from)
    return { from, to, data: await signWhole(signer, Buffer.from(data)), needsSmtpUtf8 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await store.noteDeferred(db, row, error.message)
    return undefined
  }
}
