import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { type ApiClient, apiClient } from '#contracts/client.ts'
import { hashPassword } from '#server/features/accounts/sign-in/passwords.ts'
import { startSession } from '#server/features/accounts/sign-in/sessions.ts'
import { makeUser } from '#server/features/accounts/users.ts'
import { DEFAULT_INTERVALS, type Intervals } from '#server/intervals.ts'
import { loadConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { retryUndone } from '#server/platform/db/undone.ts'
import { start } from '#server/start.ts'
import { isSpread, onEndOfRun, testDatabase } from './database.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'

export interface Person {
  api: ApiClient
  token: string
  email: string
  password: string
  id: string
  workspaceId: string
}

let counter = 0
const PASSWORD = 'a long enough phrase'
/** What a person would wait a second for, a test need not. What looks less often leaves the processor to the tests. */
const SHORT_INTERVALS: Intervals = {
  ...DEFAULT_INTERVALS,
  queuePollMs: 500,
  dueCampaignsMs: 500,
  dueMailboxesMs: 500,
  confirmationEmailsMs: 400,
  clickTagsMs: 1_000,
  // A test that looks at it waits less; others find their rows as they left them.
  domainChecksMs: 60_000,
  lostImportsMs: 2_000,
  lostLaunchesMs: 2_000,
  journeysMs: 500,
  journeyTriggersMs: 500,
  journeyTriggersJoinMs: 0,
  lostWebhooksMs: 2_000,
  newWorkMs: 1_000,
  sendingPollMs: 50,
  collectingPollMs: 150,
  campaignStreamMs: 100,
  crawlStreamMs: 100,
  inboxStreamMs: 100,
}
/** Hashed once a worker: at full strength it costs a tenth of a second of computing. */
let passwordHash: Promise<string> | undefined

interface AppOptions {
  environment?: NodeJS.ProcessEnv
  sink?: MailSink
  pages?: 'built' | 'none'
  /** With a PostgreSQL of its own, as `npm start` has. */
  isEmbedded?: boolean
  intervals?: Partial<Intervals>
}

interface PersonOptions {
  role?: 'user' | 'admin'
  plan?: string
  name?: string
  email?: string
  /** Logs in with the password, as people do, where the login itself is the subject. Otherwise the session is made without. */
  logsIn?: boolean
}

/**
 * The whole product in this process, on a database of its own and in a temporary folder, with a mail sink as its mail
 * server: for what needs an environment of its own or changes what everybody shares. Otherwise `sharedApp`.
 * `await using t = await testApp()`.
 */
export async function testApp(options: AppOptions = {}) {
  const dataDir = mkdtempSync(join(process.env.POSTLARK_TEST_FOLDER ?? tmpdir(), 'app-'))
  const database = options.isEmbedded || options.environment?.DATABASE_URL ? undefined : await testDatabase()
  const sink = options.sink ?? (await startMailSink())
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    SMTP_URL: sink.url,
    PUBLIC_URL: 'http://localhost:3000',
    ...(database && { DATABASE_URL: database.url, ...(isSpread && { DATABASE_BACKEND: 'citus' }) }),
    ...options.environment,
  })
  const open = async (...given: Parameters<typeof openDatabase>) => {
    const opened = await openDatabase(...given)
    // A copy is this product's alone, as its embedded database would be.
    return database ? { ...opened, alone: true } : opened
  }
  const running = await start(config, options.pages ?? 'none', open, { ...SHORT_INTERVALS, ...options.intervals })
  const { services, app } = running
  const ignoreEnd = onEndOfRun(() => void services.queue.stopPeriodic())
  /** Where requests seem to come from, once it is set: limits are counted by it. */
  let visitor: string | undefined

  /** The typed client over the app itself; every route, guard and parser runs as it does over the network. */
  const createClient = (token?: string): ApiClient =>
    apiClient(async (path, init) => {
      const headers = new Headers(init.headers)
      if (token) headers.set('authorization', `Bearer ${token}`)
      if (visitor) headers.set('x-forwarded-for', visitor)
      return fetch(`${running.address}${path}`, { ...init, headers })
    })

  async function person(given: PersonOptions = {}): Promise<Person> {
    const email = given.email ?? `person${++counter}@example.com`
    passwordHash ??= hashPassword(PASSWORD)
    const user = {
      email,
      passwordHash: await passwordHash,
      name: given.name ?? 'Robin Example',
      role: given.role ?? 'user',
      plan: given.plan ?? 'business',
      verified: true,
    }
    const added = await retryUndone(() => services.db.transaction().execute((db) => makeUser(db, user)))
    if (!added) throw new Error(`${email} exists already`)
    const { token } = given.logsIn
      ? await createClient()(accounts.login, { body: { email, password: PASSWORD } })
      : { token: await startSession(services.db, config, added.id, 'node') }
    return { api: createClient(token), token, email, password: PASSWORD, ...added }
  }

  /** Runs a request without a socket. */
  const inject = (request: InjectOptions | string) => {
    const options = typeof request === 'string' ? { url: request } : request
    if (!visitor || options.remoteAddress) return app.inject(options)
    return app.inject({ ...options, headers: { 'x-forwarded-for': visitor, ...options.headers } })
  }

  return {
    ...running,
    sink,
    dataDir,
    /** Nobody's client. */
    api: createClient(),
    createClient,
    person,
    inject,
    /** From now on requests come from this address; it has to trust this machine as its proxy. */
    comeFrom(address: string) {
      visitor = address
    },
    async [Symbol.asyncDispose]() {
      ignoreEnd()
      await running.stop()
      if (!options.sink) await sink.stop()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof testApp>>

const shared = new Map<string, Promise<TestApp>>()
let files = 0

/**
 * The product that all test files of this worker share; it ends with the worker. Each person has a workspace of their own,
 * and a file that begins with it finds an empty mail sink and limits nobody has used yet. `mail: 'sandbox'`: another one,
 * without a mail server.
 */
export async function sharedApp({ mail = 'sink' }: { mail?: 'sink' | 'sandbox' } = {}): Promise<TestApp> {
  const environment = {
    TRUST_PROXY: '127.0.0.1',
    COLLECTOR_ALLOW_PRIVATE: '127.0.0.1:9',
    ...(mail === 'sandbox' && { SMTP_URL: '' }),
  }
  const starting = shared.get(mail) ?? testApp({ environment })
  shared.set(mail, starting)
  const app = await starting
  files++
  app.comeFrom(`198.18.${files >> 8}.${files & 255}`)
  app.sink.empty()
  return { ...app, [Symbol.asyncDispose]: async () => undefined }
}
