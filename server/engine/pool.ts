/** Connections of a sender, kept open between slices and closed when idle. */
import { connect } from './smtp.ts'
import type { Habits } from './smtp-connection.ts'
import type { ConnectionPool, ConnectionPools, PoolOptions, SmtpConnection } from './types.ts'

class Pool implements ConnectionPool {
  readonly size: number
  readonly maxMessages: number
  #options: PoolOptions
  #idle: SmtpConnection[] = []
  #open = 0
  #waiting: (() => void)[] = []
  #idleTimer: NodeJS.Timeout | null = null
  #closed = false
  #habits: Habits = { late: 0 }

  constructor(options: PoolOptions) {
    this.#options = options
    this.size = Math.max(1, options.size)
    this.maxMessages = options.maxMessages ?? Number.POSITIVE_INFINITY
  }

  /** An open connection; waits while all are in use. Rejects with SmtpConnectError. */
  async acquire(): Promise<SmtpConnection> {
    for (;;) {
      const idle = this.#idle.pop()
      if (idle?.usable) return idle
      if (idle) void this.#drop(idle)
      else if (this.#open < this.size) return this.#connect()
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  release(connection: SmtpConnection): void {
    const worn = connection.carried >= this.maxMessages
    if (this.#closed || worn || !connection.usable) void this.#drop(connection)
    else {
      this.#idle.push(connection)
      this.#idleTimer ??= setTimeout(() => void this.#closeIdle(), this.#options.idleMs ?? 10_000).unref()
    }
    this.#waiting.shift()?.()
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
      this.#waiting.shift()?.()
      throw error
    }
  }

  #drop(connection: SmtpConnection): Promise<void> {
    this.#open--
    return connection.quit()
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
