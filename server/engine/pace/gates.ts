/** Gates made of others, and one that counts what is on its way. */
import type { Gate, Turn } from '../types.ts'

/** A gate that is passed when both are. The first one's turn is waited for first, so that who waits long holds nothing of the second. */
export function bothGates(first: Gate, second: Gate): Gate {
  if (first.open) return second
  if (second.open) return first
  return {
    open: false,
    async approach(signal): Promise<Turn> {
      const outer = (await first.approach(signal)) as Turn
      const inner = (await second.approach(signal)?.catch((error) => {
        outer.cancel()
        throw error
      })) as Turn
      return {
        async pass(signal) {
          await outer.pass(signal)
          await inner.pass(signal)
        },
        left() {
          inner.left()
          outer.left()
        },
        cancel() {
          inner.cancel()
          outer.cancel()
        },
      }
    },
  }
}

type Waiter = { resolve: () => void; reject: (reason: unknown) => void }

/** A gate that so many messages may be behind at once: a turn ends when it is canceled, which is said once its reply has come too. */
export type CountingGate = Gate & {
  /** Messages behind it. */
  readonly used: number
  resize(size: number): void
}

/** Makes a gate that nothing passes until it is resized. */
export function createCountingGate(): CountingGate {
  let [size, used] = [0, 0]
  let waiting: Waiter[] = []
  const pump = () => {
    for (; used < size && waiting.length > 0; used++) waiting.shift()?.resolve()
    if (size > 0) return
    for (const { reject } of waiting) reject(new Error('other workers send to this receiver'))
    waiting = []
  }
  return {
    open: false,
    get used() {
      return used
    },
    resize(next) {
      size = next
      pump()
    },
    async approach(signal): Promise<Turn> {
      signal?.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting = waiting.filter((one) => one !== waiter)
          reject(signal?.reason)
        }
        const end = (settle: () => void) => {
          signal?.removeEventListener('abort', leave)
          settle()
        }
        const waiter: Waiter = { resolve: () => end(resolve), reject: (reason) => end(() => reject(reason)) }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(waiter)
        pump()
      })
      let isOver = false
      return {
        pass: async () => undefined,
        left: () => undefined,
        cancel() {
          if (isOver) return
          isOver = true
          used--
          pump()
        },
      }
    },
  }
}
