/**
 * A rate limit by permits: a limit of 20 a second is 20 permits, and each may be used again a second after its message left.
 *
 * Why no sliding second holds more messages than there are permits, whatever stalls or bursts: two messages of one permit are at
 * least the cooldown apart, so any window as long as the cooldown (half-open) holds at most one message of each. The cooldown is
 * measured on one monotonic clock, that of the process which holds the permit; processes share a limit by sharing its permits.
 * A late message delays only its own permit, so that nothing is lost but the lateness itself.
 */

import type { Gate, Turn } from '../types.ts'
import { type Clock, systemClock } from './clock.ts'

/** Added to each cooldown: a server that counts by arrival sees messages a little nearer to each other than they left. */
const GUARD_MS = 30
/** An envelope is opened this much before its turn, or longer where the server is slow to take it. */
const LEAD_MS = 250
const MAX_LEAD_MS = 5_000
/** Messages that fell behind by a stall leave at twice the pace at most, but for those of so many milliseconds. */
const BURST_MS = 5

/** How many permits a limit has, and how long each rests. Below one a second there is one permit with a longer rest. */
export function permitsFor(perSecond: number): { count: number; cooldownMs: number } {
  if (!(perSecond > 0)) throw new RangeError('perSecond must be above 0')
  const count = Math.max(1, Math.floor(perSecond))
  return { count, cooldownMs: (perSecond < 1 ? 1000 / perSecond : 1000) + GUARD_MS }
}

type Waiter = { resolve: () => void; reject: (reason: unknown) => void }

/** A gate over the permits this process holds. */
export type PermitGate = Gate & {
  /** Permits in existence here, those still cooling down included: others must not use them yet. */
  readonly count: number
  /** How many to hold. More are there at once, spread over a cooldown; fewer are given up as they have cooled down. */
  resize(count: number): void
  /** Permits that may be used within so many milliseconds. */
  readyWithin(ms: number): number
  /** Looks again whether somebody may pass: `isHeld` may say something else now. */
  poke(): void
}

export type PermitOptions = {
  cooldownMs: number
  /** New permits rest for a cooldown first: what left just before was counted by others that they replace. */
  restsFirst?: boolean
  /** Whether the permits are still this process's own; while they are not, nobody passes. */
  isHeld?: () => boolean
  clock?: Clock
}

/** A gate with no permits yet. Who waits when the last one is taken away is rejected. */
export function createPermitGate(options: PermitOptions): PermitGate {
  return new Permits(options)
}

class Permits implements PermitGate {
  readonly open = false
  #cooldown: number
  #firstRest: number
  #isHeld: () => boolean
  #clock: Clock
  /** When each free permit may be used, soonest first. */
  #free: number[] = []
  /** Permits of messages that pass right now. */
  #lent = 0
  #target = 0
  /** Turns that were announced and have not passed. */
  #near = 0
  #approaching: Waiter[] = []
  #passing: Waiter[] = []
  /** How long an envelope took lately. */
  #envelope = 0
  #nextLeave = Number.NEGATIVE_INFINITY
  #wakeAt = Number.POSITIVE_INFINITY
  #timer = new AbortController()

  constructor({ cooldownMs, restsFirst = false, isHeld = () => true, clock = systemClock }: PermitOptions) {
    this.#cooldown = cooldownMs
    this.#firstRest = restsFirst ? cooldownMs : 0
    this.#isHeld = isHeld
    this.#clock = clock
  }

  get count(): number {
    return this.#free.length + this.#lent
  }

