import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, clientOptions } from './database.ts'

const MAX_PAUSE_MS = 30_000

/** What is waited for: the payloads of one channel. */
interface Listener {
  onNotification(payload: string): void
  /** Listening began, or began again: what was sent before was not heard. */
  onListening(): void
  onError(error: Error): void
}

/**
 * Listens to a channel of PostgreSQL (NOTIFY) on a connection of its own. A connection that breaks is opened again, with pauses
 * that grow to 30 seconds. Throws when the first one cannot be opened. Returns how to end it.
 */
export async function listen(
  connection: Connection,
  channel: string,
  listener: Listener,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController()
  let client: pg.Client
  const open = async (): Promise<void> => {
    const opened = new pg.Client({ ...clientOptions(connection), keepAlive: true })
    client = opened
    let isBroken = false
    opened.on('error', (error) => {
      if (isBroken || closing.signal.aborted) return
      isBroken = true
      listener.onError(error)
      void opened.end().catch(() => undefined)
      void reopen()
    })
    opened.on('notification', ({ payload }) => listener.onNotification(payload ?? ''))
    try {
      await opened.connect()
      await opened.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      isBroken = true
      await opened.end().catch(() => undefined)
      throw error
    }
    listener.onListening()
  }
  const reopen = async () => {
    for (let pauseMs = 500; !closing.signal.aborted; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      await wait(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      try {
        return await open()
      } catch (error) {
        listener.onError(error as Error)
      }
    }
  }
  await open()
  return {
    async close() {
      closing.abort()
      await client.end().catch(() => undefined)
    },
  }
}
