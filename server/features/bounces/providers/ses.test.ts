import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { startSns } from '#server/testing/sns.ts'

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces'
const OTHER = 'arn:aws:sns:eu-west-1:999999999999:bounces'
let sns: Awaited<ReturnType<typeof startSns>>
let t: TestApp
let ada: Person
let count = 0

beforeAll(async () => {
  sns = await startSns()
  t = await testApp({ environment: { SNS_URL: sns.url } })
  ada = await t.person()
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await sns.stop()
})

async function sendTo(size: number) {
  const tag = ++count
  const { id } = await draftTo(ada, await listWith(t.services, ada, size, (n) => `ses${tag}-${n}@example.com`))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const marks = []
  for (let n = 1; n <= size; n++) {
    const { headers } = await t.sink.mailTo(`ses${tag}-${n}@example.com`)
    marks.push(String(headers.find(({ key }) => key === 'message-id')?.value))
  }
  return { id, marks }
}
const post = async (url: string | null, body: unknown) => {
  const response = await fetch(`${t.address}${new URL(url ?? '').pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    body: JSON.stringify(body),
  })
  return response.status
}
const add = () => ada.api(bounceSources.create, { body: { kind: 'ses', topicArn: TOPIC } })
/** A message of SES about an email: SES gave it a Message-ID of its own. */
const mail = (mark: string) => ({
  ...{
    messageId: '0102018f',
    source: 'news@example.com',
    commonHeaders: { messageId: '<own@eu-west-1.amazonses.com>' },
  },
  headers: [{ name: 'X-Postlark-Id', value: mark }],
})
const bounce = (mark: string, format: 'notificationType' | 'eventType', change: object = {}) =>
  JSON.stringify({
    [format]: 'Bounce',
    bounce: {
      ...{ bounceType: 'Permanent', bounceSubType: 'General', timestamp: new Date().toISOString() },
      bouncedRecipients: [
        {
          emailAddress: 'x@example.com',
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      ...change,
    },
    mail: mail(mark),
  })

test('SES: both formats of its events count once, signed by version 1 and 2', async () => {
  const source = await add()
  expect(source).toMatchObject({ topicArn: TOPIC, secret: null, state: 'waiting', name: 'Amazon SES' })
  const { id, marks } = await sendTo(4)
  const [first = '', second = '', third = '', fourth = ''] = marks
  const classic = sns.message(TOPIC, { Message: bounce(first, 'notificationType'), Subject: 'Bounce' })
  for (let i = 0; i < 2; i++) expect(await post(source.webhookUrl, classic)).toBe(200)
  const complaint = { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse' }, mail: mail(second) }
  const asleep = { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: 'x@example.com' }] }
  const delivery = { notificationType: 'Delivery', delivery: {}, mail: mail(fourth) }
  for (const Message of [
    JSON.stringify(complaint),
    bounce(third, 'eventType'),
    bounce(fourth, 'eventType', asleep),
    JSON.stringify(delivery),
    'Successfully validated SNS topic',
  ])
    expect(await post(source.webhookUrl, sns.message(TOPIC, { Message }, { version: '2' }))).toBe(200)
  expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({ counts: { sent: 2, bounced: 2 } })
  const { items } = await ada.api(suppressions.list, { query: { q: 'ses1-' } })
  expect(items.map(({ reason }) => reason).sort()).toEqual(['complaint', 'hard_bounce', 'hard_bounce'])
  const { items: bounced } = await ada.api(campaigns.messages, { params: { id }, query: { state: 'bounced' } })
  expect(bounced[0]).toMatchObject({ bounce: { class: 'hard', code: '5.1.1', source: 'ses' } })
  expect(sns.asked.filter((path) => path.endsWith('.pem'))).toHaveLength(1)
})

test('SES: a message of another topic, key or certificate is refused and asks nobody', async () => {
  const source = await add()
  const { id, marks } = await sendTo(1)
  const Message = bounce(marks[0] ?? '', 'eventType')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const count = sns.asked.length
  const raw = sns.message(TOPIC, { Message })
  const { Signature: _, ...unsigned } = raw
  for (const forged of [
    sns.message(OTHER, { Message }),
    sns.message(OTHER, { Message }, { change: { TopicArn: TOPIC } }),
    sns.message(TOPIC, { Message }, { by: privateKey }),
    sns.message(TOPIC, { Message }, { change: { Message: bounce(marks[0] ?? '', 'eventType', { x: 1 }) } }),
    sns.message(TOPIC, { Message }, { change: { SignatureVersion: '2' } }),
    sns.message(TOPIC, { Message, Timestamp: '2020-01-01T00:00:00.000Z' }),
    ...[
      'https://sns.eu-west-1.amazonaws.com.evil.example',
      'https://sns.eu-west-1.amazonaws.com',
      'http://169.254.169.254',
    ].map((host) => ({ ...raw, SigningCertURL: raw.SigningCertURL.replace(sns.url, host) })),
    { ...raw, SigningCertURL: `${sns.url}/other.pem` },
    { ...raw, SigningCertURL: `${raw.SigningCertURL}?x` },
    { ...raw, Type: 'constructor' },
    unsigned,
    JSON.parse(Message),
    [],
    null,
  ])
    expect(await post(source.webhookUrl, forged), JSON.stringify(forged).slice(0, 300)).toBe(401)
  expect(sns.asked.length).toBe(count)
  expect(await ada.api(campaigns.get, { params: { id } })).toMatchObject({ counts: { sent: 1, bounced: 0 } })
})

test('SES: a subscription is confirmed where SNS serves it, and nowhere else', async () => {
  const source = await add()
  const confirmed = () => sns.asked.filter((path) => path.startsWith('/?Action=ConfirmSubscription')).length
  expect(await post(source.webhookUrl, sns.confirmation(TOPIC))).toBe(200)
  expect(confirmed()).toBe(1)
  for (const url of ['http://169.254.169.254/?Action=ConfirmSubscription', `${sns.url}/?Action=DeleteTopic`])
    expect(await post(source.webhookUrl, sns.confirmation(TOPIC, url))).toBe(200)
  expect(await post(source.webhookUrl, sns.confirmation(OTHER))).toBe(401)
  expect(confirmed()).toBe(1)
  expect(await ada.api(bounceSources.test, { params: { id: source.id } })).toMatchObject({ ok: true })
})

test('SES: its topic is required, and can be replaced', async () => {
  for (const [body, field] of [
    [{ kind: 'ses' }, 'topicArn'],
    [{ kind: 'ses', topicArn: 'arn:aws:sns:eu-west-1:12:x' }, 'topicArn'],
    [{ kind: 'ses', topicArn: 'arn:aws:sns:evil.example/:123456789012:x' }, 'topicArn'],
    [{ kind: 'ses', topicArn: TOPIC, key: 'x' }, 'key'],
    [{ kind: 'generic', topicArn: TOPIC }, 'topicArn'],
  ] as const)
    await expect(ada.api(bounceSources.create, { body })).rejects.toMatchObject({ status: 400, details: [{ field }] })
  const source = await add()
  const params = { id: source.id }
  expect(await ada.api(bounceSources.update, { params, body: { topicArn: OTHER } })).toMatchObject({ topicArn: OTHER })
  expect(await post(source.webhookUrl, sns.message(TOPIC, { Message: 'x' }))).toBe(401)
  expect(await post(source.webhookUrl, sns.message(OTHER, { Message: 'x' }))).toBe(200)
})
