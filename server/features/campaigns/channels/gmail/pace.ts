import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { createGate, type Gate, openGate, TOLERANCE_MS } from '#server/engine/index.ts'
import type { GmailAccount } from '#server/features/gmail/index.ts'
import { takeSlot } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { windowLength } from '../hours/window.ts'

const HOUR = 3_600_000

/** How much longer than its least a person's pause may be: never shorter, so that the limit of a minute holds. */
const JITTER = 0.6

/** How much longer than its least a pause is on average. */
export const MEAN_PAUSE = 1 + JITTER / 2

/**
 * Milliseconds between two messages so that no sliding minute holds more than `perMinute`, below one a minute no sliding 1/perMinute.
 * Whole ones: sums of fractions are rounded, and one message more could be in a minute.
 */
export function minuteStep(perMinute: number): number {
  const whole = Math.floor(perMinute)
  return Math.ceil(whole >= 1 ? (60_000 + TOLERANCE_MS) / whole : 60_000 / perMinute + TOLERANCE_MS)
}

/** Milliseconds between two messages of a Gmail account at least: by its minute, and where a day is spread, by the day. */
export function minimumPause(
  { perMinute, dayLimit }: Pick<GmailAccount, 'perMinute' | 'dayLimit'>,
  spread: boolean,
  window: SendingWindow | null,
): number {
  const byMinute = perMinute === null ? 0 : minuteStep(perMinute)
  if (!spread) return byMinute
  const length = window ? windowLength(window) : 24 * HOUR
  return Math.max(byMinute, Math.floor(length / Math.max(1, dayLimit ?? 1)))
}

/** A gate with pauses of `step` milliseconds and a random part more, over all workers: the slots come from the sender's row. */
export function humanGate(db: Db, workspaceId: string, senderId: string, step: number): Gate {
  if (step === 0) return openGate
  return createGate({
    async reserve(count) {
      // Each draw is one slot, which ends with a pause of its own.
      const pause = step * count * (1 + Math.random() * JITTER)
      const { now, first } = await takeSlot(db, workspaceId, senderId, pause)
      return { now, slots: Array.from({ length: count }, (_, i) => first + (i * pause) / count) }
    },
  })
}
