import { pino } from 'pino'
import type { Config } from './config.ts'

/** The process's logger: JSON lines; secrets and tokens never appear. */
export function createLog(config: Pick<Config, 'logLevel'>) {
  return pino({
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'token', '*.password', '*.token'],
  })
}

export type Log = ReturnType<typeof createLog>
