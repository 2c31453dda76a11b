import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { domains } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState, whilePaused } from '#server/testing/campaign.ts'
import { type MailSink, startMailSink } from '#server/testing/mail-sink.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'
import { until } from '#server/testing/until.ts'

const zone: Zone = {
  'workspace.example': {
    MX: [
      { exchange: 'backup.workspace.example', preference: 20 },
      { exchange: 'smtp.google.com', preference: 1 },
    ],
  },
  'office.example': { MX: [{ exchange: 'office-example.mail.protection.outlook.com', preference: 0 }] },
  'own.example': { MX: [{ exchange: 'mx.own.example', preference: 0 }] },
  'broken.example': 'refuse',
}
let sink: MailSink
let names: Awaited<ReturnType<typeof startNameServer>>
let t: TestApp
let isBlocking = true
let isProven = false
let isHurried = false
let ada: Person
let count = 0

beforeAll(async () => {
  sink = await startMailSink((stage, address) => {
    if (stage === 'rcpt' && isBlocking && address.endsWith('@blocked.example'))
      return `550 5.7.1 <${address}> Your IP is blocked by Spamhaus`
    if (stage === 'rcpt' && isHurried && address.endsWith('@icloud.com'))
      return `421 4.7.28 <${address}> Our system has detected an unusual rate of mail from you`
    if (stage === 'data' && !isProven && /@(gmail\.com|hosted\.example)$/.test(address))
      return '550-5.7.26 Unauthenticated email from sender.example is not accepted due to domain DMARC policy.'
    return stage === 'data' && address.endsWith('@picky.example') ? '554 5.6.0 Malformed message' : undefined
  })
  names = await startNameServer(zone)
  t = await testApp({ sink, environment: { DNS_SERVERS: names.address } })
  ada = await t.person()
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await sink.stop()
  await names.stop()
})

/** Sends to `size` people, every second of them at `domain`, so slowly that there are several slices. */
async function sendSlowly(size: number, domain: string) {
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const senderId = sender?.id ?? ''
  await ada.api(senders.update, { params: { id: senderId }, body: { limits: { perSecond: 30, connections: 2 } } })
  const tag = ++count
  const list = await listWith(t.services, ada, size, (n) => `p${tag}-${n}@${n % 2 === 0 ? domain : 'open.example'}`)
  const { id } = await draftTo(ada, list)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  return { id, senderId }
}

test('receiver: one that refuses the sender is left alone for a while, the others are sent to, and a person may try again', async () => {
  const { id, senderId } = await sendSlowly(90, 'blocked.example')
  const show = () => ada.api(campaigns.get, { params: { id } })
  const waiting = await until(async () => {
    const shown = await show()
    return shown.counts.sent === 45 && shown.stateText !== '' && shown
  }, 'the other receiver')
  expect(waiting).toMatchObject({ state: 'sending' })
  expect(waiting.stateText).toMatch(/blocked\.example refuses emails from .* blocked by Spamhaus/)
  expect(waiting.stateText).not.toMatch(/p\d+-\d+@/)
  expect(waiting.counts.queued).toBeGreaterThan(0)
  expect(waiting.counts.failed).toBeLessThan(45)
  const { pausedReceivers } = await ada.api(senders.get, { params: { id: senderId } })
  expect(pausedReceivers).toEqual([expect.objectContaining({ receiver: 'blocked.example' })])
  const { receivers } = await ada.api(campaigns.stats, { params: { id } })
  expect(receivers.map(({ receiver, accepted, blocked }) => [receiver, accepted, blocked])).toEqual([
    ['open.example', 45, 0],
    ['blocked.example', 0, waiting.counts.failed],
  ])
  await whilePaused(ada, id, async () => {
    isBlocking = false
  })
  const { counts, stateText } = await untilState(ada, id, ['sent'])
  expect([counts.sent + counts.failed, counts.failed, stateText]).toEqual([90, waiting.counts.failed, ''])
})

