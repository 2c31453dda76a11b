/** A pause that can be cut short. */
export interface Alarm {
  /** Resolves after so many milliseconds, or when it rings; at once when it rang since the last pause. */
  pause(ms: number): Promise<void>
  ring(): void
}

/** An alarm for the one loop that pauses on it. */
export function createAlarm(): Alarm {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    async pause(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
        wake = undefined
      }
      hasRung = false
    },
    ring() {
      hasRung = true
      wake?.()
    },
  }
}
