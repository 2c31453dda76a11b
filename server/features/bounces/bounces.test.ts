import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { watchEventLoop } from '#server/testing/processor-time.ts'

let t: TestApp
let ada: Person
let count = 0
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person()
})

/** Sends a campaign to `size` new addresses. Returns its id, the Message-ID and the address of each message. */
async function sendTo(person: Person, size: number) {
  const tag = ++count
  const list = await listWith(t.services, person, size, (n) => `b${tag}-${n}@example.com`)
  const { id } = await draftTo(person, list)
  await person.api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  const messages = []
  for (let n = 1; n <= size; n++) {
    const address = `b${tag}-${n}@example.com`
    const mail = await t.sink.mailTo(address)
    messages.push({ address, messageId: mail.messageId ?? '' })
  }
  return { id, messages }
}

type Headers = Record<string, string>
const post = (url: string | null, body: unknown, headers: Headers = {}) =>
  fetch(`${t.address}${new URL(url ?? '').pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

function signGeneric(secret: string, body: string, at = Date.now()): Headers {
  const timestamp = String(Math.floor(at / 1_000))
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-postlark-timestamp': timestamp, 'x-postlark-signature': `sha256=${mac}` }
}

const genericBody = (messageId: string, change: object = {}) =>
  JSON.stringify({
    events: [{ id: messageId, type: 'bounce', messageId, response: '550 5.1.1 User unknown', ...change }],
  })

async function addGeneric(person = ada) {
  const { id, webhookUrl, secret } = await person.api(bounceSources.create, { body: { kind: 'generic' } })
  return { id, webhookUrl, secret: secret ?? '' }
}

const suppressed = async (person = ada, q = '') =>
  (await person.api(suppressions.list, { query: { q: q || undefined } })).items.map(({ address, reason }) => [
    address,
    reason,
  ])
const readCounts = async (id: string, person = ada) => (await person.api(campaigns.get, { params: { id } })).counts

test('bounces: a signed hard bounce bounces its message and suppresses its address, and a repeat changes nothing', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 1)
  const [{ address, messageId }] = messages as [(typeof messages)[number]]
  const body = genericBody(messageId)
  expect(await ada.api(bounceSources.test, { params: { id: source.id } })).toMatchObject({ ok: false })
  for (let i = 0; i < 2; i++)
    expect((await post(source.webhookUrl, body, signGeneric(source.secret, body))).status).toBe(200)
  expect(await readCounts(id)).toMatchObject({ sent: 0, bounced: 1 })
  expect(await suppressed(ada, address)).toEqual([[address, 'hard_bounce']])
  expect(await ada.api(bounceSources.test, { params: { id: source.id } })).toMatchObject({ ok: true })
})

test('bounces: a forged, altered or old signature is refused and changes nothing', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 1)
  const [{ address, messageId }] = messages as [(typeof messages)[number]]
  const body = genericBody(messageId)
  const signed = signGeneric(source.secret, body)
  const old = signGeneric(source.secret, body, Date.now() - 3_600_000)
  const others = signGeneric((await addGeneric()).secret, body)
  for (const [sent, headers] of [
    [body, {}],
    [`${body} `, signed],
    [body, old],
    [body, others],
    ['{', signed],
  ] as [string, Headers][])
    expect((await post(source.webhookUrl, sent, headers)).status).toBe(401)
  const unknown = source.webhookUrl?.replace(/\d+$/, '999999')
  expect((await post(unknown ?? '', body, signed)).status).toBe(401)
  expect(await readCounts(id)).toMatchObject({ sent: 1, bounced: 0 })
  expect(await suppressed(ada, address)).toEqual([])
})

test('bounces: a valid signature of another workspace does not reach a message, nor does an unsigned Message-ID', async () => {
  const eve = await t.person()
  const source = await addGeneric(eve)
  const { id, messages } = await sendTo(ada, 1)
  const [{ address, messageId }] = messages as [(typeof messages)[number]]
  const altered = messageId.replace(/^<(.)/, (_, first) => `<${first === 'A' ? 'B' : 'A'}`)
  for (const [name, where, secret] of [
    [messageId, source.webhookUrl, source.secret],
    [altered, ...Object.values(await addGeneric().then(({ webhookUrl, secret }) => ({ webhookUrl, secret })))],
  ] as [string, string | null, string][]) {
    const body = genericBody(name, { recipient: address })
    expect((await post(where, body, signGeneric(secret, body))).status).toBe(200)
  }
  expect(await readCounts(id)).toMatchObject({ sent: 1, bounced: 0 })
  expect([...(await suppressed(eve)), ...(await suppressed(ada, address))]).toEqual([])
})

test('bounces: a complaint suppresses at once, and an unsubscribe that is repeated later does not unsubscribe again', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 2)
  const [first, second] = messages as [(typeof messages)[number], (typeof messages)[number]]
  const complaint = genericBody(first.messageId, { type: 'complaint' })
  const unsubscribe = genericBody(second.messageId, { type: 'unsubscribe' })
  for (const body of [complaint, unsubscribe])
    expect((await post(source.webhookUrl, body, signGeneric(source.secret, body))).status).toBe(200)
  expect(await suppressed(ada, first.address)).toEqual([[first.address, 'complaint']])
  const { complaints, unsubscribes, receivers } = await ada.api(campaigns.stats, { params: { id } })
  expect([complaints, unsubscribes, receivers[0]?.complained]).toEqual([1, 1, 1])
  expect(await suppressed(ada, second.address)).toEqual([[second.address, 'unsubscribe']])
  await t.services.db.deleteFrom('suppressions').where('address', '=', second.address).execute()
  expect((await post(source.webhookUrl, unsubscribe, signGeneric(source.secret, unsubscribe))).status).toBe(200)
  expect(await suppressed(ada, second.address)).toEqual([])
})

test('bounces: a full mailbox suppresses its address the third time, when seven days lie between', async () => {
  const source = await addGeneric()
  const list = await listWith(t.services, ada, 1, () => 'full@example.com')
  for (const [n, days] of [20, 10, 0].entries()) {
    const { id } = await draftTo(ada, list)
    await ada.api(campaigns.send, { params: { id }, body: {} })
    await untilState(ada, id, ['sent'])
    await t.sink.waitForCount(1)
    const { messageId } = await t.sink.mailTo('full@example.com')
    t.sink.empty()
    const at = new Date(Date.now() - days * 86_400_000)
    await t.services.db.updateTable('messages').set({ sentAt: at }).where('campaignId', '=', id).execute()
    expect(await suppressed(ada, 'full@')).toEqual([])
    const body = genericBody(messageId ?? '', { response: '552 5.2.2 Mailbox full' })
    await post(source.webhookUrl, body, signGeneric(source.secret, body))
    expect(await readCounts(id)).toMatchObject({ bounced: 1 })
    if (n < 2) expect(await suppressed(ada, 'full@')).toEqual([])
  }
  expect(await suppressed(ada, 'full@')).toEqual([['full@example.com', 'soft_bounce']])
})

test('bounces: Mailgun events count once for each token, and only while they are fresh', async () => {
  const key = 'key-of-mailgun'
  const { webhookUrl, secret } = await ada.api(bounceSources.create, { body: { kind: 'mailgun', key } })
  expect(secret).toBeNull()
  const { id, messages } = await sendTo(ada, 2)
  const event = (n: number, token: string, age = 0) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) - age)
    const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex')
    return {
      signature: { timestamp, token, signature },
      'event-data': {
        event: 'failed',
        severity: 'permanent',
        recipient: messages[n]?.address,
        message: { headers: { 'message-id': messages[n]?.messageId.slice(1, -1) } },
        'delivery-status': { code: 550, message: '5.1.1 The email account that you tried to reach does not exist' },
      },
    }
  }
  expect((await post(webhookUrl, event(0, 'old', 86_400))).status).toBe(401)
  expect((await post(webhookUrl, event(0, 'one'))).status).toBe(200)
  expect((await post(webhookUrl, event(1, 'one'))).status).toBe(200)
  expect(await readCounts(id)).toMatchObject({ sent: 1, bounced: 1 })
})

test('bounces: SendGrid events are verified with the public key, in batches', async () => {
  const me = await t.person()
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  await expect(me.api(bounceSources.create, { body: { kind: 'sendgrid', key: 'no key' } })).rejects.toMatchObject({
    details: [{ field: 'key' }],
  })
  const { webhookUrl } = await me.api(bounceSources.create, { body: { kind: 'sendgrid', key } })
  const { id, messages } = await sendTo(me, 3)
  const reasons = ['550 5.1.1 No such user', '550 5.7.26 Unauthenticated email is blocked', '250 ok']
  const body = JSON.stringify(
    messages.map(({ address, messageId }, n) => ({
      ...{ email: address, event: n < 2 ? 'bounce' : 'delivered', type: 'bounce', 'smtp-id': messageId },
      ...{ sg_event_id: `event-${n}`, timestamp: 1_790_000_000, reason: reasons[n] },
    })),
  )
  const timestamp = '1790000000'
  const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64')
  const headers = {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': timestamp,
  }
  expect((await post(webhookUrl, body.replace('blocked', 'BLOCKED'), headers)).status).toBe(401)
  expect((await post(webhookUrl, body, headers)).status).toBe(200)
  expect(await readCounts(id, me)).toMatchObject({ sent: 1, bounced: 2 })
  const [hard, block] = messages
  expect(await suppressed(me, hard?.address)).toEqual([[hard?.address, 'hard_bounce']])
  expect(await suppressed(me, block?.address)).toEqual([])
  // Every other email there would be refused too.
  const { pausedReceivers } = (await me.api(senders.list, { query: {} })).items[0] ?? {}
  expect(pausedReceivers).toMatchObject([{ receiver: 'example.com', fix: expect.stringMatching(/DKIM/) }])
})

test('bounces: Postmark is known by its password, and a delay it tells of changes nothing', async () => {
  const { webhookUrl, secret } = await ada.api(bounceSources.create, { body: { kind: 'postmark' } })
  const { id, messages } = await sendTo(ada, 2)
  const [first, second] = messages
  const bounce = (mail: typeof first, Type: string, ID: number) => ({
    ...{ RecordType: 'Bounce', Type, ID, Email: mail?.address, Details: 'smtp;550 5.1.1 User unknown' },
    Content: `Return-Path: <>\r\nMessage-ID: ${mail?.messageId}\r\n\r\n`,
  })
  const authorization = `Basic ${Buffer.from(`postlark:${secret}`).toString('base64')}`
  expect((await post(webhookUrl, bounce(first, 'HardBounce', 1))).status).toBe(401)
  expect((await post(webhookUrl, bounce(first, 'HardBounce', 1), { authorization })).status).toBe(200)
  expect((await post(webhookUrl, bounce(second, 'Transient', 2), { authorization })).status).toBe(200)
  expect(await readCounts(id)).toMatchObject({ sent: 1, bounced: 1 })
})

test('bounces: signed events that cannot be read are refused by name, and nothing of them is applied', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 1)
  const good = JSON.parse(genericBody(messages[0]?.messageId ?? '')).events[0]
  const { id: _, ...nameless } = good
  for (const [body, field] of [
    ['{', 'body'],
    ['[]', 'events'],
    [JSON.stringify({ events: [good, nameless] }), 'events.1.id'],
    [JSON.stringify({ events: [good, { ...good, type: 'constructor' }] }), 'events.1.type'],
    [JSON.stringify({ events: [good, { ...good, messageId: '' }] }), 'events.1.messageId'],
    [JSON.stringify({ events: [good, null] }), 'events.1'],
    [JSON.stringify({ events: Array(5_001).fill(good) }), 'events'],
  ] as const) {
    const response = await post(source.webhookUrl, body, signGeneric(source.secret, body))
    expect(response.status, body.slice(0, 500)).toBe(400)
    expect(await response.json()).toMatchObject({ details: [{ field }] })
  }
  expect(await readCounts(id)).toMatchObject({ sent: 1, bounced: 0 })
})

test('bounces: sources added at once are never more than a workspace may have', async () => {
  const { api } = await t.person()
  const add = () => api(bounceSources.create, { body: { kind: 'postmark' } })
  const settled = await Promise.allSettled(Array.from({ length: 25 }, add))
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ code: 'too_many_sources' })))
})

test('bounces: a campaign that people report as spam is paused after 1,000 emails, and says why', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 3)
  const [waiting, ...reported] = messages
  const { db } = t.services
  // Something of it is left to send, later.
  const later = { state: 'queued', sentAt: null, dueAt: new Date(Date.now() + 3_600_000) }
  await db
    .updateTable('messages')
    .set(later)
    .where('address', '=', waiting?.address ?? '')
    .execute()
  await db.updateTable('campaigns').set({ state: 'sending', handed: 1_500 }).where('id', '=', id).execute()
  for (const [n, { messageId }] of reported.entries()) {
    expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({ state: 'sending' })
    const body = genericBody(messageId, { type: 'complaint', id: `complaint-${n}` })
    await post(source.webhookUrl, body, signGeneric(source.secret, body))
  }
  const paused = await ada.api(campaigns.get, { params: { id } })
  expect(paused).toMatchObject({ state: 'paused', stateText: expect.stringMatching(/0\.1 % .* spam/) })
})

test('bounces: a new key or secret replaces the old one, and a password goes to no other server', async () => {
  const source = await addGeneric()
  const params = { id: source.id }
  const changed = await ada.api(bounceSources.update, { params, body: { name: 'Ours', newSecret: true } })
  expect(changed).toMatchObject({ name: 'Ours', state: 'waiting' })
  expect(changed.secret).not.toBe(source.secret)
  const body = genericBody('nobody')
  expect((await post(source.webhookUrl, body, signGeneric(source.secret, body))).status).toBe(401)
  expect((await post(source.webhookUrl, body, signGeneric(changed.secret ?? '', body))).status).toBe(200)
  expect(await ada.api(bounceSources.update, { params, body: { name: 'Still ours' } })).toMatchObject({ secret: null })
  const mailgun = await ada.api(bounceSources.create, { body: { kind: 'mailgun', key: 'old' } })
  await ada.api(bounceSources.update, { params: { id: mailgun.id }, body: { key: 'new' } })
  const event = (key: string) => {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    return {
      signature: {
        timestamp,
        token: key,
        signature: createHmac('sha256', key)
          .update(timestamp + key)
          .digest('hex'),
      },
    }
  }
  expect((await post(mailgun.webhookUrl, event('old'))).status).toBe(401)
  expect((await post(mailgun.webhookUrl, event('new'))).status).toBe(200)
  const mailbox = { host: '127.0.0.1', port: 9, secure: 'none', user: 'ada', password: 'right' } as const
  const imap = await ada.api(bounceSources.create, { body: { kind: 'imap', ...mailbox } })
  for (const [id, change, field] of [
    [source.id, { key: 'x' }, 'key'],
    [source.id, { host: 'x' }, 'host'],
    [mailgun.id, { newSecret: true }, 'newSecret'],
    [mailgun.id, { topicArn: 'x' }, 'topicArn'],
    [imap.id, { user: 'eve' }, 'password'],
    [imap.id, { host: '169.254.169.254', password: 'x' }, 'host'],
  ] as const)
    await expect(ada.api(bounceSources.update, { params: { id }, body: change })).rejects.toMatchObject({
      status: 400,
      details: [{ field }],
    })
  const moved = await ada.api(bounceSources.update, { params: { id: imap.id }, body: { user: 'eve', password: 'new' } })
  expect(moved.mailbox).toMatchObject({ host: '127.0.0.1', user: 'eve' })
})

test('bounces: one reported of a Gmail message is noted as one that its mailbox shows', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 1)
  const [{ messageId }] = messages as [(typeof messages)[number]]
  const { db } = t.services
  const { senderId } = await ada.api(campaigns.get, { params: { id } })
  const row = db.selectFrom('messages').where('campaignId', '=', id).select(['id', 'workspaceId', 'campaignId'])
  const { id: message, ...campaign } = await row.executeTakeFirstOrThrow()
  const gmail = { ...campaign, messageId: message, senderId: senderId ?? '' }
  await db.insertInto('gmailMessages').values(gmail).execute()
  const body = genericBody(messageId)
  expect((await post(source.webhookUrl, body, signGeneric(source.secret, body))).status).toBe(200)
  const noted = await db.selectFrom('gmailMessages').where('messageId', '=', message).selectAll().execute()
  expect(noted).toMatchObject([{ bouncedAt: expect.any(Date), bounceText: '550 5.1.1 User unknown' }])
})

test('bounces: a moment in milliseconds, and one that cannot be, leave the recipients of a campaign readable', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 4)
  const moments = [Date.now(), Math.floor(Date.now() / 1_000), 8.6e12, '+275760-09-13T00:00:00.000Z']
  for (const [n, { messageId }] of messages.entries()) {
    const body = genericBody(messageId, { at: moments[n] })
    expect((await post(source.webhookUrl, body, signGeneric(source.secret, body))).status).toBe(200)
  }
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: { state: 'bounced' } })
  expect(items).toHaveLength(4)
  for (const { bounce } of items) expect(Math.abs(Date.now() - Date.parse(bounce?.at ?? ''))).toBeLessThan(3_600_000)
})

test('bounces: while much waits to be applied, more is refused with 503, and nothing of it is lost', async () => {
  const source = await addGeneric()
  const { id, messages } = await sendTo(ada, 8)
  const locked = await t.services.db.startTransaction().execute()
  await locked
    .selectFrom('bounceSources')
    .where('workspaceId', '=', ada.workspaceId)
    .where('id', '=', source.id)
    .select('id')
    .forUpdate()
    .execute()
  const send = (body: string) => post(source.webhookUrl, body, signGeneric(source.secret, body))
  const bodies = messages.map(({ messageId }) => genericBody(messageId, { pad: 'x'.repeat(3 * 2 ** 20) }))
  const sent = bodies.map(send)
  const refused = await Promise.any(
    sent.map(async (response) => {
      const { status, headers } = await response
      return status === 503 ? headers.get('retry-after') : Promise.reject(new Error('not refused'))
    }),
  )
  await locked.commit().execute()
  expect(refused).toBe('30')
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  for (const [n, body] of bodies.entries()) if (statuses[n] === 503) expect((await send(body)).status).toBe(200)
  expect(await readCounts(id)).toMatchObject({ sent: 0, bounced: 8 })
})

test('bounces: a thousand events with long responses hold up no request', async () => {
  const source = await addGeneric()
  const event = { type: 'bounce', messageId: 'none', response: 'x'.repeat(3_900) }
  const body = JSON.stringify({ events: Array.from({ length: 1_000 }, (_, n) => ({ id: `long${n}`, ...event })) })
  const headers = signGeneric(source.secret, body)
  const endWatch = watchEventLoop()
  expect((await post(source.webhookUrl, body, headers)).status).toBe(200)
  expect(endWatch()).toBeLessThan(400)
})
