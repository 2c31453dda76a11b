import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { Refusal } from './refusal.ts'

const PATIENCE_MS = 5_000
const RETRY_AFTER_SECONDS = 5

/**
 * /healthz: the process can serve; it cannot while the database it runs itself is down, and stays well while a server
 * database is away, which restarting it would not bring back. /readyz: its database responds, within five seconds.
 */
export function mountHealth(app: FastifyInstance, { pool, trouble }: Pick<Database, 'pool' | 'trouble'>): void {
  const refuseInTrouble = () => {
    const text = trouble()
    if (text) throw new Refusal(503, 'database_down', text, { retryAfter: RETRY_AFTER_SECONDS })
  }
  app.get('/healthz', () => {
    refuseInTrouble()
    return { status: 'ok' }
  })
  app.get('/readyz', async (request) => {
    refuseInTrouble()
    try {
      const silence = wait(PATIENCE_MS, undefined, { ref: false }).then(() => {
        throw new Error(`no response within ${PATIENCE_MS} ms`)
      })
      await Promise.race([pool.query('select 1'), silence])
      return { status: 'ok' }
    } catch (error) {
      request.log.error({ err: error }, 'the database does not respond')
      throw new Refusal(503, 'not_ready', 'The database does not respond.', { retryAfter: RETRY_AFTER_SECONDS })
    }
  })
}
