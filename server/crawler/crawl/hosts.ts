/** How hard one host may be asked, by all crawls of this process together. */
export interface Pace {
  /** Requests at once. */
  atOnce: number
  /** Requests in any second; Infinity for no limit. */
  perSecond: number
  /** Seconds between two requests that a site is granted when it asks for a delay. */
  longestDelay: number
}

export const POLITE: Pace = { atOnce: 2, perSecond: 5, longestDelay: 60 }

/** A second and a little, because clocks here and there do not tick together. */
const SECOND = 1_020
/** A broken connection may last a moment longer on the other side. */
const AFTERMATH = 150
const MAX_HOSTS = 20_000

interface Host {
  active: number
  /** When the latest requests ended, oldest first. */
  ends: number[]
  lastEnd: number
  /** Nothing is asked before. */
  restUntil: number
  /** Milliseconds between two requests that the site asks for. */
  gap: number
  waiting: (() => void)[]
  timer: NodeJS.Timeout | undefined
}

/** A place at a host: leave it when the request is over, `broken` when its end was not seen. */
export interface Pass {
  leave(broken?: boolean): void
}

/** The host that an address belongs to for its pace: with and without www. and TLS are one. */
export function toPaceHost(address: string): string {
  const { host } = new URL(address)
  return host.replace(/^www\./, '')
}

/**
 * Who may ask which host when. A request counts from its start until a second after its end, because only that is sure to
 * cover the moment it arrives: the site itself never sees more in any second.
 */
export class Hosts {
  readonly #hosts = new Map<string, Host>()
  readonly #pace: Pace

  constructor(pace: Pace = POLITE) {
    this.#pace = pace
  }

  /** A place at a host now, or undefined: then wait with whenFree. */
  tryEnter(name: string): Pass | undefined {
    const host = this.#host(name)
    if (this.#freeAt(host) > performance.now()) return undefined
    host.active++
    let isIn = true
    return {
      leave: (broken = false) => {
        if (!isIn) return
        isIn = false
        const leave = () => this.#leave(host)
        if (broken) setTimeout(leave, AFTERMATH)
        else leave()
      },
    }
  }

  /** Calls once, when a place may be free: first come, first served. Returns how to wait no longer. */
  whenFree(name: string, wake: () => void): () => void {
    const host = this.#host(name)
    host.waiting.push(wake)
    this.#schedule(host)
    return () => {
      const at = host.waiting.indexOf(wake)
      if (at >= 0) host.waiting.splice(at, 1)
    }
  }

  /** Waits for a place. Rejects when the signal is aborted. */
  async enter(name: string, signal: AbortSignal): Promise<Pass> {
    for (;;) {
      signal.throwIfAborted()
      const pass = this.tryEnter(name)
      if (pass) return pass
      await new Promise<void>((resolve, reject) => {
        const refuse = () => {
          cancel()
          reject(signal.reason as Error)
        }
        const cancel = this.whenFree(name, () => {
          signal.removeEventListener('abort', refuse)
          resolve()
        })
        signal.addEventListener('abort', refuse, { once: true })
      })
    }
  }

  /** Honors the delay a site asks for, up to the limit. Returns the seconds that it gets. */
  keepDelay(name: string, seconds: number): number {
    const granted = Math.min(seconds, this.#pace.longestDelay)
    if (this.#pace.perSecond !== Number.POSITIVE_INFINITY && granted * this.#pace.perSecond > 1)
      this.#host(name).gap = granted * 1000
    return granted
  }

  /** Leaves a host alone for some milliseconds. */
  rest(name: string, milliseconds: number): void {
    const host = this.#host(name)
    host.restUntil = Math.max(host.restUntil, performance.now() + milliseconds)
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name)
    if (known) return known
    if (this.#hosts.size >= MAX_HOSTS) this.#forgetIdle()
    const host: Host = { active: 0, ends: [], lastEnd: 0, restUntil: 0, gap: 0, waiting: [], timer: undefined }
    this.#hosts.set(name, host)
    return host
  }

  #forgetIdle(): void {
    const now = performance.now()
    for (const [name, host] of this.#hosts) {
      const isIdle = host.active === 0 && host.waiting.length === 0 && host.restUntil < now
      if (isIdle && host.lastEnd + Math.max(host.gap, SECOND) < now) this.#hosts.delete(name)
    }
  }

  /** The earliest moment for the next request; Infinity while one has to end first. */
  #freeAt(host: Host): number {
    const { atOnce, perSecond } = this.#pace
    if (host.active >= (host.gap > 0 ? 1 : atOnce)) return Number.POSITIVE_INFINITY
    let at = host.restUntil
    if (host.gap > 0 && host.lastEnd > 0) at = Math.max(at, host.lastEnd + host.gap)
    const mustPass = host.active + host.ends.length - perSecond
    if (mustPass >= 0) at = Math.max(at, (host.ends[mustPass] ?? Number.POSITIVE_INFINITY) + SECOND)
    return at
  }

  #leave(host: Host): void {
    host.active--
    const now = performance.now()
    host.lastEnd = now
    if (this.#pace.perSecond !== Number.POSITIVE_INFINITY) {
      host.ends.push(now)
      if (host.ends.length > this.#pace.perSecond) host.ends.shift()
    }
    this.#wake(host)
  }

  #wake(host: Host): void {
    // One by one: who was woken and waits again stands at the end.
    while (host.waiting.length > 0 && this.#freeAt(host) <= performance.now()) host.waiting.shift()?.()
    this.#schedule(host)
  }

  #schedule(host: Host): void {
    if (host.timer || host.waiting.length === 0) return
    const at = this.#freeAt(host)
    if (at === Number.POSITIVE_INFINITY) return
    host.timer = setTimeout(
      () => {
        host.timer = undefined
        this.#wake(host)
      },
      Math.max(1, Math.ceil(at - performance.now())),
    )
  }
}
