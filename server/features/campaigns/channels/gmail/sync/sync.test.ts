import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { beforeAll, expect, test } from 'vitest'
import { admin } from '#contracts/admin/admin.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, letTimePass, listWith } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

let n = 0
const PASSWORD = 'abcdefghijklmnop'
async function ready(count: number, reads: boolean, appPassword?: string) {
  const ada = await t.person()
  const email = `reader${++n}@gmail.com`
  const senderId = await gmailVisitor(t, ada).account(email, { reads, ...(appPassword && { appPassword }) })
  const { id } = await draftTo(ada, await listWith(t.services, ada, count), { channel: 'gmail', senderIds: [senderId] })
  const items = [{ afterMinutes: 60, html: '<p>Still there?</p>', stopOnReply: true }]
  await ada.api(followUps.save, { params: { id }, body: { items } })
  const campaign = () => ada.api(campaigns.get, { params: { id } })
  const read = () =>
    t.services.db.updateTable('gmailAccounts').set({ readAt: null }).where('senderId', '=', senderId).execute()
  const sender = () => ada.api(senders.get, { params: { id: senderId } })
  return { ada, email, senderId, id, campaign, read, sender }
}

test('sync: the mailbox of a suspended account is not synced', async () => {
  const [root, shut, open] = [await t.person({ role: 'admin' }), await ready(1, true), await ready(1, true)]
  const readAt = async (one: typeof shut) =>
    (
      await t.services.db
        .selectFrom('gmailAccounts')
        .where('senderId', '=', one.senderId)
        .select('readAt')
        .executeTakeFirstOrThrow()
    ).readAt ?? undefined
  for (const one of [shut, open]) await until(() => readAt(one), 'the first look into the mailbox')
  await root.api(admin.changeUser, { params: { id: shut.ada.id }, body: { suspended: true } })
  await shut.read()
  await open.read()
  // Those that were never read come first: the open one is read after the turn of the other would have come.
  await until(() => readAt(open), 'the next look')
  expect(await readAt(shut)).toBeUndefined()
})

/** What Gmail reports of an address that does not exist; `own`: X-Postlark-Id of the message. */
const goneReport = (email: string, to: string, own: string) =>
  `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nTo: ${email}\nSubject: Delivery Status Notification (Failure)\nMIME-Version: 1.0\nContent-Type: multipart/report; boundary="b"; report-type=delivery-status\n\n--b\nContent-Type: text/plain\n\nAddress not found\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; googlemail.com\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\n\n--b\nContent-Type: message/rfc822\n\nFrom: ${email}\nTo: ${to}\nX-Postlark-Id: ${own}\nSubject: News\n\nText\n--b--\n`

const WAYS = [
  ['through Gmail’s API', undefined],
  ['over IMAP', PASSWORD],
] as const

