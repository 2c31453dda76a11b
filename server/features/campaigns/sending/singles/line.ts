/** The way of single emails from the request thread to the sending thread, which alone has shares of senders. */
import type { Worker } from 'node:worker_threads'
import type { Handed, SingleEmail } from '#server/features/senders/index.ts'
import type { Live } from '#server/platform/live/live.ts'

/** What the sending thread is told: an email to hand over, and whether one may leave that it asked about. */
export type ToThread = { single: number; email: SingleEmail } | { single: number; mayLeave: boolean }
/** What it tells: the turn of an email has come, and what became of it. */
export type FromThread = { single: number; asks: true } | { single: number; handed: Handed }

type Thread = Pick<Worker, 'postMessage'>

interface Waiting {
  email: SingleEmail
  begin: () => Promise<boolean>
  resolve: (handed: Handed) => void
  reject: (error: unknown) => void
  /** Whether it may leave, once the thread asked: from then on it may have arrived. */
  begun?: Promise<boolean>
}

/** The thread looks every so often whether it is needed, in milliseconds: who sends one after the other keeps it. */
const KEPT_MS = 30_000
const UNKNOWN = 'Postlark was stopped while the email was sent.'

/** Emails that wait for the sending thread, or are with it. */
export class SingleLine {
  #last = 0
  #usedAt = Number.NEGATIVE_INFINITY
  #worker: Thread | undefined
  #isClosed = false
  readonly #waiting = new Map<number, Waiting>()
  /** Called when there is something to send. */
  onWanted: () => void = () => undefined

  /** Whether the thread is needed. */
  get isNeeded(): boolean {
    return this.#waiting.size > 0 || performance.now() - this.#usedAt < KEPT_MS
  }

  /** See SenderPart.handOver. */
  send(email: SingleEmail, begin: () => Promise<boolean>): Promise<Handed> {
    if (this.#isClosed) return Promise.resolve({ kind: 'busy' })
    const { promise, resolve, reject } = Promise.withResolvers<Handed>()
    const single = ++this.#last
    this.#usedAt = performance.now()
    this.#waiting.set(single, { email, begin, resolve, reject })
    this.#post({ single, email })
    this.onWanted()
    return promise
  }

  /** A thread was started. Returns what to call when it is gone. */
  attach(worker: Thread): () => void {
    this.#worker = worker
    for (const [single, { email }] of this.#waiting) this.#post({ single, email })
    return () => {
      this.#worker = undefined
      this.#settleAll()
    }
  }

  /** What the thread tells. */
  hear(message: FromThread): void {
    const waiting = this.#waiting.get(message.single)
    if (!waiting) return
    if ('handed' in message) {
      this.#waiting.delete(message.single)
      waiting.resolve(message.handed)
      return
    }
    // Asked once more over another connection, it is begun already.
    waiting.begun ??= waiting.begin()
    waiting.begun.then(
      (mayLeave) => this.#post({ single: message.single, mayLeave }),
      (error) => {
        this.#waiting.delete(message.single)
        waiting.reject(error)
        this.#post({ single: message.single, mayLeave: false })
      },
    )
  }

  /** The process stops: nothing is sent any more. */
  close(): void {
    this.#isClosed = true
    this.#settleAll()
  }

  /** Nobody will tell what became of them: those that had begun may have arrived. */
  #settleAll(): void {
    for (const [single, { begun, resolve, reject }] of this.#waiting) {
      this.#waiting.delete(single)
      const unknown = { kind: 'unconfirmed', code: null, enhanced: null, response: UNKNOWN } as const
      Promise.resolve(begun ?? false).then(
        (hasBegun) => resolve(hasBegun ? { kind: 'replied', result: unknown } : { kind: 'busy' }),
        reject,
      )
    }
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message)
  }
}

const lines = new WeakMap<Live, SingleLine>()

/** The line of this process. */
export function findLine({ live }: { live: Live }): SingleLine {
  const line = lines.get(live) ?? new SingleLine()
  lines.set(live, line)
  return line
}
