import type { FastifyInstance } from 'fastify'
import { startSandbox } from '#sandbox/index.ts'
import { createMailer } from '#server/adapters/smtp/mailer.ts'
import { buildApp } from './app.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { startWork } from './jobs.ts'
import type { Config } from './platform/config.ts'
import { openDatabase } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { startUpkeep } from './platform/db/upkeep.ts'
import { Live } from './platform/live.ts'
import { createLog } from './platform/log.ts'
import { openQueue } from './platform/queue.ts'
import type { Services } from './services.ts'

export interface Running {
  services: Services
  app: FastifyInstance
  /** Where it listens, such as http://127.0.0.1:3000. */
  address: string
  /** A new admin's password, made on an empty database when none was given. */
  firstAdmin: { email: string; password: string } | undefined
  stop(): Promise<void>
}

/** Starts the role the configuration asks for. What was started is stopped again in reverse, also when a later part fails. */
export async function start(config: Config, pages: 'built' | 'watch' | 'none'): Promise<Running> {
  const log = createLog(config)
  const stops: (() => Promise<unknown> | unknown)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const database = await openDatabase(config, log)
    stops.push(() => database.close())
    const migrated = await migrate(database.pool)
    if (migrated.length > 0) log.info({ migrated }, 'database migrated')
    if (!config.databaseUrl) stops.push(startUpkeep(database.pool, log))
    const works = config.role !== 'web'
    const queue = await openQueue(database.pool, config, log, works)
    stops.push(() => queue.stop())
    const sandbox = config.production || config.smtpUrl ? undefined : await startSandbox(config, log)
    if (sandbox) stops.push(() => sandbox.stop())
    const smtpUrl = config.smtpUrl ?? sandbox?.smtpUrl
    const mailer = createMailer(smtpUrl, config.mailFrom)
    stops.push(() => mailer.close())
    const services: Services = {
      config,
      log,
      ...database,
      queue,
      mailer,
      live: new Live(),
      smtpUrl,
      sandbox: sandbox !== undefined,
    }
    stops.push(await startWork(services, works))
    const firstAdmin = config.role === 'worker' ? undefined : await makeFirstAdmin(services)
    const app = await buildApp(services, pages, sandbox)
    stops.push(() => app.close())
    const address = await app.listen({ port: config.port, host: config.host })
    return { services, app, address, firstAdmin, stop }
  } catch (error) {
    await stop().catch((second) => log.error({ err: second }, 'stopping after a failed start failed too'))
    throw error
  }
}