test.each(WAYS)(
  'sync: with %s, replies stop follow-ups and count, automatic replies do not, and bounces are found',
  async (_, way) => {
    const { ada, email, id, campaign, read, sender } = await ready(4, true, way)
    await until(async () => (await sender()).gmail?.readAt ?? undefined, 'the first look into the mailbox')
    await ada.api(campaigns.send, { params: { id }, body: {} })
    await until(async () => ((await campaign()).counts.sent === 4 ? true : undefined), 'four sent')
    const { messages } = await gmailControl(t, { email })
    const sent = await Promise.all(
      messages.map(async ({ raw, threadId }) => {
        const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'))
        const header = (key: string) => mail.headers.find((one) => one.key === key)?.value ?? ''
        return { to: mail.to?.[0]?.address ?? '', threadId, id: header('message-id'), own: header('x-postlark-id') }
      }),
    )
    const one = (to: string) => sent.find((mail) => mail.to === to) ?? { to, threadId: '', id: '', own: '' }
    const comes = (raw: string, threadId?: string) =>
      gmailControl(t, { email, incoming: { raw: raw.replaceAll('\n', '\r\n'), ...(threadId && { threadId }) } })
    const reply = one('r1@example.com')
    await comes(
      `From: r1@example.com\nTo: ${email}\nSubject: Re: News\nMessage-ID: <a@example.com>\nIn-Reply-To: ${reply.id}\n\nYes, please.\n`,
    )
    const away = one('r2@example.com')
    await comes(
      `From: r2@example.com\nTo: ${email}\nSubject: Away\nAuto-Submitted: auto-replied\nIn-Reply-To: ${away.id}\n\nBack on Monday.\n`,
      away.threadId,
    )
    const gone = one('r3@example.com')
    await comes(goneReport(email, 'r3@example.com', gone.own))
    await comes(`From: somebody@example.org\nTo: ${email}\nSubject: Lunch\n\nAt noon?\n`)
    await read()
    const after = await until(async () => {
      const now = await campaign()
      return now.replied === 1 && now.counts.bounced === 1 ? now : undefined
    }, 'an answer and a bounce')
    expect(after).toMatchObject({ reads: 'all', counts: { sent: 3, bounced: 1 } })
    const { items } = await ada.api(campaigns.messages, { params: { id }, query: {} })
    expect(items.filter((row) => row.repliedAt).map((row) => row.address)).toEqual(['r1@example.com'])
    expect(items.find((row) => row.state === 'bounced')).toMatchObject({ address: 'r3@example.com', reason: 'hard' })
    const barred = await ada.api(suppressions.list, { query: {} })
    expect(barred.items.map(({ address, reason }) => [address, reason])).toEqual([['r3@example.com', 'hard_bounce']])
    const [step] = (await ada.api(followUps.list, { params: { id } })).items
    await letTimePass(t.services, id, step?.id)
    await until(async () => ((await campaign()).state === 'sent' ? true : undefined), 'the end')
    const [done] = (await ada.api(followUps.list, { params: { id } })).items
    expect(done).toMatchObject({ counts: { sent: 2, suppressed: 2 }, stopped: { replied: 1, bounced: 1 } })
  },
  180_000,
)

test('sync: a complaint that brings back the message suppresses its recipient, and one that does not changes nothing', async () => {
  const { ada, email, id, campaign, read, sender } = await ready(3, true)
  await until(async () => (await sender()).gmail?.readAt ?? undefined, 'the first look into the mailbox')
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await until(async () => (await campaign()).counts.sent === 3, 'three sent')
  const { messages } = await gmailControl(t, { email })
  const comes = async (to: string, type: string, field: 'X-Postlark-Id' | 'In-Reply-To') => {
    const sent = messages.find(({ raw }) => raw.includes(`<${to}>`))?.raw ?? ''
    const find = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'im').exec(sent)?.[1] ?? ''
    const [outside, inside] =
      field === 'In-Reply-To'
        ? [`In-Reply-To: ${find('Message-ID')}\r\n`, '']
        : ['', `X-Postlark-Id: ${find(field)}\r\n`]
    const raw = `From: feedback@receiver.example\r\nTo: ${email}\r\nSubject: Abuse report\r\n${outside}MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nUser-Agent: Loop/1.0\r\nVersion: 1\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${inside}Subject: News\r\n\r\nText\r\n--b--\r\n`
    await gmailControl(t, { email, incoming: { raw } })
  }
  await comes('r1@example.com', 'abuse', 'In-Reply-To')
  await comes('r2@example.com', 'opt-out', 'X-Postlark-Id')
  await comes('r3@example.com', 'abuse', 'X-Postlark-Id')
  await read()
  const barred = async () => (await ada.api(suppressions.list, { query: {} })).items
  await until(async () => ((await barred()).length === 2 ? true : undefined), 'both reports')
  expect((await barred()).map(({ address, reason }) => `${address} ${reason}`).sort()).toEqual([
    'r2@example.com unsubscribe',
    'r3@example.com complaint',
  ])
  expect(await campaign()).toMatchObject({ replied: 0, counts: { sent: 3, bounced: 0 } })
}, 180_000)

