import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'

/** The local stand-ins for outside services, running. */
export interface Sandbox {
  smtpUrl: string
  stop(): Promise<void>
}

export async function startSandbox(_config: Pick<Config, 'dataDir'>, _log: Log): Promise<Sandbox> {
  throw new Error('not built yet')
}
