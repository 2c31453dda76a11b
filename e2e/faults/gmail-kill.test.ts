import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import type { ApiClient } from '#contracts/client.ts'
import { senders } from '#contracts/senders/senders.ts'
import { startIssuer } from '#sandbox/oidc/oidc-sandbox.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { createLog } from '#server/platform/log.ts'
import { HTML } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/until.ts'
import { fillDataFolder } from '../support/prepared-folder.ts'
import { recipientAddress, untilSent, uploadPeople } from '../support/sending.ts'
import { ADMIN, freePort, signIn, startServer } from '../support/server-process.ts'

// One a second: Gmail's accounts have no finer pace.
const [COUNT, KILLS] = isLong ? [24, [3, 8, 13, 19]] : [12, [2, 6, 9]]
const EMAIL = 'killed@gmail.com'
const FOLLOWED = 4

/** A data folder, an emulator for Google that outlives the product's process, as Google does, and how to run the product. */
async function world() {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-gmail-kill-'))
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const google = await startIssuer({ dataDir, publicUrl }, createLog({ logLevel: 'silent' }))
  const { issuer, clientId, clientSecret } = google.settings
  const services = { gmail: { apiUrl: issuer, issuer, client: { clientId, clientSecret }, smtpUrl: '' } } as never
  const environment = {
    DATA_DIR: join(dataDir, 'server'),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GMAIL_API_URL: issuer,
  }
  fillDataFolder(environment.DATA_DIR)
  let server = startServer(environment)
  return {
    dataDir: environment.DATA_DIR,
    /** What Google has. */
    sent: async () => (await gmailControl({ services }, { email: EMAIL, perMinute: 100_000 })).messages,
    /** Waits until the server responds, and connects the account. Returns the API and a draft to `count` people. */
    async begin(count: number): Promise<{ api: ApiClient; id: string }> {
      await server.ready
      const api = await signIn(server.url)
      const login = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ADMIN),
      })
      const { token } = (await login.json()) as { token: string }
      const visitor = gmailVisitor({ address: server.url, services }, { api, token } as never)
      const { connected } = await visitor.connect({ email: EMAIL })
      const senderId = connected ?? ''
      await api(senders.update, { params: { id: senderId }, body: { rampUp: false, limits: { perMinute: 60 } } })
      const listIds = [await uploadPeople(api, count)]
      const { id } = await api(campaigns.create, {
        body: { name: 'News', channel: 'gmail', senderIds: [senderId], subject: 'News', html: HTML, listIds },
      })
      return { api, id }
    },
    /** kill -9, what happens meanwhile, and a new start. */
    async kill(meanwhile: () => Promise<void> = async () => undefined): Promise<ApiClient> {
      await server.stop('SIGKILL')
      await meanwhile()
      server = startServer(environment)
      await server.ready
      return signIn(server.url)
    },
    async [Symbol.asyncDispose]() {
      await server.stop('SIGKILL')
      await google.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

const people = (count: number) => Array.from({ length: count }, (_, i) => recipientAddress(i + 1))

test('gmail campaign: after kills while it sends, each recipient gets one email or is unconfirmed', async () => {
  await using product = await world()
  const { sent } = product
  let { api, id } = await product.begin(COUNT)
  await api(campaigns.send, { params: { id }, body: {} })
  for (const mark of KILLS) {
    await until(async () => (await sent()).length >= mark, `${mark} emails`)
    api = await product.kill()
    const { counts } = await api(campaigns.get, { params: { id } })
    expect(counts.queued + counts.sent + counts.deferred + counts.unconfirmed, `after ${mark}`).toBe(COUNT)
  }
  const { state, counts } = await untilSent(api, id, 180)
  expect([state, counts.sent + counts.unconfirmed]).toEqual(['sent', COUNT])
  expect(counts.unconfirmed).toBeLessThanOrEqual(KILLS.length)
  const got = (await sent()).map(({ raw }) => /^To:.*<([^>]+)>/m.exec(raw)?.[1] ?? '')
  expect(new Set(got).size).toBe(got.length)
  const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed' } })
  const unknown = new Set(items.map((item) => item.address))
  const missing = people(COUNT).filter((one) => !got.includes(one))
  expect(missing.filter((address) => !unknown.has(address))).toEqual([])
}, 400_000)

/** The wait of a follow-up passes while the product is down. */
async function waitPasses(dataDir: string, id: string): Promise<void> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir }, createLog({ logLevel: 'silent' }))
  const due = database.db.updateTable('messages').set({ dueAt: new Date() })
  await due.where('campaignId', '=', id).where('dueAt', 'is not', null).execute()
  await database.close()
}

test('gmail campaign: after kills around a follow-up, each recipient gets it once in the thread', async () => {
  await using product = await world()
  const { sent } = product
  let { api, id } = await product.begin(FOLLOWED)
  const step = async () => (await api(followUps.list, { params: { id } })).items[0]
  await api(followUps.save, { params: { id }, body: { items: [{ afterMinutes: 60, html: '<p>Still there?</p>' }] } })
  await api(campaigns.send, { params: { id }, body: {} })
  await until(async () => (await step())?.counts.queued === FOLLOWED, 'queued follow-ups')
  const stepId = (await step())?.id ?? ''
  api = await product.kill(() => waitPasses(product.dataDir, stepId))
  await until(async () => (await sent()).length >= FOLLOWED + 2, 'two follow-ups')
  api = await product.kill()
  expect((await untilSent(api, id, 180)).state).toBe('sent')
  const { counts } = (await step()) ?? {}
  expect((counts?.sent ?? 0) + (counts?.unconfirmed ?? 0)).toBe(FOLLOWED)
  expect(counts?.unconfirmed).toBeLessThanOrEqual(1)
  const { items } = await api(campaigns.messages, { params: { id: stepId }, query: { state: 'unconfirmed' } })
  const unknown = new Set(items.map((item) => item.address))
  const mails = await Promise.all(
    (await sent()).map(async ({ raw, threadId }) => ({
      threadId,
      ...(await PostalMime.parse(Buffer.from(raw, 'latin1'))),
    })),
  )
  for (const address of people(FOLLOWED)) {
    const [first, second, ...more] = mails.filter(({ to }) => to?.[0]?.address === address)
    expect([first?.subject, more], address).toEqual(['News', []])
    if (!second) expect(unknown.has(address), address).toBe(true)
    else
      expect([second.subject, second.threadId, second.inReplyTo], address).toEqual([
        'Re: News',
        first?.threadId,
        first?.messageId,
      ])
  }
}, 400_000)