test('receiver: one that misses authentication is left alone at the first refusal, which says what to fix, until its domain is checked', async () => {
  const me = await t.person()
  const [sender] = (await me.api(senders.list, { query: {} })).items
  const domain = await me.api(domains.create, { body: { domain: 'shop.example' } })
  for (const { name, value, type } of domain.records) if (type === 'TXT') zone[name] = { TXT: [value] }
  const check = () => me.api(domains.check, { params: { id: domain.id } })
  await check()
  await me.api(senders.update, { params: { id: sender?.id ?? '' }, body: { fromEmail: 'news@mail.shop.example' } })
  const send = async (addresses: string[]) => {
    const list = await listWith(t.services, me, addresses.length, (n) => addresses[n - 1] ?? '')
    const { id } = await draftTo(me, list)
    await me.api(campaigns.send, { params: { id }, body: {} })
    return id
  }
  // A domain that Google hosts by its MX records does not speak for Google alone.
  await sql`insert into receiver_domains (domain, operator, expires_at) values ('hosted.example', 'google', now() + interval '7 days')`.execute(
    t.services.db,
  )
  await untilState(me, await send(['any@hosted.example']), ['sent'])
  expect((await me.api(senders.get, { params: { id: sender?.id ?? '' } })).pausedReceivers).toEqual([])
  await untilState(me, await send(['first@gmail.com']), ['sent'])
  const { pausedReceivers } = await me.api(senders.get, { params: { id: sender?.id ?? '' } })
  expect(pausedReceivers).toEqual([
    expect.objectContaining({ receiver: 'google', fix: expect.stringContaining('Email Sender → Domains') }),
  ])
  expect(Date.parse(pausedReceivers[0]?.until ?? '') - Date.now()).toBeGreaterThan(12 * 3_600_000)
  const id = await send(['second@gmail.com', 'ada@open.example'])
  const waiting = await until(async () => {
    const shown = await me.api(campaigns.get, { params: { id } })
    return shown.counts.sent === 1 && shown.stateText !== '' && shown
  }, 'the other receiver')
  expect(waiting).toMatchObject({ state: 'sending', counts: { queued: 1, failed: 0 } })
  expect(waiting.stateText).toMatch(
    /5\.7\.26 .* Neither SPF nor DKIM passes for the From domain\. Publish .* check the domain or pause and resume\.$/,
  )
  isProven = true
  await check()
  expect((await untilState(me, id, ['sent'])).counts).toMatchObject({ sent: 2, failed: 0 })
})

test('content: a campaign whose content mail servers refuse is paused and says what they said', async () => {
  const { id } = await sendSlowly(120, 'picky.example')
  const paused = await untilState(ada, id, ['paused'])
  expect(paused.stateText).toMatch(/refuse the content of this email: 554 5\.6\.0 Malformed message/)
  expect(paused.counts.failed).toBeGreaterThanOrEqual(3)
  expect(paused.counts.queued).toBeGreaterThan(0)
})

test('receiver: who hosts the mail of a domain receives it, and a domain that DNS says nothing of is its own receiver', async () => {
  const domains = ['gmail.com', 'workspace.example', 'office.example', 'own.example', 'broken.example', 'gone.example']
  const list = await listWith(t.services, ada, domains.length, (n) => `ada@${domains[n - 1]}`)
  const { id } = await draftTo(ada, list)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const receivers = await until(async () => {
    const shown = (await ada.api(campaigns.stats, { params: { id } })).receivers
    return shown.some(({ receiver }) => receiver === 'microsoft') && shown
  }, 'the look-ups')
  expect(new Map(receivers.map(({ receiver, accepted }) => [receiver, accepted]))).toEqual(
    new Map([
      ['google', 2],
      ['microsoft', 1],
      ['own.example', 1],
      ['broken.example', 1],
      ['gone.example', 1],
    ]),
  )
  const asked = names.asked.filter((question) => question.startsWith('MX'))
  expect(asked).not.toContain('MX gmail.com')
  // They are known now: the next campaign asks only about the one that did not answer, and not within the hour.
  const again = await draftTo(ada, list)
  await ada.api(campaigns.send, { params: { id: again.id }, body: {} })
  await untilState(ada, again.id, ['sent'])
  expect((await ada.api(campaigns.stats, { params: { id: again.id } })).receivers).toHaveLength(5)
  expect(names.asked.filter((question) => question.startsWith('MX'))).toEqual(asked)
})

