import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { domains } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'

const zone: Zone = {}
let t: TestApp
let names: Awaited<ReturnType<typeof startNameServer>>
let ada: Person
let domainId: string
let senderId: string

beforeAll(async () => {
  names = await startNameServer(zone)
  t = await testApp({ environment: { DNS_SERVERS: names.address } })
  ada = await t.person()
  domainId = (await ada.api(domains.create, { body: { domain: 'shop.example' } })).id
  await publish()
  senderId = (await ada.api(senders.list, { query: {} })).items[0]?.id ?? ''
  await ada.api(senders.update, { params: { id: senderId }, body: { fromEmail: 'news@mail.shop.example' } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await names.stop()
})

/** Publishes what the domain lists now, and looks it up. */
async function publish(): Promise<void> {
  const { records } = await ada.api(domains.get, { params: { id: domainId } })
  for (const { name, value } of records) zone[name] = { TXT: [value] }
  await ada.api(domains.check, { params: { id: domainId } })
}

/** What an independent verifier says of an email that arrived, by the records that are published. */
async function verify(to: string) {
  const { raw } = await t.sink.waitFor((mail) => mail.to[0] === to)
  const resolver = async (name: string) => {
    const known = zone[name.toLowerCase()]
    return typeof known === 'object' ? (known.TXT ?? []).map((text) => [text]) : []
  }
  const { results } = await dkimVerify(raw, { resolver })
  return results.map(({ status, algo, signingDomain, selector, signingHeaders }) => ({
    signature: `${algo} ${signingDomain} ${status.result} ${status.aligned}`,
    selector,
    fields: signingHeaders?.keys.toLowerCase() ?? '',
  }))
}

const BOTH = ['ed25519-sha256 shop.example pass shop.example', 'rsa-sha256 shop.example pass shop.example']
const signatures = async (to: string) => (await verify(to)).map(({ signature }) => signature).sort()

test('DKIM: a campaign is signed for the domain of its From address, unsubscribe headers included', async () => {
  const list = await listWith(t.services, ada, 30, (n) => `reader${n}@example.com`)
  const { id } = await draftTo(ada, list, { subject: 'Grüße, {{ name }}' })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  for (const n of [1, 17, 30]) {
    const results = await verify(`reader${n}@example.com`)
    expect(results.map(({ signature }) => signature).sort()).toEqual(BOTH)
    for (const { fields } of results)
      for (const field of ['from:', 'list-unsubscribe:', 'list-unsubscribe-post', 'message-id', 'mime-version'])
        expect(fields.replaceAll(' ', '')).toContain(field)
  }
})

test('DKIM: tests of a campaign, of a template and of a sender are signed', async () => {
  const { id: templateId } = await ada.api(templates.create, { body: { name: 'News', html: '<p>Hello</p>' } })
  await ada.api(templates.test, { params: { id: templateId }, body: {} })
  expect(await signatures(ada.email)).toEqual(BOTH)
  const { id } = await draftTo(ada, await listWith(t.services, ada, 1))
  await ada.api(campaigns.test, { params: { id }, body: { to: 'campaign-test@example.com' } })
  expect(await signatures('campaign-test@example.com')).toEqual(BOTH)
  await ada.api(senders.test, { params: { id: senderId }, body: { to: 'sender-test@example.com' } })
  expect(await signatures('sender-test@example.com')).toEqual(BOTH)
})

test('DKIM: after a rotation the new key signs once it is published, and without keys in DNS nothing does', async () => {
  const [old] = await verify('sender-test@example.com')
  await ada.api(domains.rotate, { params: { id: domainId } })
  await ada.api(senders.test, { params: { id: senderId }, body: { to: 'before@example.com' } })
  expect((await verify('before@example.com'))[0]?.selector).toBe(old?.selector)
  await publish()
  await ada.api(senders.test, { params: { id: senderId }, body: { to: 'after@example.com' } })
  const [fresh] = await verify('after@example.com')
  expect([fresh?.signature, fresh?.selector === old?.selector]).toEqual([BOTH[0], false])
  for (const name of Object.keys(zone)) delete zone[name]
  const gone = await ada.api(domains.check, { params: { id: domainId } })
  expect(gone).toMatchObject({ state: 'failing', signs: false })
})
