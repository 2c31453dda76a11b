import type { SenderProblem } from '#server/engine/index.ts'
import { recoverSender, restSender, type SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { formatUtcMoment } from '#server/platform/time/utc-moment.ts'
import { pauseSending, sentence, setText, waitForPace } from '../../sending/state-text.ts'

/** What needs a person, and what is left to do. */
const HANDS: Partial<Record<SenderProblem['kind'], string>> = {
  auth: 'Nothing is lost. Fix the sender, then resume.',
  sender: 'Nothing is lost. Fix the sender, then resume.',
  silent: 'They are unconfirmed, and the others wait. Look into the mail server, then resume.',
}

/** Asking before the named time pushes it out: a little is added, more after a long wait. Seconds. */
const GRACE = (seconds: number) => Math.min(60, seconds * 0.1) * (0.5 + Math.random() / 2)

/** How long a sender rests: until the time it was told, or twice as long as the last time, up to 15 minutes. */
function restSeconds({ troubles }: SendingAccount, { until }: SenderProblem): number {
  const told = until === undefined ? 0 : (Date.parse(until) - Date.now()) / 1_000
  return told > 0 ? told + GRACE(told) : Math.min(900, 30 * 2 ** Math.min(troubles, 5))
}

/** Why an account rests, and until when. */
export function restingText({ fromEmail, stateText }: SendingAccount, ms: number): string {
  const until = formatUtcMoment(new Date(Date.now() + ms))
  return `Waiting: ${fromEmail} is paused until ${until}. ${sentence(stateText)} It continues automatically. Nothing is lost.`
}

/** The hours a campaign may send in. `opensIn`: milliseconds from a moment until they come. */
export interface SendingHours {
  timeZone: string
  opensIn(moment: number): number
}

/**
 * That a day's limit is used up, and when it goes on: once there is room again (`roomAt`, in milliseconds since 1970) and
 * the hours it may send in have come.
 */
export function usedUpText({ dayLimit }: SendingAccount, roomAt: number | null, hours?: SendingHours): string {
  const used = `Waiting: the limit of ${dayLimit} messages in 24 hours is used up.`
  if (roomAt === null) return `${used} It continues automatically.`
  const timeZone = hours?.timeZone ?? 'UTC'
  // Said in whole minutes, and never before its time.
  const at = Math.ceil((roomAt + (hours?.opensIn(roomAt) ?? 0)) / 60_000) * 60_000
  const format = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const
  const when = new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(at)
  return `${used} It continues automatically on ${when} (${timeZone}).`
}

/**
 * The mail server takes nothing now: nobody's fault among the recipients, so the sender rests and is tried again.
 * `isOneOfMany`: the campaign goes on through its other accounts, and which one needs hands has to be said.
 */
export async function rest(
  sending: { db: Db; log: Pick<Log, 'warn'> },
  campaignId: string,
  account: SendingAccount,
  problem: SenderProblem,
  isOneOfMany: boolean,
): Promise<{ again: number }> {
  if (problem.kind === 'pace') return waitForPace(sending.db, campaignId, problem)
  const seconds = restSeconds(account, problem)
  sending.log.warn({ sender: account.id, campaign: campaignId, kind: problem.kind }, 'a sender takes no mail')
  // A limit that was reached is no failure.
  const isFailing = problem.kind !== 'quota'
  await restSender(sending.db, account.id, { troubles: account.troubles + 1, seconds, text: problem.text, isFailing })
  const end = HANDS[problem.kind]
  if (end)
    await pauseSending(
      sending.db,
      campaignId,
      `Paused: ${isOneOfMany ? `${account.fromEmail}: ` : ''}${sentence(problem.text)} ${end}`,
    )
  else if (!isOneOfMany)
    await setText(
      sending.db,
      campaignId,
      `Waiting for the mail server: ${sentence(problem.text)} It retries automatically. Nothing is lost.`,
    )
  return { again: isOneOfMany ? 0 : seconds * 1000 }
}

/** It took messages again: what was wrong is over. */
export async function recovered(db: Db, campaignId: string, senderId: string): Promise<void> {
  await recoverSender(db, senderId)
  await setText(db, campaignId, '')
}
