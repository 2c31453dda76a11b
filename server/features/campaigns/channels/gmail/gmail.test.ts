import PostalMime from 'postal-mime'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, letTimePass, listWith, untilState, whilePaused } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { until, untilPasses } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

let n = 0
/** A person with a connected account and a draft to so many people. */
async function ready(count: number, change: Record<string, unknown> = {}, given: { perDay?: number } = {}) {
  const ada = await t.person()
  const email = `sender${++n}@gmail.com`
  const senderId = await gmailVisitor(t, ada).account(email, given)
  const { id } = await draftTo(ada, await listWith(t.services, ada, count), {
    channel: 'gmail',
    senderIds: [senderId],
    ...change,
  })
  const send = () => ada.api(campaigns.send, { params: { id }, body: {} })
  return { ada, email, senderId, id, send }
}
const recipients = async (email: string) =>
  (await gmailControl(t, { email })).messages
    .filter(({ labelIds }) => labelIds.includes('SENT'))
    .map(({ raw }) => /^To:.*<([^>]+)>/m.exec(raw)?.[1])
const show = (person: Person, id: string) => person.api(campaigns.get, { params: { id } })
const untilMet = (person: Person, id: string, met: (campaign: Awaited<ReturnType<typeof show>>) => boolean) =>
  until(async () => {
    const campaign = await show(person, id)
    return met(campaign) && campaign
  }, String(met))
const rested = (id: string) =>
  t.services.db.updateTable('senders').set({ restUntil: null, troubles: 0 }).where('id', '=', id).execute()

test('Gmail: every recipient gets one personal message with unsubscribe headers and attachments', async () => {
  const { ada, email, senderId, id, send } = await ready(5)
  const form = new FormData()
  form.set('file', new Blob(['some bytes'], { type: 'text/plain' }), 'Preisliste "ü".txt')
  const attachment = await ada.api(campaigns.attach, { params: { id }, form })
  expect((await show(ada, id)).attachments).toEqual([attachment])
  await send()
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ recipients: 5, sent: 5 })
  expect((await recipients(email)).toSorted()).toEqual([1, 2, 3, 4, 5].map((i) => `r${i}@example.com`))
  const { messages } = await gmailControl(t, { email })
  const mail = await PostalMime.parse(Buffer.from(messages[0]?.raw ?? '', 'latin1'))
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value
  expect(mail.from?.address).toBe(email)
  expect(mail.subject).toMatch(/^News for Person \d$/)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(mail.html).toMatch(/\/t\/c\//)
  expect(
    mail.attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()]),
  ).toEqual([['Preisliste %22ü%22.txt', 'some bytes']])
  const rows = await ada.api(campaigns.messages, { params: { id }, query: {} })
  expect(new Set(rows.items.map((row) => row.senderId))).toEqual(new Set([senderId]))
  const known = await t.services.db.selectFrom('gmailMessages').where('campaignId', '=', id).selectAll().execute()
  expect(known.map(({ remoteId }) => remoteId).toSorted()).toEqual(messages.map((one) => one.id).toSorted())
})

test('Gmail: two accounts share a campaign, and no recipient gets it from both', async () => {
  const ada = await t.person()
  const visitor = gmailVisitor(t, ada)
  const emails = ['one@gmail.com', 'two@firm.example']
  const senderIds = [await visitor.account('one@gmail.com', { perDay: 30 }), await visitor.account('two@firm.example')]
  const { id } = await draftTo(ada, await listWith(t.services, ada, 120), { channel: 'gmail', senderIds })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(120)
  const got = await Promise.all(emails.map(recipients))
  expect(got[0]?.length).toBeLessThanOrEqual(30)
  expect(new Set(got.flat()).size).toBe(120)
  expect(got.flat()).toHaveLength(120)
})

test('Gmail: two campaigns of one account share its daily limit and wait for the next day', async () => {
  const first = await ready(15, {}, { perDay: 20 })
  const { ada, senderId } = first
  const second = await draftTo(ada, await listWith(t.services, ada, 15, (i) => `s${i}@example.com`), {
    channel: 'gmail',
    senderIds: [senderId],
  })
  await first.send()
  await ada.api(campaigns.send, { params: { id: second.id }, body: {} })
  const waiting = (text: string) => text.includes('limit of 20 messages in 24 hours')
  await untilMet(ada, second.id, ({ stateText, state }) => state === 'sent' || waiting(stateText))
  await untilMet(ada, first.id, ({ stateText, state }) => state === 'sent' || waiting(stateText))
  // One may say so while the other has reserved more than it needs; what that gives back goes out when it looks again.
  await untilPasses(async () => expect((await recipients(first.email)).length).toBe(20))
  const got = await recipients(first.email)
  expect(new Set(got).size).toBe(20)
  const both = await Promise.all([first.id, second.id].map((id) => show(ada, id)))
  // Nobody is forgotten: a recipient who got none waits, in the campaign that says so.
  expect(both.map(({ counts: { sent, queued, failed } }) => [sent + queued, failed])).toEqual([
    [15, 0],
    [15, 0],
  ])
  expect((await ada.api(senders.get, { params: { id: senderId } })).gmail).toMatchObject({ sentToday: 20 })
})

