import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { dayReleaseAt } from '#server/engine/index.ts'
import { windowAt } from '../hours/window.ts'

/** What an email campaign has still to send, and what its sender allows. Times in milliseconds since 1970. */
export interface EmailsAhead {
  /** Nothing leaves before. */
  from: number
  emails: number
  perSecond: number | null
  /** The limit of 24 hours at a moment; null: none. And when it grows next; null: not any more. */
  limitAt(at: number): number | null
  risesAt(at: number): number | null
  /** When the messages of the rolling day count no more. */
  releases: { at: number; count: number }[]
  window: SendingWindow | null
}

/** Without a limit nobody knows how fast the mail server takes them; about so many a second. */
const UNPACED = 50
/** Parts of days that are gone through while somebody waits for the answer. */
export const MAX_PARTS = 3_000

/** When an email campaign goes on and ends, part of a day by part of a day; `lastAt`: null: too far ahead to tell. */
export function foresee(
  ahead: EmailsAhead,
  maxParts = MAX_PARTS,
): { nextAt: number; lastAt: number | null } | undefined {
  const { window, limitAt, risesAt, perSecond } = ahead
  let releases = [...ahead.releases]
  let [at, left] = [ahead.from, ahead.emails]
  let nextAt: number | undefined
  for (let part = 0; left > 0 && part < maxParts; part++) {
    at += windowAt(window, at).opensIn
    releases = releases.filter((one) => one.at > at)
    const limit = limitAt(at)
    const used = releases.reduce((sum, { count }) => sum + count, 0)
    const room = limit === null ? left : limit - used
    if (room <= 0) {
      at = Math.min(risesAt(at) ?? Number.POSITIVE_INFINITY, ...releases.map((one) => one.at))
      if (at === Number.POSITIVE_INFINITY) return undefined
      continue
    }
    nextAt ??= at
    const perMs = (perSecond ?? UNPACED) / 1_000
    const untilClosed = windowAt(window, at).closesIn * perMs
    const sent = Math.min(room, left, Math.max(1, Math.floor(untilClosed)))
    releases.push({ at: dayReleaseAt(at), count: sent })
    left -= sent
    at += sent / perMs
  }
  return nextAt === undefined ? undefined : { nextAt, lastAt: left > 0 ? null : at }
}
