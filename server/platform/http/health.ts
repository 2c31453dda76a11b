import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Refusal } from './refusal.ts'

/** /healthz: the process can serve. /readyz: so can its database. */
export function mountHealth(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (request) => {
    try {
      await pool.query('select 1')
      return { status: 'ok' }
    } catch (error) {
      request.log.error({ err: error }, 'the database does not answer')
      throw new Refusal(503, 'not_ready', 'The database does not answer.')
    }
  })
}