test.each(WAYS)(
  'sync: with %s, replies are found after the history expired, and the sync continues',
  async (_, way) => {
    const { ada, email, id, campaign, read, sender } = await ready(2, true, way)
    await until(async () => (await sender()).gmail?.readAt ?? undefined, 'the first look into the mailbox')
    await ada.api(campaigns.send, { params: { id }, body: {} })
    await until(async () => (await campaign()).counts.sent === 2, 'two sent')
    const { messages } = await gmailControl(t, { email })
    const reply = async (to: string) => {
      const sent = messages.find(({ raw }) => raw.includes(`<${to}>`))
      const [, name = ''] = /^Message-ID:\s*(\S+)/im.exec(sent?.raw ?? '') ?? []
      const raw = `From: ${to}\r\nTo: ${email}\r\nSubject: Re: News\r\nIn-Reply-To: ${name}\r\n\r\nYes.\r\n`
      await gmailControl(t, { email, incoming: { raw } })
    }
    const replied = (count: number) => until(async () => (await campaign()).replied === count, `${count} answered`)
    await reply('r1@example.com')
    await gmailControl(t, { email, forgetHistory: true, renumber: true })
    await read()
    await replied(1)
    await until(async () => (await sender()).gmail?.readAt ?? undefined, 'the end of the look')
    expect((await sender()).gmail?.readText).toBe('')
    await reply('r2@example.com')
    await read()
    await replied(2)
    const { items } = await ada.api(campaigns.messages, { params: { id }, query: {} })
    expect(items.filter((row) => row.repliedAt)).toHaveLength(2)
  },
  180_000,
)

test('sync: without permission to read, replies are unknown and the check says so', async () => {
  const { ada, id, campaign, sender } = await ready(1, false)
  expect((await sender()).gmail).toMatchObject({ reads: false, readAt: null })
  expect(await campaign()).toMatchObject({ reads: 'none', replied: null })
  const { problems } = await ada.api(campaigns.check, { params: { id } })
  expect(problems.map(({ code }) => code)).toContain('replies_unseen')
})

test('sync: a slow start stays on its day while too many of its messages bounce', async () => {
  const { ada, email, senderId, id, campaign, read, sender } = await ready(60, true)
  const params = { id: senderId }
  const begun = await ada.api(senders.update, { params, body: { rampUp: true } })
  expect(begun).toMatchObject({ gmail: { rampUp: true, allowedToday: 50 }, rampPlan: { day: 1, startedAt: null } })
  await until(async () => begun.gmail?.readAt ?? (await sender()).gmail?.readAt ?? undefined, 'the first look')
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await until(async () => (await campaign()).stateText.includes('limit of 50 messages'), 'the limit of the day')
  const { messages } = await gmailControl(t, { email })
  for (const { raw } of messages.slice(0, 4)) {
    const find = (name: string) => new RegExp(`^${name}:.*?([\\w@.-]+)>?\\r?$`, 'im').exec(raw)?.[1] ?? ''
    await gmailControl(t, { email, incoming: { raw: goneReport(email, find('To'), find('X-Postlark-Id')) } })
  }
  await read()
  await until(async () => (await campaign()).counts.bounced === 4, 'four bounces')
  const { db, live } = t.services
  // A day passes: all that happened is a day and an hour older.
  const older = (column: string) =>
    sql`(${sql.ref(column)} at time zone 'utc' - interval '25 hours') at time zone 'utc'`
  await sql`update senders set ramp_from = ${older('ramp_from')} where id = ${senderId}`.execute(db)
  await sql`update sender_usage set bucket = ${older('bucket')} where sender_id = ${senderId}`.execute(db)
  await sql`update messages set bounced_at = ${older('bounced_at')} where sender_id = ${senderId}`.execute(db)
  live.publish('sending', id)
  await until(async () => (await campaign()).counts.sent === 56, 'the next day')
  // Another thread may reserve what is left of the day for a moment, before it finds no more messages.
  await until(async () => (await sender()).gmail?.sentToday === 10, 'the room of the day')
  expect(await sender()).toMatchObject({
    gmail: { allowedToday: 50 },
    rampPlan: { day: 1, limit: 50, held: { text: expect.stringContaining('8% of the emails of that day bounced') } },
  })
  const off = await ada.api(senders.update, { params, body: { rampUp: false } })
  expect(off).toMatchObject({ gmail: { rampUp: false, allowedToday: 500 }, rampPlan: null })
}, 180_000)
