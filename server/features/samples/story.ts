/** What became of the sample campaign, recipient by recipient: who got it, who opened it and when. Pure. */
import type { SampleEvent } from '#server/features/tracking/index.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The hour (UTC) at which the campaign started. */
const START_HOUR = 9
/** Milliseconds between two messages. */
const PACE_MS = 400

/** Mail programs by which opens are told apart, as they name themselves. */
const AGENTS = {
  gmail: 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  outlook: 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  thunderbird: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0',
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  /** Apple Mail Privacy Protection. */
  privacy: 'Mozilla/5.0',
  scanner: 'Mozilla/5.0 (compatible; Proofpoint URL Defense)',
} as const
type Agent = keyof typeof AGENTS

/** An open or click, with the minutes after the message and the number of the link. */
type Deed = [kind: SampleEvent['kind'], minutes: number, agent: Agent, link?: number]

/**
 * What each recipient did, by their place among the people; who is not here did nothing. Minutes are over two days, so that
 * the report's curve has a morning, an evening and a second day. Links are in the order of the email.
 */
const DEEDS: Record<number, Deed[]> = {
  0: [
    ['open', 3, 'gmail'],
    ['click', 5, 'chrome', 0],
    ['click', 9, 'chrome', 1],
  ],
  1: [['open', 6, 'outlook']],
  2: [['open', 8, 'thunderbird']],
  4: [
    ['open', 2, 'privacy'],
    ['open', 14, 'iphone'],
    ['click', 16, 'iphone', 0],
    ['click', 21, 'iphone', 3],
  ],
  6: [['open', 2, 'privacy']],
  7: [
    ['open', 26, 'mac'],
    ['click', 31, 'mac', 2],
  ],
  8: [
    ['open', 38, 'gmail'],
    ['open', 705, 'gmail'],
  ],
  9: [
    ['open', 1, 'scanner'],
    ['click', 1, 'scanner', 0],
    ['click', 1, 'scanner', 1],
    ['click', 1, 'scanner', 2],
  ],
  10: [
    ['open', 52, 'gmail'],
    ['click', 55, 'chrome', 1],
  ],
  12: [['open', 3, 'privacy']],
  14: [
    ['open', 96, 'gmail'],
    ['click', 99, 'chrome', 0],
    ['click', 104, 'chrome', 4],
  ],
  16: [
    ['open', 2, 'privacy'],
    ['open', 168, 'iphone'],
  ],
  19: [
    ['open', 1, 'scanner'],
    ['click', 1, 'scanner', 0],
    ['click', 1, 'scanner', 1],
    ['click', 1, 'scanner', 3],
  ],
  20: [['open', 301, 'outlook']],
  22: [
    ['open', 388, 'gmail'],
    ['unsubscribe', 390, 'chrome'],
  ],
  23: [['open', 3, 'privacy']],
  24: [
    ['open', 552, 'iphone'],
    ['click', 557, 'iphone', 2],
    ['click', 561, 'iphone', 0],
  ],
  28: [['open', 741, 'mac']],
  30: [['open', 2, 'privacy']],
  31: [
    ['open', 1_394, 'gmail'],
    ['click', 1_399, 'chrome', 1],
  ],
  35: [
    ['open', 2, 'privacy'],
    ['open', 1_688, 'iphone'],
    ['click', 1_690, 'iphone', 0],
  ],
  37: [['open', 2_051, 'gmail']],
}

/** Whose address was refused when the message was handed over. */
const BOUNCED = [11, 26, 38]
/** Who was suppressed before the campaign, and why. */
const SKIPPED: Record<number, 'complaint' | 'manual'> = { 17: 'complaint', 33: 'manual' }

/** One recipient of the sample campaign and what became of the message. */
export interface Fate {
  state: 'sent' | 'failed' | 'suppressed'
  reason: string
  response: string
  at: Date
  events: SampleEvent[]
  /** Why the address is suppressed since then. */
  suppressed?: { reason: string; at: Date; note: string }
}

/** When the campaign started: on the third day before `now`, so that all of its two days are over. */
export function findStart(now: Date): Date {
  const day = Math.floor(now.getTime() / DAY_MS) - 3
  return new Date(day * DAY_MS + START_HOUR * 60 * MINUTE_MS)
}

/** When the last of so many messages was handed over. */
export const findEnd = (start: Date, messages: number) => new Date(start.getTime() + messages * PACE_MS)

/** What became of the message to the person at a place, and what they did. */
export function tellFate(place: number, email: string, start: Date): Fate {
  const at = findEnd(start, place + 1)
  const skipped = SKIPPED[place]
  if (skipped) {
    const before = new Date(start.getTime() - DAY_MS)
    const suppressed = { reason: skipped, at: before, note: 'Sample' }
    return { state: 'suppressed', reason: skipped, response: '', at: start, events: [], suppressed }
  }
  if (BOUNCED.includes(place)) {
    const response = `550 5.1.1 <${email}>: Recipient address rejected: User unknown`
    const suppressed = { reason: 'hard_bounce', at, note: 'Sample' }
    return { state: 'failed', reason: 'hard', response, at, events: [], suppressed }
  }
  const events = (DEEDS[place] ?? []).map(([kind, minutes, agent, link = null]) => ({
    ...{ kind, link, userAgent: AGENTS[agent] },
    // Seconds of its own, so that no two events are at once.
    at: new Date(at.getTime() + minutes * MINUTE_MS + (link ?? 0) * 1_700 + (kind === 'open' ? 0 : 900)),
  }))
  const left = events.find(({ kind }) => kind === 'unsubscribe')
  const suppressed = left && { reason: 'unsubscribe', at: left.at, note: 'Sample' }
  return { state: 'sent', reason: '', response: '250 2.0.0 OK', at, events, ...(suppressed && { suppressed }) }
}