test("Gmail: Google's own daily limit rests the account until the stated time, and the rest is queued", async () => {
  const { ada, email, senderId, id, send } = await ready(505)
  await gmailControl(t, { email, perDay: 498 })
  await send()
  const waiting = await untilMet(ada, id, ({ stateText }) => stateText.includes('is paused until'))
  expect(waiting.state).toBe('sending')
  expect(waiting.counts).toMatchObject({ recipients: 505, sent: 498, queued: 7, failed: 0, unconfirmed: 0 })
  const { restUntil } = await t.services.db
    .selectFrom('senders')
    .where('id', '=', senderId)
    .select('restUntil')
    .executeTakeFirstOrThrow()
  expect((restUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  await gmailControl(t, { email, perDay: 1_000 })
  await whilePaused(ada, id, async () => {
    await t.services.db.updateTable('senders').set({ perDay: 1_000 }).where('id', '=', senderId).execute()
    await rested(senderId)
  })
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ sent: 505 })
  expect(new Set(await recipients(email)).size).toBe(505)
  expect(await recipients(email)).toHaveLength(505)
}, 120_000)

test('Gmail: responses of 500, 503 and garbage are tried again, and each recipient gets one message', async () => {
  const { ada, email, id, send } = await ready(6)
  await gmailControl(t, {
    email,
    troubles: [
      { kind: 'status', status: 500 },
      { kind: 'status', status: 503 },
      { kind: 'garbage', status: 502 },
    ],
  })
  await send()
  const { counts } = await untilMet(ada, id, ({ counts }) => counts.deferred === 3 && counts.sent === 3)
  expect(counts).toMatchObject({ recipients: 6, unconfirmed: 0, failed: 0 })
  // The first retry waits 30 seconds and more.
  await letTimePass(t.services, id)
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(6)
  expect(new Set(await recipients(email)).size).toBe(6)
  expect(await recipients(email)).toHaveLength(6)
}, 120_000)

test('Gmail: a lost or unreadable response leaves its message unconfirmed, and it is not sent again', async () => {
  const { ada, email, id, send } = await ready(5)
  await gmailControl(t, {
    email,
    troubles: [
      { kind: 'lost', taken: true },
      { kind: 'lost', taken: false },
      { kind: 'garbage', status: 200 },
    ],
  })
  await send()
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ sent: 2, unconfirmed: 3 })
  const got = await recipients(email)
  expect(new Set(got).size).toBe(got.length)
  expect(got).toHaveLength(3)
})

test('Gmail: a revoked permission pauses the campaign, and it continues when connected again', async () => {
  const { ada, email, senderId, id, send } = await ready(4)
  await gmailControl(t, { email, revoke: true })
  await send()
  const paused = await untilState(ada, id, ['paused'])
  expect(paused.stateText).toContain('Connect the account again')
  expect(paused.counts).toMatchObject({ recipients: 4, queued: 4, sent: 0 })
  const checked = await ada.api(campaigns.check, { params: { id } })
  expect(checked.problems.map(({ code }) => code)).toContain('account_revoked')
  await gmailVisitor(t, ada).connect({ email }, { senderId })
  await ada.api(campaigns.resume, { params: { id } })
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(4)
  expect(await recipients(email)).toHaveLength(4)
})

test('Gmail: a permission revoked while sending pauses the campaign, and each gets one message', async () => {
  const { ada, email, senderId, id, send } = await ready(6)
  await ada.api(senders.update, { params: { id: senderId }, body: { limits: { perMinute: 60 } } })
  await send()
  await untilMet(ada, id, ({ counts }) => counts.sent >= 2)
  await gmailControl(t, { email, revoke: true })
  const paused = await untilState(ada, id, ['paused'])
  expect(paused.stateText).toContain(email)
  expect(paused.stateText).toContain('Connect the account again')
  const { sent, queued } = paused.counts
  expect(paused.counts).toMatchObject({ recipients: 6, failed: 0, unconfirmed: 0, deferred: 0 })
  expect([sent + queued, sent < 6]).toEqual([6, true])
  expect((await ada.api(senders.get, { params: { id: senderId } })).gmail).toMatchObject({ health: 'revoked' })
  expect(await recipients(email)).toHaveLength(sent)
  await gmailVisitor(t, ada).connect({ email }, { senderId })
  await ada.api(campaigns.resume, { params: { id } })
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(6)
  expect((await recipients(email)).toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((i) => `r${i}@example.com`))
}, 120_000)

