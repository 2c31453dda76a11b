import { appendOutcome } from '#server/engine/index.ts'

/** What the sending thread shares: its beats, and the message it works on right now with its claim (0: none). */
export type Pulse = BigInt64Array

const [BEATS, CLAIM, MESSAGE] = [0, 1, 2]
const BEAT_MS = 1_000
/** Seconds without a beat after which the thread is ended: while it makes a message, and while it does anything else. */
const SILENT_SECONDS = { message: 30, other: 120 }

/** Memory for a pulse, to be handed to the thread. */
export const newPulse = (): Pulse => new BigInt64Array(new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT))

/** In the thread: a beat for each second in which it came to answer its timers. */
export function beat(pulse: Pulse): void {
  Atomics.add(pulse, BEATS, 1n)
  setInterval(() => Atomics.add(pulse, BEATS, 1n), BEAT_MS).unref()
}

/** In the thread: notes the message that is being made, or that none is (null). */
export function hold(pulse: Pulse, claimId: string, messageId: string | null): void {
  pulse[CLAIM] = BigInt(claimId)
  pulse[MESSAGE] = messageId === null ? 0n : BigInt(messageId)
}

/**
 * Watches a thread and calls `onSilent`, once, when it gives no sign of life. It counts its own ticks and not the time: a
 * machine that slept, or a process that was paused, stopped both, and none is missing. Returns how to stop it.
 */
export function watch(pulse: Pulse, onSilent: () => void, tickMs = BEAT_MS): () => void {
  let seen = -1n
  let missed = 0
  const timer = setInterval(() => {
    const beats = Atomics.load(pulse, BEATS)
    missed = beats === seen ? missed + 1 : 0
    seen = beats
    if (missed < (pulse[MESSAGE] === 0n ? SILENT_SECONDS.other : SILENT_SECONDS.message)) return
    clearInterval(timer)
    onSilent()
  }, tickMs)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Once the thread is gone: notes in the journal of its claim that the message it was making cannot be made, so that the
 * thread that settles the journal does not try it again. Returns that message's id; null when it made none.
 */
export function failHeld(folder: string, pulse: Pulse): string | null {
  const [, claim, message] = pulse
  if (!claim || !message) return null
  appendOutcome(folder, String(claim), String(message), {
    kind: 'failed',
    code: null,
    enhanced: null,
    response: `The template could not be filled in: it took more than ${SILENT_SECONDS.message} seconds.`,
    class: 'content',
    at: new Date().toISOString(),
  })
  return String(message)
}
