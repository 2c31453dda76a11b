/**
 * Pace by slots, for pauses that every worker draws from one sequence: people's pauses and numbers whose pace changes.
 * Permits enforce limits per second (permits.ts). Pure arithmetic and one gate; the shared state lives wherever `reserve` keeps it.
 *
 * Why no sliding second ever holds more than `perSecond` messages, over any number of workers, stalls and restarts:
 * 1. All workers draw slots from one sequence; slot times are at least `step` apart, and no slot is handed out twice.
 * 2. A message leaves at a time t only with a slot s of its own and s <= t <= s + tolerance. A slot that cannot be used in that time
 *    (a stall, a restart) is dropped, never saved up.
 * 3. So the messages in a window [w, w + 1000) have distinct slots in [w - tolerance, w + 1000), which is 1000 + tolerance long (half-open),
 *    and such a window holds at most ceil((1000 + tolerance) / step) slots. With step = (1000 + tolerance) / perSecond that is perSecond.
 * Times are compared on the shared clock. A worker only knows its own; it bounds the difference by the round trip of `reserve`:
 * the shared `now` was read between sending and receiving, so at local time t the shared time is in [now + (t - received), now + (t - sent)].
 * The intersection of these over the last minute is what is known; a message leaves only when all of it is inside [s, s + tolerance].
 */

import type { Gate, Turn } from '../types.ts'
import { type Clock, systemClock } from './clock.ts'

export const TOLERANCE_MS = 50
const BUCKET_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000
const GIVE_UP_MS = 72 * 3_600_000

/** Milliseconds between two slots so that no sliding second (below one a second: no sliding 1/perSecond) is over the limit. */
export function slotStep(perSecond: number, toleranceMs = TOLERANCE_MS): number {
  if (!(perSecond > 0)) throw new RangeError('perSecond must be above 0')
  const whole = Math.floor(perSecond)
  return whole >= 1 ? Math.max((1000 + toleranceMs) / whole, 1000 / perSecond) : 1000 / perSecond + toleranceMs
}

/** Hands out `count` slots from the sequence that stands at `next`; both in ms of the shared clock. */
export function takeSlots(next: number, now: number, count: number, step: number): { slots: number[]; next: number } {
  const first = Math.max(next, now)
  return { slots: Array.from({ length: count }, (_, i) => first + i * step), next: first + count * step }
}

/** Shared-clock slots: `now` and `slots` in milliseconds of that clock, read in the same statement. */
export type Reserve = (count: number) => Promise<{ now: number; slots: number[] }>

export type GateOptions = {
  reserve: Reserve
  toleranceMs?: number
  /** Slots drawn at once: about a quarter of a second's worth; 1 for slow senders. */
  batch?: number
  clock?: Clock
}

/** A message's slot is drawn this much ahead, so that the envelope is through when its time comes. */
const LEAD_MS = 250
/** How long a comparison of the two clocks is believed; quartz drifts a few ms in this time. */
const COMPARISON_MS = 60_000
/** Comparisons too vague to use any slot, after which the database is too slow to keep a pace with. */
const VAGUE_LIMIT = 10

/** What is known of (shared clock - local clock): surely between low and high. */
function compareClocks() {
  let samples: { at: number; low: number; high: number }[] = []
  const bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  return {
    bounds,
    add(sharedNow: number, sent: number, received: number) {
      const sample = { at: received, low: sharedNow - received, high: sharedNow - sent }
      samples = [...samples.filter(({ at }) => received - at < COMPARISON_MS).slice(-20), sample]
      bounds.low = Math.max(...samples.map(({ low }) => low))
      bounds.high = Math.min(...samples.map(({ high }) => high))
      // One of the clocks was set: only the newest comparison counts.
      if (bounds.low > bounds.high) {
        samples = [sample]
        bounds.low = sample.low
        bounds.high = sample.high
      }
    },
  }
}

