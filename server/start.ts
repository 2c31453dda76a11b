import type { FastifyInstance } from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { billing } from '#contracts/billing/billing.ts'
import { startSandbox } from '#sandbox/index.ts'
import { gmailChannel } from '#server/adapters/google/channel.ts'
import { type GoogleSettings, type GoogleSignIn, googleSignIn } from '#server/adapters/google/sign-in.ts'
import { createMailer } from '#server/adapters/smtp/mailer.ts'
import { whatsAppApi } from '#server/adapters/whatsapp/api.ts'
import { listenForBounces } from '#server/features/bounces/index.ts'
import { stripePayments } from './adapters/stripe/client.ts'
import { buildApp } from './app.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { DEFAULT_INTERVALS, type Intervals } from './intervals.ts'
import { startWork } from './jobs.ts'
import { checkRestored } from './platform/backup/index.ts'
import type { Config } from './platform/config.ts'
import { openDatabase } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { openReads } from './platform/db/replica.ts'
import { Live } from './platform/live/live.ts'
import { relayLive } from './platform/live/relay.ts'
import { createLog } from './platform/log.ts'
import { openQueue } from './platform/queue.ts'
import { checkSecretKey } from './platform/secret-check.ts'
import type { Services } from './services.ts'

export interface Running {
  services: Services
  app: FastifyInstance
  /** Where it listens, such as http://127.0.0.1:3000. */
  address: string
  /** Where bounces are listened for; undefined: they are not. */
  bouncePort: number | undefined
  /** A new admin's password, made on an empty database when none was given. */
  firstAdmin: { email: string; password: string } | undefined
  stop(): Promise<void>
}

function createGoogleSignIn(config: Config, sandbox: GoogleSettings | undefined): GoogleSignIn | undefined {
  const settings = config.google ?? sandbox
  return settings && googleSignIn(settings, `${config.publicUrl}${accounts.googleCallback.path}`)
}

/** Starts the role the configuration asks for. What was started is stopped again in reverse, also when a later part fails. */
export async function start(
  config: Config,
  pages: 'built' | 'watch' | 'none',
  open: typeof openDatabase = openDatabase,
  intervals: Intervals = DEFAULT_INTERVALS,
): Promise<Running> {
  const log = createLog(config)
  const stops: (() => Promise<unknown> | unknown)[] = []
  // With the database away some cannot end in order. Whatever comes after them still does.
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) {
      try {
        await end()
      } catch (error) {
        log.error({ err: error }, 'a part of the server did not stop in order')
      }
    }
  }
  try {
    const database = await open(config, log)
    stops.push(() => database.close())
    const migrated = await migrate(database.direct.pool)
    await checkRestored(database.pool)
    if (migrated.length > 0) log.info({ migrated }, 'database migrated')
    await checkSecretKey(database.pool, config)
    const works = config.role !== 'web'
    const reads = await openReads(database, config.role === 'worker' ? undefined : config.databaseReadUrl, log)
    stops.push(() => reads.stop())
    const queue = await openQueue(database, config, log, works, intervals.queuePollMs)
    stops.push(() => queue.stop())
    const sandbox = await startSandbox(config, log)
    stops.push(() => sandbox.stop())
    const smtpUrl = config.smtpUrl ?? sandbox.mail?.smtpUrl
    const mailer = createMailer(smtpUrl, config.mailFrom)
    stops.push(() => mailer.close())
    const whatsappUrl = config.whatsappApiUrl ?? sandbox.whatsapp?.apiUrl
    const whatsapp = whatsappUrl === undefined ? undefined : whatsAppApi(whatsappUrl)
    stops.push(() => whatsapp?.close())
    const stripe = config.stripe ?? sandbox.stripe?.settings
    const services: Services = {
      config,
      intervals,
      log,
      ...database,
      reads,
      queue,
      mailer,
      live: new Live(),
      smtpUrl,
      google: createGoogleSignIn(config, sandbox.google),
      whatsapp,
      gmail: gmailChannel(config, sandbox),
      payments: stripe && stripePayments(stripe),
      nameServers: sandbox.dns
        ? { servers: [sandbox.dns.address], sandbox: true }
        : { servers: config.dnsServers, sandbox: false },
      sandbox: sandbox.mail !== undefined,
    }
    stops.push(await relayLive(database, services.live, log, works))
    stops.push(await startWork(services))
    const app = await buildApp(services, pages, {
      mails: sandbox.mail?.mails,
      replyMailboxes: sandbox.gmailReplies,
      phone: sandbox.whatsapp?.phone,
      dns: sandbox.dns,
    })
    stops.push(() => app.close())
    const bounces = config.role === 'worker' ? undefined : await listenForBounces(services)
    stops.push(() => bounces?.stop())
    const address = await app.listen({ port: config.port, host: config.host })
    if (config.role !== 'worker') await sandbox.whatsapp?.phone.reach(config.publicUrl, address)
    // A worker has no webhook: where it runs the emulator, the web process is told of.
    const base = config.role === 'worker' ? config.publicUrl : address
    await sandbox.stripe?.deliverTo(`${base}${billing.webhook.path}`)
    // Last: the password is told once, so nothing may fail between here and there.
    const firstAdmin = config.role === 'worker' ? undefined : await makeFirstAdmin(services)
    return { services, app, address, bouncePort: bounces?.port, firstAdmin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
