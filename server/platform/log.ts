import { type DestinationStream, type LogFn, pino } from 'pino'
import type { Config } from './config.ts'
import { isDiskFull, isOutage } from './db/outage.ts'

const OUTAGE_EVERY_MS = 60_000

/** Lines that say the same again and again, by what they say: one a minute passes, with how many were omitted. */
class Repetitions {
  readonly #all = new Map<string, { nextAt: number; omitted: number }>()

  /** How many were omitted before this one; undefined: it is omitted too. */
  take(what: string): number | undefined {
    const now = performance.now()
    const { nextAt, omitted } = this.#all.get(what) ?? { nextAt: 0, omitted: 0 }
    const passes = now >= nextAt
    this.#all.set(what, passes ? { nextAt: now + OUTAGE_EVERY_MS, omitted: 0 } : { nextAt, omitted: omitted + 1 })
    return passes ? omitted : undefined
  }
}

/**
 * Whatever works on the database says so again and again while it is away or its disk is full: dozens of lines a second, on
 * that disk. Lets one a minute through: of all while it is away, and of each text while the disk is full.
 */
function createOutageFilter(): (given: Parameters<LogFn>, method: LogFn) => void {
  const repetitions = new Repetitions()
  return function (this: unknown, given, method) {
    const [fields, text] = given as unknown as [{ err?: unknown } | undefined, string | undefined]
    if (typeof fields === 'object' && fields !== null) {
      const what = isOutage(fields.err) ? 'outage' : isDiskFull(fields.err) ? `disk full: ${text}` : undefined
      const omitted = what === undefined ? 0 : repetitions.take(what)
      if (omitted === undefined) return
      if (omitted > 0) Object.assign(fields, { omitted })
    }
    method.apply(this as never, given)
  }
}

/** The process's logger: JSON lines; secrets and tokens never appear. `to`: standard output without it. */
export function createLog(config: Pick<Config, 'logLevel'>, to: DestinationStream = pino.destination(1)) {
  const options = {
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'token', '*.password', '*.token'],
    hooks: { logMethod: createOutageFilter() },
  }
  return pino(options, to)
}

export type Log = ReturnType<typeof createLog>
