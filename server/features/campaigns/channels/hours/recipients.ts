/** Sending hours by the clock of each recipient. */
import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { isTimeZone } from '#contracts/time-zone.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Claim, type Claimed, endClaim, postpone } from '../../sending/claims.ts'
import { untilOpen } from './hours.ts'

/** Texts that were looked at: a file may have another one in each row. */
const MAX_KNOWN = 2_000
const known = new Map<string, string | undefined>()

/** A time zone in its one spelling, so that as many are told apart as there are; undefined: nobody knows it. */
function findZone(text: string): string | undefined {
  const name = text.trim()
  if (known.has(name)) return known.get(name)
  if (known.size >= MAX_KNOWN) known.clear()
  const isKnown = name.length <= 64 && isTimeZone(name)
  const zone = isKnown ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : undefined
  known.set(name, zone)
  return zone
}

/** The hours of one recipient: in the time zone that their custom field names, else in that of the campaign. */
export function hoursFor(window: SendingWindow, attributes: Record<string, unknown>): SendingWindow {
  const value = window.zoneField ? attributes[window.zoneField] : undefined
  const timeZone = typeof value === 'string' ? findZone(value) : undefined
  return timeZone ? { ...window, timeZone } : window
}

/**
 * Puts the messages of a claim back whose recipients have other hours now, each with the time theirs begin. `left`: the
 * milliseconds in which all others may leave.
 */
export async function postponeClosed(
  db: Db,
  claim: Claim,
  window: SendingWindow,
): Promise<{ claim: Claim; left: number }> {
  const now = Date.now()
  const states = new Map<string, ReturnType<typeof untilOpen>>()
  const open: Claimed[] = []
  const postponed: { id: string; until: Date }[] = []
  let left = Number.POSITIVE_INFINITY
  for (const message of claim.messages) {
    const hours = hoursFor(window, message.attributes)
    const state = states.get(hours.timeZone) ?? untilOpen(hours, now)
    states.set(hours.timeZone, state)
    if ('closedFor' in state) postponed.push({ id: message.id, until: new Date(now + state.closedFor) })
    else {
      open.push(message)
      left = Math.min(left, state.left)
    }
  }
  await postpone(db, claim, postponed)
  if (open.length === 0 && postponed.length > 0) await endClaim(db, claim)
  return { claim: { ...claim, messages: open }, left }
}