  resize(count: number): void {
    this.#target = count
    const now = this.#clock.now()
    this.#trim(now)
    const missing = count - this.count
    if (missing > 0) {
      for (let i = 0; i < missing; i++) this.#free.push(now + this.#firstRest + (i * this.#cooldown) / missing)
      this.#free.sort((a, b) => a - b)
    }
    if (count === 0) {
      const gone = new Error('other workers hold all of the sending limit')
      for (const { reject } of [...this.#approaching.splice(0), ...this.#passing.splice(0)]) reject(gone)
    }
    this.#pump()
  }

  readyWithin(ms: number): number {
    const until = this.#clock.now() + ms
    return this.#free.filter((at) => at <= until).length
  }

  poke(): void {
    this.#pump()
  }

  async approach(signal?: AbortSignal): Promise<Turn> {
    await this.#wait(this.#approaching, signal)
    const begun = this.#clock.now()
    let state: 'near' | 'passing' | 'over' = 'near'
    const end = () => {
      if (state === 'near') this.#near--
      if (state === 'passing') this.#lent--
      state = 'over'
    }
    return {
      pass: async (signal) => {
        this.#envelope = Math.max(this.#envelope * 0.9, this.#clock.now() - begun)
        await this.#wait(this.#passing, signal)
        this.#near--
        state = 'passing'
      },
      left: () => {
        if (state !== 'passing') return
        end()
        this.#giveBack(this.#clock.now() + this.#cooldown)
      },
      cancel: () => {
        if (state === 'over') return
        const hadPermit = state === 'passing'
        end()
        // Nothing left, so the permit is as free as it was.
        if (hadPermit) this.#giveBack(this.#clock.now())
        else this.#pump()
      },
    }
  }

  #giveBack(at: number): void {
    let place = this.#free.length
    while (place > 0 && (this.#free[place - 1] as number) > at) place--
    this.#free.splice(place, 0, at)
    this.#pump()
  }

  #wait(line: Waiter[], signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#target === 0) return Promise.reject(new Error('other workers hold all of the sending limit'))
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = line.indexOf(waiter)
        if (place >= 0) line.splice(place, 1)
        reject(signal?.reason)
        this.#pump()
      }
      const waiter: Waiter = {
        resolve: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
        reject: (reason) => {
          signal?.removeEventListener('abort', leave)
          reject(reason)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      line.push(waiter)
      this.#pump()
    })
  }

  /** Permits beyond the target are given up, once nobody could count a message of theirs any more. */
  #trim(now: number): void {
    while (this.count > this.#target && this.#free.length > 0 && (this.#free[0] as number) <= now) this.#free.shift()
  }

  #pump(): void {
    const now = this.#clock.now()
    this.#trim(now)
    if (!this.#isHeld()) return
    const gap = this.#cooldown / Math.max(1, this.#target) / 2
    while (this.#passing.length > 0 && (this.#free[0] ?? Number.POSITIVE_INFINITY) <= now && this.#nextLeave <= now) {
      this.#free.shift()
      this.#lent++
      this.#nextLeave = Math.max(this.#nextLeave, now - BURST_MS) + gap
      this.#passing.shift()?.resolve()
    }
    const lead = Math.min(MAX_LEAD_MS, Math.max(LEAD_MS, this.#envelope * 1.5))
    while (this.#approaching.length > 0 && (this.#free[this.#near] ?? Number.POSITIVE_INFINITY) - lead <= now) {
      this.#near++
      this.#approaching.shift()?.resolve()
    }
    let next = Number.POSITIVE_INFINITY
    if (this.#passing.length > 0) next = Math.max(this.#free[0] ?? Number.POSITIVE_INFINITY, this.#nextLeave)
    if (this.#approaching.length > 0) next = Math.min(next, (this.#free[this.#near] ?? Number.POSITIVE_INFINITY) - lead)
    this.#wakeUp(next, now)
  }

  #wakeUp(at: number, now: number): void {
    if (at === this.#wakeAt) return
    // Nobody waits, or somebody for an earlier time: the timer before is not to keep the thread alive.
    this.#timer.abort()
    this.#wakeAt = at
    if (at === Number.POSITIVE_INFINITY) return
    const timer = new AbortController()
    this.#timer = timer
    this.#clock.sleep(Math.max(0, at - now), timer.signal).then(
      () => {
        if (timer.signal.aborted) return
        this.#wakeAt = Number.POSITIVE_INFINITY
        this.#pump()
      },
      () => undefined,
    )
  }
}
