import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '#contracts/accounts.ts'
import { type ApiClient, apiClient } from '#contracts/client.ts'
import { addUser } from '#server/features/accounts/index.ts'
import { loadConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { start } from '#server/start.ts'
import { testDatabase } from './database.ts'
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

/**
 * The whole product in this process, on a database of its own and in a temporary folder, with a mail sink as its mail
 * server. Use one a test file; every person has a workspace of his own. `await using t = await testApp()`. `isEmbedded`:
 * with a PostgreSQL of its own, as `npm start` has.
 */
export async function testApp(
  options: { environment?: NodeJS.ProcessEnv; sink?: MailSink; pages?: 'built' | 'none'; isEmbedded?: boolean } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-test-'))
  const database = options.isEmbedded || options.environment?.DATABASE_URL ? undefined : await testDatabase()
  const sink = options.sink ?? (await startMailSink())
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    SMTP_URL: sink.url,
    PUBLIC_URL: 'http://localhost:3000',
    ...(database && { DATABASE_URL: database.url }),
    ...options.environment,
  })
  const running = await start(config, options.pages ?? 'none', async (config, log) => {
    const opened = await openDatabase(config, log)
    // A copy is this product's alone, as its embedded database would be.
    return database ? { ...opened, alone: true } : opened
  })
  const { services, app } = running

  /** The typed client over the app itself; every route, guard and parser runs as it does over the network. */
  const clientOf = (token?: string): ApiClient =>
    apiClient(async (path, init) => {
      const headers = new Headers(init.headers)
      if (token) headers.set('authorization', `Bearer ${token}`)
      return fetch(`${running.address}${path}`, { ...init, headers })
    })

  async function person(
    given: { role?: 'user' | 'admin'; plan?: string; name?: string; email?: string } = {},
  ): Promise<Person> {
    const email = given.email ?? `person${++counter}@example.com`
    const added = await services.db.transaction().execute((db) =>
      addUser(db, {
        email,
        password: PASSWORD,
        name: given.name ?? 'Robin Example',
        role: given.role ?? 'user',
        plan: given.plan ?? 'business',
        verified: true,
      }),
    )
    if (!added) throw new Error(`${email} exists already`)
    const { token } = await clientOf()(accounts.login, { body: { email, password: PASSWORD } })
    return { api: clientOf(token), token, email, password: PASSWORD, ...added }
  }

  return {
    ...running,
    sink,
    dataDir,
    /** Nobody's client. */
    api: clientOf(),
    clientOf,
    person,
    inject: app.inject.bind(app),
    async [Symbol.asyncDispose]() {
      await running.stop()
      if (!options.sink) await sink.stop()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof testApp>>
