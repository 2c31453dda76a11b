import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

const MAX_PAUSE_MS = 30_000

/** What is waited for: the payloads of one channel. */
export interface Listener {
  onNotification(payload: string): void
  /** Listening began, or began again: what was sent before was not heard. */
  onListening?(): void
  onError(error: Error): void
}

/**
 * Listens to channels of PostgreSQL (NOTIFY) on one connection, which is opened with the first. One that breaks is opened again,
 * with pauses that grow to 30 seconds.
 */
export class Listening {
  readonly #options: pg.ClientConfig
  readonly #listeners = new Map<string, Listener>()
  readonly #closing = new AbortController()
  /** The connection that is listened on, or that is being opened for it. */
  #client: Promise<pg.Client> | undefined
  #opened: pg.Client | undefined

  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  /** Each channel has one listener. Throws when the connection cannot be opened. Returns how to hear nothing more of it. */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    if (this.#listeners.has(channel)) throw new Error(`Somebody listens to ${channel} already.`)
    this.#client ??= this.#open()
    try {
      const client = await this.#client
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      // The next who listens tries again.
      if (this.#listeners.size === 0) this.#client = undefined
      throw error
    }
    this.#listeners.set(channel, listener)
    listener.onListening?.()
    return () => void this.#listeners.delete(channel)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#opened?.end().catch(() => undefined)
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#options, keepAlive: true })
    this.#opened = client
    let isBroken = false
    client.on('error', (error) => {
      if (isBroken || this.#closing.signal.aborted) return
      isBroken = true
      this.#tell(error)
      void client.end().catch(() => undefined)
      this.#client = this.#reopen()
      // It ends with an error only where nobody listens any more.
      this.#client.catch(() => undefined)
    })
    client.on('notification', ({ channel, payload }) => this.#listeners.get(channel)?.onNotification(payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.#listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      isBroken = true
      await client.end().catch(() => undefined)
      throw error
    }
    for (const listener of this.#listeners.values()) listener.onListening?.()
    return client
  }

  async #reopen(): Promise<pg.Client> {
    const { signal } = this.#closing
    for (let pauseMs = 500; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      await wait(pauseMs, undefined, { ref: false, signal })
      try {
        return await this.#open()
      } catch (error) {
        this.#tell(error as Error)
      }
    }
  }

  #tell(error: Error): void {
    for (const listener of this.#listeners.values()) listener.onError(error)
  }
}
