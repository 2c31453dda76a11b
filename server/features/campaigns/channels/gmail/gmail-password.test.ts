import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { type MailSink, startMailSink } from '#server/testing/mail-sink.ts'
import { until } from '#server/testing/until.ts'

/** What Google knows: an app password for each of these accounts. */
const passwords = new Map<string, string>()
const RIGHT = 'abcdefghijklmnop'

/** Gmail's own words for mail it does not want to carry. */
const UNWANTED = '550 5.7.1 Our system has detected that this message is likely unsolicited mail.'

let t: TestApp
let google: MailSink
beforeAll(async () => {
  google = await startMailSink(
    (stage, address) => (stage === 'data' && address.startsWith('no') ? UNWANTED : undefined),
    (user, password) => passwords.get(user) === password,
  )
  t = await testApp({ environment: { GMAIL_SMTP_URL: google.url } })
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await google.stop()
})

/** A person with an account by app password, and a draft to r1@ … through it. */
async function ready(email: string, count: number, perDay: number, address?: (n: number) => string) {
  passwords.set(email, RIGHT)
  const ada = await t.person()
  const { id: senderId } = await ada.api(senders.create, {
    body: {
      kind: 'gmail',
      email,
      appPassword: RIGHT,
      fromName: 'Ada',
      rampUp: false,
      limits: { perDay, perMinute: 60 },
    },
  })
  const listId = await listWith(t.services, ada, count, address)
  const { id } = await draftTo(ada, listId, { channel: 'gmail', senderIds: [senderId] })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  return { ada, senderId, id, show: () => ada.api(campaigns.get, { params: { id } }) }
}
const mailsFrom = (email: string) => google.received.filter(({ from }) => from === email)

test('app password: every recipient gets one personal message, and it is counted', async () => {
  const email = 'ada@gmail.com'
  const { ada, senderId, id } = await ready(email, 3, 500)
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ recipients: 3, sent: 3 })
  const mails = mailsFrom(email)
  expect(mails.map(({ to }) => to[0]).toSorted()).toEqual([1, 2, 3].map((i) => `r${i}@example.com`))
  for (const { to, raw } of mails) {
    const mail = await PostalMime.parse(raw)
    const number = to[0]?.[1]
    expect(mail.from).toMatchObject({ name: 'Ada', address: email })
    expect(mail.subject).toBe(`News for Person ${number}`)
    expect(mail.html).toContain(`Firm ${number}`)
    expect(mail.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click')
  }
  const { gmail, limits } = await ada.api(senders.get, { params: { id: senderId } })
  expect(gmail).toMatchObject({ access: 'app_password', sentToday: 3, health: 'working' })
  expect(limits).toMatchObject({ perDay: 500, perMinute: 60 })
}, 120_000)

test('app password: the daily limit is obeyed, and a refused password pauses the campaign until changed', async () => {
  const email = 'grace@firm.example'
  const { ada, senderId, id, show } = await ready(email, 4, 2)
  await until(async () => ((await show()).stateText.includes('limit of 2 messages') ? true : undefined), 'the limit')
  expect((await show()).counts).toMatchObject({ sent: 2, queued: 2 })
  expect(mailsFrom(email)).toHaveLength(2)
  passwords.set(email, 'qrstuvwxyzabcdef')
  google.cut()
  await ada.api(senders.update, { params: { id: senderId }, body: { limits: { perDay: 10 } } })
  const paused = await untilState(ada, id, ['paused'])
  expect(paused.stateText).toContain(email)
  expect(paused.stateText).toContain('app password')
  expect(paused.counts).toMatchObject({ recipients: 4, sent: 2, queued: 2, failed: 0, unconfirmed: 0 })
  expect((await ada.api(senders.get, { params: { id: senderId } })).gmail).toMatchObject({ sentToday: 2 })
  await ada.api(senders.update, { params: { id: senderId }, body: { password: 'qrst uvwx yzab cdef' } })
  await ada.api(campaigns.resume, { params: { id } })
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ sent: 4 })
  expect(new Set(mailsFrom(email).map(({ to }) => to[0])).size).toBe(4)
  expect(mailsFrom(email)).toHaveLength(4)
}, 120_000)

test('app password: repeated refusals as unsolicited stop the account until a user releases it', async () => {
  const email = 'eve@gmail.com'
  const { ada, senderId, id } = await ready(email, 7, 500, (n) => `${n < 6 ? 'no' : 'yes'}${n}@firm${n}.example`)
  const paused = await untilState(ada, id, ['paused'])
  expect(paused.stateText).toContain(email)
  expect(paused.stateText).toContain('likely unsolicited mail')
  expect(paused.counts).toMatchObject({ recipients: 7, failed: 5, suppressed: 0, unconfirmed: 0 })
  expect(paused.counts.sent + paused.counts.queued).toBe(2)
  const show = () => ada.api(senders.get, { params: { id: senderId } })
  expect((await show()).gmail).toMatchObject({ health: 'failing', blockedAt: expect.any(String) })
  const { problems } = await ada.api(campaigns.check, { params: { id } })
  expect(problems.map(({ code }) => code)).toContain('account_blocked')
  await ada.api(senders.release, { params: { id: senderId } })
  expect((await show()).gmail).toMatchObject({ health: 'working', blockedAt: null })
  await expect(ada.api(senders.release, { params: { id: senderId } })).rejects.toMatchObject({ status: 409 })
  await ada.api(campaigns.resume, { params: { id } })
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ sent: 2, failed: 5 })
  expect(mailsFrom(email)).toHaveLength(2)
}, 120_000)
