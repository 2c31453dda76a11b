import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Event, State } from './state.ts'

/** The API version whose shapes the emulator speaks. */
export const API_VERSION = '2026-10-28.endive'
/** Pauses between tries of one delivery, in ms: the real service takes three days for it. */
const RETRIES = [200, 1_000, 3_000, 10_000]

/** `t=<seconds>,v1=<hex>`, as Stripe signs what it delivers. */
export function signature(secret: string, body: string, seconds = Math.floor(Date.now() / 1000)): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** Makes events and delivers them, signed, to the endpoint; tests hold them back and let them go in another order. */
export class Events {
  readonly #state: State
  readonly #secret: string
  readonly #stop = new AbortController()
  readonly #pending = new Set<Promise<void>>()
  #held: Event[] | undefined
  endpoint: string | undefined
  /** How often each is delivered. */
  times = 1

  constructor(state: State, secret: string) {
    this.#state = state
    this.#secret = secret
  }

  emit(type: string, object: object): void {
    const event: Event = {
      ...this.#state.resource('event', 'evt'),
      type,
      api_version: API_VERSION,
      data: { object: structuredClone(object) },
    }
    this.#state.stored.events[event.id] = event
    if (this.#held) this.#held.push(event)
    else this.#deliver(event)
  }

  hold(): void {
    this.#held ??= []
  }

  /** Delivers what was held back, `backwards` the last one first, or throws it away. */
  release(how: 'forwards' | 'backwards' | 'lost'): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (how === 'lost') return
    for (const event of how === 'backwards' ? held.reverse() : held) this.#deliver(event)
  }

  #deliver(event: Event): void {
    const body = JSON.stringify(event)
    for (let i = 0; i < this.times; i++) {
      const work = this.#send(body)
      this.#pending.add(work)
      void work.finally(() => this.#pending.delete(work))
    }
  }

  async #send(body: string): Promise<void> {
    for (const pause of [0, ...RETRIES]) {
      try {
        if (pause > 0) await wait(pause, undefined, { signal: this.#stop.signal })
        if (!this.endpoint) continue
        const response = await fetch(this.endpoint, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'stripe-signature': signature(this.#secret, body) },
          signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(10_000)]),
        })
        await response.arrayBuffer()
        if (response.ok) return
      } catch {
        if (this.#stop.signal.aborted) return
      }
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.allSettled(this.#pending)
  }
}
