import { sql } from 'kysely'
import type { SendingWindow } from '#contracts/campaign-parts.ts'
import type { SenderProblem } from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { windowAt } from './window.ts'

/** Asking before the named time pushes it out: a little is added, more after a long wait. Seconds. */
const GRACE = (seconds: number) => Math.min(60, seconds * 0.1) * (0.5 + Math.random() / 2)

/** How long a sender rests: until the time it was told, or twice as long as the last time, up to 15 minutes. */
function secondsOf({ troubles }: SendingAccount, { until }: SenderProblem): number {
  const told = until === undefined ? 0 : (Date.parse(until) - Date.now()) / 1_000
  return told > 0 ? told + GRACE(told) : Math.min(900, 30 * 2 ** Math.min(troubles, 5))
}

/** Why a Gmail account rests, and until when. */
export function restingText({ fromEmail, stateText }: SendingAccount, ms: number): string {
  const until = new Date(Date.now() + ms).toISOString().slice(0, 16).replace('T', ' ')
  return `Waiting: ${fromEmail} rests until ${until} UTC. ${sentence(stateText)} It goes on by itself; nothing is lost.`
}

/** That a day's limit is used up, and when it goes on: once there is room again, and the hours it may send in have come. */
export function usedUpText({ dayLimit }: SendingAccount, roomAt: number | null, window: SendingWindow | null): string {
  const used = `Waiting: the limit of ${dayLimit} messages in 24 hours is used up.`
  if (roomAt === null) return `${used} It goes on by itself.`
  const timeZone = window?.timeZone ?? 'UTC'
  // Said in whole minutes, and never before its time.
  const at = Math.ceil((roomAt + windowAt(window, roomAt).opensIn) / 60_000) * 60_000
  const format = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const
  const when = new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(at)
  return `${used} It goes on by itself on ${when} (${timeZone}).`
}

/** Says why a sending campaign waits; empty: it does not. */
export async function setText(db: Db, campaignId: string, text: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ stateText: text })
    .where('id', '=', campaignId)
    .where('state', '=', 'sending')
    .where('stateText', '<>', text)
    .execute()
}

/** A text that others follow on: what mail servers say has often no full stop. */
const sentence = (text: string) => text.trim().replace(/[^.!?]$/, '$&.')

/** Campaigns whose pace could not be read, and say so. */
const withoutPace = new Set<string>()
const PACE_AGAIN_MS = 1_000

/** The pace is the database's to tell: while it is slow or away the campaign waits a moment, and its sender is not to blame. */
export async function waitForPace(db: Db, campaignId: string, { text }: SenderProblem): Promise<{ again: number }> {
  withoutPace.add(campaignId)
  await setText(db, campaignId, `Waiting: ${sentence(text)} Trying again by itself; nothing is lost.`)
  return { again: PACE_AGAIN_MS }
}

/** A slice went through: the pace can be read again, should it not have been. */
export async function paceIsBack(db: Db, campaignId: string): Promise<void> {
  if (withoutPace.delete(campaignId)) await setText(db, campaignId, '')
}

/** The mail server takes nothing now: nobody's fault among the recipients, so the sender rests and is tried again. */
export async function rest(
  sending: { db: Db; log: Pick<Log, 'warn'> },
  campaignId: string,
  account: SendingAccount,
  problem: SenderProblem,
): Promise<{ again: number }> {
  if (problem.kind === 'pace') return waitForPace(sending.db, campaignId, problem)
  const seconds = secondsOf(account, problem)
  sending.log.warn({ sender: account.id, campaign: campaignId, kind: problem.kind }, 'a sender takes no mail')
  await sending.db
    .updateTable('senders')
    .set({
      troubles: account.troubles + 1,
      restUntil: sql<Date>`now() + make_interval(secs => ${seconds})`,
      // A limit that was reached is no failure.
      ...(problem.kind === 'quota' ? {} : { state: 'failing' }),
      stateText: problem.text,
      checkedAt: sql<Date>`now()`,
    })
    .where('id', '=', account.id)
    .execute()
  const needsHands = problem.kind === 'auth' || problem.kind === 'sender'
  if (needsHands) {
    // A campaign may send through many Gmail accounts: which one it is has to be said.
    const whose = account.kind === 'gmail' ? `${account.fromEmail}: ` : ''
    await sending.db
      .updateTable('campaigns')
      .set({
        state: 'paused',
        stateText: `Paused: ${whose}${sentence(problem.text)} Nothing is lost. Fix the sender, then resume.`,
      })
      .where('id', '=', campaignId)
      .where('state', '=', 'sending')
      .execute()
  } else if (account.kind !== 'gmail')
    await setText(
      sending.db,
      campaignId,
      `Waiting for the mail server: ${sentence(problem.text)} Trying again by itself; nothing is lost.`,
    )
  return { again: account.kind === 'gmail' ? 0 : seconds * 1000 }
}

/** It took messages again: what was wrong is over. */
export async function recovered(db: Db, campaignId: string, senderId: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ troubles: 0, restUntil: null, state: 'working', stateText: '' })
    .where('id', '=', senderId)
    .execute()
  await setText(db, campaignId, '')
}
