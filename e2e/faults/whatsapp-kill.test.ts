import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ApiClient } from '#contracts/client.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { startGraph } from '#sandbox/graph/graph-sandbox.ts'
import { createLog } from '#server/platform/log.ts'
import { isLong } from '#server/testing/long.ts'
import { until } from '#server/testing/whatsapp.ts'
import { phones, whatsAppDraft } from '#server/testing/whatsapp-campaign.ts'
import { fillDataFolder } from '../support/prepared-folder.ts'
import { freePort, signIn, startServer } from '../support/server-process.ts'

const [COUNT, KILLS] = isLong ? [40, [6, 18]] : [24, [4, 12]]
// Eight a second: so many requests are under way at once, and so many may be unconfirmed after a kill.
const LANES = 4
/** Meta takes it and its answer is lost: only a webhook tells. */
const LOST = '+447700900200'

async function agreed(api: ApiClient, numbers: string[]): Promise<string> {
  const list = await api(lists.create, { body: { name: 'Everybody' } })
  const people = numbers.map((phone, at) => ({ phone, name: `Person ${at}`, attributes: { order: `A-${at}` } }))
  const contactIds: string[] = []
  for (const person of people)
    contactIds.push((await api(contacts.create, { body: { ...person, lists: [list.id] } })).id)
  const givenAt = new Date().toISOString()
  await api(whatsappConsents.create, {
    body: { contactIds, how: 'form', purpose: 'orders', covers: ['utility'], givenAt },
  })
  return list.id
}

test('whatsapp campaign: after two kills each person has one message at most, and webhooks settle it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-whatsapp-kill-'))
  const port = await freePort()
  // Meta outlives the product's process, as it does.
  const meta = await startGraph({ dataDir }, createLog({ logLevel: 'silent' }))
  const environment = {
    DATA_DIR: join(dataDir, 'server'),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WHATSAPP_API_URL: meta.apiUrl,
  }
  const taken = async () => (await meta.phone.chats('all', 200, 0)).items
  fillDataFolder(environment.DATA_DIR)
  let server = startServer(environment)
  try {
    await server.ready
    let api = await signIn(server.url)
    const { phoneNumberId, businessAccountId, accessToken, appSecret } = await meta.phone.addNumber('1', {
      name: 'Lindenbrot',
      perSecond: 8,
    })
    const account = await api(whatsappNumbers.create, {
      body: { phoneNumberId, businessAccountId, accessToken, appSecret },
    })
    const numbers = [LOST, ...phones(COUNT - 1)]
    const { id } = await whatsAppDraft({ api } as never, account.id, [await agreed(api, numbers)])
    await api(campaigns.send, { params: { id }, body: {} })
    for (const mark of KILLS) {
      await until(async () => (await taken()).length >= mark, `${mark} messages`, 120)
      await server.stop('SIGKILL')
      server = startServer(environment)
      await server.ready
      api = await signIn(server.url)
    }
    const settled = async () => {
      const { state, counts } = await api(campaigns.get, { params: { id } })
      return state === 'sent' && counts.sent === (await taken()).length && counts
    }
    const counts = await until(settled, 'every message Meta took counted as sent', 180)
    expect(counts.sent + counts.unconfirmed).toBe(COUNT)
    expect(counts.unconfirmed).toBeLessThanOrEqual(KILLS.length * LANES)
    expect((await taken()).map(({ messages }) => messages)).toEqual(Array.from({ length: counts.sent }, () => 1))
    const got = new Set((await taken()).map(({ person }) => `+${person}`))
    expect(got.has(LOST)).toBe(true)
    const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'unconfirmed' } })
    expect(items.map(({ address }) => address).sort()).toEqual(numbers.filter((one) => !got.has(one)).sort())
  } finally {
    await server.stop('SIGKILL')
    await meta.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
  }
}, 400_000)
