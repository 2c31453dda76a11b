import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

const trace = new AsyncLocalStorage<string[]>()
let isWatching = false

/** From now on every connection of this worker notes its statements where one is traced. */
function watch(): void {
  if (isWatching) return
  isWatching = true
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...given: [string | { text: string }]) {
    const [statement] = given
    trace.getStore()?.push(typeof statement === 'string' ? statement : statement.text)
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query
}

/** The texts of the statements that `run` and what it calls send to PostgreSQL, in order, without their values. */
export async function traceStatements(run: () => Promise<unknown>): Promise<string[]> {
  watch()
  const statements: string[] = []
  // Awaited inside: a request without a socket begins when it is awaited.
  await trace.run(statements, async () => await run())
  return statements
}