test('Gmail: an expired access token is renewed while sending, and nothing is sent twice', async () => {
  const { ada, email, id, send } = await ready(3)
  await gmailControl(t, { email, expireAccess: true })
  await send()
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(3)
  expect(await recipients(email)).toHaveLength(3)
})

test('Gmail: a quota error rests the account for the stated time and counts as no attempt', async () => {
  const { ada, email, senderId, id, send } = await ready(3)
  await gmailControl(t, { email, troubles: [{ kind: 'rateLimit', seconds: 3 }] })
  await send()
  await untilMet(ada, id, ({ stateText }) => stateText.includes('more slowly'))
  expect((await ada.api(senders.get, { params: { id: senderId } })).state).toBe('working')
  expect((await untilState(ada, id, ['sent'])).counts.sent).toBe(3)
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: {} })
  expect(items.map((row) => row.attempts)).toEqual([1, 1, 1])
  expect(await recipients(email)).toHaveLength(3)
})

test('Gmail: a campaign sends within its hours only', async () => {
  const hour = (shift: number) => `${String((new Date().getUTCHours() + shift + 24) % 24).padStart(2, '0')}:00`
  const [from, to] = [hour(2), hour(3)]
  if (from >= to) return
  const window = { days: [1, 2, 3, 4, 5, 6, 7], from, to, timeZone: 'Etc/UTC' }
  const { ada, email, id, send } = await ready(2, { window })
  await send()
  const waiting = await untilMet(ada, id, ({ stateText }) => stateText.includes('sending hours'))
  expect(waiting.stateText).toContain(from)
  expect(await recipients(email)).toHaveLength(0)
  await expect(
    draftTo(ada, '1', { channel: 'gmail', listIds: [], window: { ...window, timeZone: 'Mars/Olympus' } }),
  ).rejects.toMatchObject({ status: 400 })
})

test('Gmail: the limit per minute is obeyed', async () => {
  const { ada, email, senderId, id, send } = await ready(4)
  await ada.api(senders.update, { params: { id: senderId }, body: { limits: { perMinute: 60 } } })
  await send()
  await untilState(ada, id, ['sent'])
  const times = (await gmailControl(t, { email })).messages.map(({ at }) => at).toSorted((a, b) => a - b)
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0))
  for (const gap of gaps) expect(gap).toBeGreaterThan(900)
})

test('Gmail: other senders and accounts are refused, and a free plan cannot send', async () => {
  const { ada, senderId, id } = await ready(1)
  const list = await listWith(t.services, ada, 1, () => 'x@example.com')
  await expect(draftTo(ada, list, { senderId })).rejects.toMatchObject({ status: 400 })
  const smtp = (await ada.api(senders.list, { query: {} })).items.find(({ isDefault }) => isDefault)?.id ?? ''
  await expect(draftTo(ada, list, { channel: 'gmail', senderIds: [smtp] })).rejects.toMatchObject({ status: 400 })
  const stranger = await ready(1)
  await expect(draftTo(ada, list, { channel: 'gmail', senderIds: [stranger.senderId] })).rejects.toMatchObject({
    status: 400,
  })
  await t.services.db.updateTable('users').set({ plan: 'free' }).where('id', '=', ada.id).execute()
  await expect(ada.api(campaigns.send, { params: { id }, body: {} })).rejects.toMatchObject({ code: 'plan_required' })
})

test('Gmail: attachments that are too large, alone or together, are refused', async () => {
  const { ada, id } = await ready(1)
  const attach = (bytes: number) => {
    const form = new FormData()
    form.set('file', new Blob([Buffer.alloc(bytes, 'x')]), 'film.mp4')
    return ada.api(campaigns.attach, { params: { id }, form })
  }
  await expect(attach(40_000_000)).rejects.toMatchObject({ status: 413, code: 'too_large' })
  await attach(10_000_000)
  await expect(attach(10_000_000)).rejects.toMatchObject({ status: 413 })
  const { attachments } = await show(ada, id)
  expect(attachments.map(({ size }) => size)).toEqual([10_000_000])
  await ada.api(campaigns.detach, { params: { id, attachmentId: attachments[0]?.id ?? '' } })
  expect((await show(ada, id)).attachments).toEqual([])
})

test('Gmail: a message over 5 MB is sent with its attachment unchanged', async () => {
  const { ada, email, id, send } = await ready(1)
  const bytes = Buffer.alloc(4_000_000, 'postlark')
  const form = new FormData()
  form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'report.pdf')
  await ada.api(campaigns.attach, { params: { id }, form })
  await send()
  expect((await untilState(ada, id, ['sent'])).counts).toMatchObject({ sent: 1 })
  const { messages } = await gmailControl(t, { email })
  const mail = await PostalMime.parse(Buffer.from(messages[0]?.raw ?? '', 'latin1'))
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['report.pdf'])
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(bytes)).toBe(true)
}, 120_000)