test('pace: a receiver that asks for less is sent half as much, the others go on, and the sender says so', async () => {
  const me = await t.person()
  const [sender] = (await me.api(senders.list, { query: {} })).items
  const params = { id: sender?.id ?? '' }
  const list = await listWith(t.services, me, 40, (n) => `s${n}@${n % 2 === 0 ? 'icloud.com' : 'open.example'}`)
  isHurried = true
  const { id } = await draftTo(me, list)
  await me.api(campaigns.send, { params: { id }, body: {} })
  const shown = await until(async () => {
    const shown = await me.api(campaigns.get, { params: { id } })
    return shown.counts.sent === 20 && shown
  }, 'the others')
  isHurried = false
  expect(shown).toMatchObject({ state: 'sending' })
  const { slowedReceivers, pausedReceivers } = await me.api(senders.get, { params })
  // Nothing at all for ten minutes, and then at the pace of one connection.
  expect(pausedReceivers).toEqual([expect.objectContaining({ receiver: 'apple', fix: '' })])
  expect(Date.parse(pausedReceivers[0]?.until ?? '')).toBeGreaterThan(Date.now() + 300_000)
  expect(slowedReceivers).toEqual([
    expect.objectContaining({
      receiver: 'apple',
      perHour: 60,
      response: expect.stringMatching(/^421 4\.7\.28 the recipient/),
    }),
  ])
  const [row] = await t.services.db.selectFrom('receiverPaces').where('senderId', '=', params.id).selectAll().execute()
  expect(row).toMatchObject({ slowedTo: 60, receiver: 'apple' })
  // A quarter of an hour for each step, and then nothing is left of it.
  await t.services.db
    .updateTable('receiverPaces')
    .set({ slowedAt: new Date(Date.now() - 3_600_000) })
    .where('senderId', '=', params.id)
    .execute()
  expect((await me.api(senders.get, { params })).slowedReceivers).toEqual([])
})

test('pace: no second holds more than the limit of a receiver, and the others are not held up', async () => {
  const me = await t.person()
  const [sender] = (await me.api(senders.list, { query: {} })).items
  const params = { id: sender?.id ?? '' }
  const limit = { receiver: 'yahoo', connections: 2, perSecond: 10, perHour: null }
  const saved = await me.api(senders.update, { params, body: { receiverLimits: [limit] } })
  expect(saved.receiverLimits).toEqual([limit])
  const ids = []
  for (const tag of ['a', 'b']) {
    const list = await listWith(t.services, me, 60, (n) => `${tag}${n}@${n % 4 === 0 ? 'aol.com' : 'open.example'}`)
    ids.push((await draftTo(me, list)).id)
  }
  const begun = Date.now()
  for (const id of ids) await me.api(campaigns.send, { params: { id }, body: {} })
  for (const id of ids) await untilState(me, id, ['sent'])
  const rows = await t.services.db
    .selectFrom('messages')
    .where('campaignId', 'in', ids)
    .where('state', '=', 'sent')
    .select(['address', 'sentAt'])
    .execute()
  const times = (domain: string) =>
    rows
      .flatMap(({ address, sentAt }) => (address.endsWith(domain) ? (sentAt?.getTime() ?? 0) : []))
      .toSorted((a, b) => a - b)
  const limited = times('aol.com')
  expect(limited).toHaveLength(30)
  // A reply is noted later on a busy machine, so two of them come closer together than the messages left, but none comes too early.
  expect(limited.filter((at, n) => at < begun + 1_000 * Math.floor(n / 10))).toEqual([])
  expect(times('open.example').at(-1) ?? 0).toBeLessThan(limited.at(-1) ?? 0)
  for (const [receiverLimits, field] of [
    [[limit, limit], 'receiverLimits'],
    [[{ receiver: 'no domain', perHour: 5 }], 'receiverLimits.0.receiver'],
    [[{ receiver: 'google' }], 'receiverLimits.0.perHour'],
    [[{ receiver: 'google', perHour: 0 }], 'receiverLimits.0.perHour'],
  ] as const)
    await expect(
      me.api(senders.update, { params, body: { receiverLimits: [...receiverLimits] } }),
    ).rejects.toMatchObject({
      status: 400,
      details: [{ field }],
    })
  expect((await me.api(senders.update, { params, body: { receiverLimits: [] } })).receiverLimits).toEqual([])
})
