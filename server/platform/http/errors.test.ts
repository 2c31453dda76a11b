import Fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { sharedApp } from '#server/testing/app.ts'
import { BoundedThreads } from '../threads/bounded.ts'
import { handleErrors } from './errors.ts'

/** What a request gets whose work throws this. */
async function statusAfter(work: () => Promise<unknown>) {
  const app = Fastify()
  handleErrors(app as unknown as FastifyInstance)
  app.get('/', work)
  const response = await app.inject('/')
  await app.close()
  return { status: response.statusCode, wait: response.headers['retry-after'], code: response.json().code }
}

const busy = { status: 503, wait: '5', code: 'unavailable' }

test('error: a transaction that the database undid in a deadlock is refused with 503 and a time to wait', async () => {
  const { pool } = (await sharedApp()).services
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  try {
    await Promise.all([one.query('begin'), other.query('begin')])
    await one.query('select pg_advisory_xact_lock(7001)')
    await other.query('select pg_advisory_xact_lock(7002)')
    const waits = [
      one.query('select pg_advisory_xact_lock(7002)'),
      other.query('select pg_advisory_xact_lock(7001)'),
    ].map((wait) => statusAfter(() => wait))
    expect(await Promise.all(waits)).toContainEqual(busy)
    await Promise.all([one.query('rollback'), other.query('rollback')])
  } finally {
    one.release()
    other.release()
  }
})

test('error: a date that the database does not know is refused with 400', async () => {
  const { pool } = (await sharedApp()).services
  for (const date of ['0000-01-01', '2026-99-99', 'soon'])
    expect(await statusAfter(() => pool.query('select $1::timestamptz', [date]))).toMatchObject({
      status: 400,
      code: 'invalid',
    })
})

test('error: work whose thread is stopped is refused with 503 and a time to wait', async () => {
  const file = new URL('../../features/templates/rendering/renderer-thread.ts', import.meta.url)
  const threads = new BoundedThreads(file, { timeMs: 5_000, heap: { maxOldGenerationSizeMb: 128 } })
  const response = statusAfter(() => threads.run({ kind: 'canvas', mjml: '', inlined: false }))
  await new Promise((resolve) => setImmediate(resolve))
  await threads.stop()
  expect(await response).toEqual(busy)
})