/** A gate for one worker and one sender. Slots it cannot use in time are lost, which costs speed and never the limit. */
export function createGate({ reserve, toleranceMs = TOLERANCE_MS, batch = 1, clock = systemClock }: GateOptions): Gate {
  const slots: number[] = []
  const clocks = compareClocks()
  let drawing: Promise<void> | null = null
  let vague = 0

  const earliest = (slot: number) => slot - clocks.bounds.low
  const latest = (slot: number) => slot + toleranceMs - clocks.bounds.high

  const draw = async () => {
    const sent = clock.now()
    const result = await reserve(batch)
    clocks.add(result.now, sent, clock.now())
    slots.push(...result.slots)
    vague = clocks.bounds.high - clocks.bounds.low > toleranceMs ? vague + 1 : 0
    if (vague >= VAGUE_LIMIT)
      throw new Error(`the database takes longer than ${toleranceMs} ms to answer, so the pace cannot be kept`)
  }

  const next = async (): Promise<number> => {
    for (;;) {
      const slot = slots.shift()
      if (slot !== undefined && latest(slot) >= Math.max(clock.now(), earliest(slot))) return slot
      if (slot !== undefined) continue
      drawing ??= draw().finally(() => {
        drawing = null
      })
      await drawing
    }
  }

  const waitUntil = async (time: number, signal?: AbortSignal) => {
    while (clock.now() < time) await clock.sleep(time - clock.now(), signal)
  }

  return {
    open: false,
    async approach(signal): Promise<Turn> {
      signal?.throwIfAborted()
      const first = await next()
      let slot: number | undefined = first
      // Another message may still use it.
      const cancel = () => {
        if (slot !== undefined) slots.unshift(slot)
        slot = undefined
      }
      await waitUntil(earliest(first) - LEAD_MS, signal).catch((error) => {
        cancel()
        throw error
      })
      return {
        async pass(signal) {
          for (;;) {
            signal?.throwIfAborted()
            slot ??= await next()
            await waitUntil(earliest(slot), signal)
            signal?.throwIfAborted()
            const now = clock.now()
            if (now >= earliest(slot) && now <= latest(slot)) return
            slot = undefined
          }
        },
        left() {
          slot = undefined
        },
        cancel,
      }
    },
  }
}

/** A gate that is always open. */
export const openGate: Gate = { open: true, approach: () => undefined }

const MINUTE = 60_000
const GAPS = [
  0,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  60 * MINUTE,
  120 * MINUTE,
  240 * MINUTE,
  480 * MINUTE,
  720 * MINUTE,
]

/** Milliseconds until the try after `attempt` (1-based); null once 72 h since the first would be over. First 30 to 120 s, then growing, +-20 %. */
export function retryDelay(attempt: number, sinceFirstMs: number, random: () => number = Math.random): number | null {
  const gap = GAPS[Math.min(attempt - 1, GAPS.length - 1)] as number
  const delay = Math.round(attempt <= 1 ? 30_000 + random() * 90_000 : gap * (0.8 + random() * 0.4))
  return sinceFirstMs + delay > GIVE_UP_MS ? null : delay
}

/** Start of the 5-minute bucket a claim made now counts in. Plain UTC arithmetic: no daylight-saving day has more or less. */
export function dayBucket(now: number): number {
  return Math.floor(now / BUCKET_MS) * BUCKET_MS
}

/**
 * How many more may be claimed now. A bucket counts as long as anything of it lies in the last 24 h plus one bucket; the extra bucket
 * covers messages that leave up to 5 minutes after their claim, so no sliding 24 h is ever over the limit.
 */
export function dayAllowance(perDay: number, buckets: { start: number; used: number }[], now: number): number {
  const since = now - DAY_MS - BUCKET_MS
  const used = buckets.reduce((sum, bucket) => (bucket.start + BUCKET_MS > since ? sum + bucket.used : sum), 0)
  return Math.max(0, perDay - used)
}

/** When a message claimed at a moment counts no more in the rolling day. */
export const dayReleaseAt = (at: number): number => dayBucket(at) + 2 * BUCKET_MS + DAY_MS

/** When one more may be claimed, if nothing is until then: the moment enough of the buckets no longer count. null: never. */
export function dayRoomAt(perDay: number, buckets: { start: number; used: number }[], now: number): number | null {
  if (perDay < 1) return null
  if (dayAllowance(perDay, buckets, now) > 0) return now
  const ends = buckets.map(({ start }) => dayReleaseAt(start)).toSorted((a, b) => a - b)
  return ends.find((end) => end > now && dayAllowance(perDay, buckets, end) > 0) ?? null
}
