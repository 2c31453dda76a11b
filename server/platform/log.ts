import { type LogFn, pino } from 'pino'
import type { Config } from './config.ts'
import { isOutage } from './db/outage.ts'

const OUTAGE_EVERY_MS = 60_000

/**
 * Whatever works on the database says so again and again while it is away: dozens of lines a second, on a disk that may be
 * full. Lets one of them a minute through, with how many were omitted.
 */
function createOutageFilter(): (given: Parameters<LogFn>, method: LogFn) => void {
  let [nextAt, omitted] = [0, 0]
  return function (this: unknown, given, method) {
    const [fields] = given as unknown as [{ err?: unknown } | undefined]
    if (typeof fields === 'object' && fields !== null && isOutage(fields.err)) {
      if (performance.now() < nextAt) {
        omitted++
        return
      }
      nextAt = performance.now() + OUTAGE_EVERY_MS
      if (omitted > 0) Object.assign(fields, { omitted })
      omitted = 0
    }
    method.apply(this as never, given)
  }
}

/** The process's logger: JSON lines; secrets and tokens never appear. */
export function createLog(config: Pick<Config, 'logLevel'>) {
  return pino({
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'token', '*.password', '*.token'],
    hooks: { logMethod: createOutageFilter() },
  })
}

export type Log = ReturnType<typeof createLog>
