/** Connections of a sender, which stay open between slices and are closed when idle. */

import { connect } from './smtp.ts'
import type { Habits } from './smtp-connection.ts'
import { problem } from './smtp-problem.ts'
import type { ConnectionPool, ConnectionPools, PoolOptions, SmtpConnection } from './types.ts'

const NONE_LEFT = () =>
  problem('pace', 'Other workers use all the connections of this sender now, so nothing was sent from here.')

type Waiter = { wake: () => void; reject: (reason: unknown) => void }

class Pool implements ConnectionPool {
  readonly maxMessages: number
  silence = 0
  #size: number
  #options: PoolOptions
  #idle: SmtpConnection[] = []
  #open = 0
  /** Those of the open ones that are being closed. */
  #closing = 0
  #waiting: Waiter[] = []
  #idleTimer: NodeJS.Timeout | null = null
  #closed = false
  #habits: Habits = { late: 0 }

  constructor(options: PoolOptions) {
    this.#options = options
    this.#size = Math.max(1, options.size)
    this.maxMessages = options.maxMessages ?? Number.POSITIVE_INFINITY
  }

  get size(): number {
    return this.#size
  }

  get open(): number {
    return this.#open
  }

  /** An open connection; waits while all are in use. Rejects with SmtpConnectError, or when aborted while it waits. */
  async acquire(signal?: AbortSignal): Promise<SmtpConnection> {
    for (;;) {
      signal?.throwIfAborted()
      if (this.#size === 0) throw NONE_LEFT()
      const idle = this.#idle.pop()
      if (idle?.usable) return idle
      if (idle) void this.#drop(idle)
      else if (this.#open < this.#size) return this.#connect()
      else await this.#wait(signal)
    }
  }

  release(connection: SmtpConnection): void {
    const worn = connection.carried >= this.maxMessages
    if (this.#closed || worn || !connection.usable || this.#surplus > 0) void this.#drop(connection)
    else {
      this.#idle.push(connection)
      this.#idleTimer ??= setTimeout(() => void this.#closeIdle(), this.#options.idleMs ?? 10_000).unref()
      this.#wakeOne()
    }
  }

  get #surplus(): number {
    return this.#open - this.#closing - this.#size
  }

  resize(size: number): void {
    this.#size = size
    while (this.#surplus > 0) {
      const idle = this.#idle.shift()
      if (!idle) break
      void this.#drop(idle)
    }
    if (size === 0) for (const { reject } of this.#waiting.splice(0)) reject(NONE_LEFT())
    for (let more = size - this.#open; more > 0; more--) this.#wakeOne()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#closeIdle()
  }

  async #connect(): Promise<SmtpConnection> {
    this.#open++
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    this.#idleTimer = null
    try {
      const options = this.#options
      return await ('connect' in options ? options.connect(this.#habits) : connect(options.smtp, this.#habits))
    } catch (error) {
      this.#open--
      this.#wakeOne()
      throw error
    }
  }

  /** It counts until the server has said goodbye: a new one in its place would be one too many. */
  async #drop(connection: SmtpConnection): Promise<void> {
    this.#closing++
    await connection.quit()
    this.#closing--
    this.#open--
    this.#wakeOne()
  }

  #wakeOne(): void {
    this.#waiting.shift()?.wake()
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter)
        reject(signal?.reason)
      }
      const end = (settle: () => void) => {
        signal?.removeEventListener('abort', leave)
        settle()
      }
      const waiter: Waiter = { wake: () => end(resolve), reject: (reason) => end(() => reject(reason)) }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiter)
    })
  }

  async #closeIdle(): Promise<void> {
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    this.#idleTimer = null
    await Promise.all(this.#idle.splice(0).map((connection) => this.#drop(connection)))
  }
}

/** Pools by key. A key has to change with the sender's settings, e.g. `senderId:updatedAt`. */
export function createPools(): ConnectionPools {
  const pools = new Map<string, Pool>()
  return {
    get(key, options) {
      const known = pools.get(key)
      if (known) return known
      const pool = new Pool(options)
      pools.set(key, pool)
      return pool
    },
    async close() {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.close()))
    },
  }
}
