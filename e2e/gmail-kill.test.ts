import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns.ts'
import { senders } from '#contracts/senders.ts'
import { startIssuer } from '#sandbox/oidc/oidc-sandbox.ts'
import { createLog } from '#server/platform/log.ts'
import { HTML } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { addressOf, untilSent, uploadPeople } from './sending.ts'
import { ADMIN, freePort, signIn, startServer } from './server-process.ts'

const COUNT = 24
const KILLS = [3, 8, 13, 19]
const EMAIL = 'killed@gmail.com'

test('kill -9 while a campaign goes through Gmail: nobody is lost, nobody gets two, at most one a kill is unconfirmed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-gmail-kill-'))
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  // Google outlives the product's process, as it does.
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
  const sent = async () => (await gmailControl({ services }, { email: EMAIL, perMinute: 100_000 })).messages
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const login = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    })
    const { token } = (await login.json()) as { token: string }
    const visitor = gmailVisitor({ address: server.url, services }, { api, token } as never)
    const { connected } = await visitor.connect({ email: EMAIL })
    const id = connected ?? ''
    await api(senders.update, { params: { id }, body: { rampUp: false, limits: { perMinute: 60 } } })
    const listIds = [await uploadPeople(api, COUNT)]
    const draft = await api(campaigns.create, {
      body: { name: 'News', channel: 'gmail', senderIds: [id], subject: 'News', html: HTML, listIds },
    })
    await api(campaigns.send, { params: { id: draft.id }, body: {} })
    for (const mark of KILLS) {
      while ((await sent()).length < mark) await new Promise((resolve) => setTimeout(resolve, 20))
      await server.stop('SIGKILL')
      server = startServer(environment)
      await server.ready
      api = await signIn(server.url)
      const { counts } = await api(campaigns.get, { params: { id: draft.id } })
      expect(counts.queued + counts.sent + counts.deferred + counts.unconfirmed, `after ${mark}`).toBe(COUNT)
    }
    const { state, counts } = await untilSent(api, draft.id, 180)
    expect([state, counts.sent + counts.unconfirmed]).toEqual(['sent', COUNT])
    expect(counts.unconfirmed).toBeLessThanOrEqual(KILLS.length)
    const got = (await sent()).map(({ raw }) => /^To:.*<([^>]+)>/m.exec(raw)?.[1] ?? '')
    expect(new Set(got).size).toBe(got.length)
    const { items } = await api(campaigns.messages, { params: { id: draft.id }, query: { state: 'unconfirmed' } })
    const unknown = new Set(items.map((item) => item.address))
    const missing = Array.from({ length: COUNT }, (_, i) => addressOf(i + 1)).filter((one) => !got.includes(one))
    expect(missing.filter((address) => !unknown.has(address))).toEqual([])
  } finally {
    await server.stop('SIGKILL')
    await google.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 400_000)
