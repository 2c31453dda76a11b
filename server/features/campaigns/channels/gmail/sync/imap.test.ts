import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { followUps } from '#contracts/campaigns/channels/gmail/follow-ups.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { sandbox } from '#contracts/sandbox/sandbox.ts'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, letTimePass, listWith, untilState } from '#server/testing/campaign.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const PASSWORD = 'abcdefghijklmnop'
let n = 0
/** A campaign that left through an account by app password, whose mailbox was looked into once if it may be. */
async function sent(count: number, reads = true, address?: (n: number) => string) {
  const ada = await t.person()
  const email = `imap${++n}@gmail.com`
  const senderId = await gmailVisitor(t, ada).account(email, { reads, appPassword: PASSWORD })
  const sender = () => ada.api(senders.get, { params: { id: senderId } })
  if (reads) await until(async () => (await sender()).gmail?.readAt ?? undefined, 'the first look into the mailbox')
  const { id } = await draftTo(ada, await listWith(t.services, ada, count, address), {
    channel: 'gmail',
    senderIds: [senderId],
  })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const { messages } = await gmailControl(t, { email })
  const findMessageId = (to: string) =>
    /^Message-ID:\s*(\S+)/im.exec(messages.find(({ raw }) => raw.includes(`<${to}>`))?.raw ?? '')?.[1] ?? ''
  return {
    ada,
    email,
    senderId,
    id,
    sender,
    findMessageId,
    campaign: () => ada.api(campaigns.get, { params: { id } }),
    /** Its time has come again, whatever it waits for. */
    look: () =>
      t.services.db
        .updateTable('gmailAccounts')
        .set({ readAt: null, readAfter: null })
        .where('senderId', '=', senderId)
        .execute(),
    reply: (to: string, text = 'Yes.') =>
      gmailControl(t, {
        email,
        incoming: {
          raw: `From: ${to}\r\nTo: ${email}\r\nSubject: Re: News\r\nIn-Reply-To: ${findMessageId(to)}\r\n\r\n${text}\r\n`,
        },
      }),
    replied: (count: number) =>
      until(async () => ((await fetchCampaign(ada, id)).replied === count ? true : undefined), `${count} answered`),
  }
}
const fetchCampaign = (ada: Awaited<ReturnType<TestApp['person']>>, id: string) =>
  ada.api(campaigns.get, { params: { id } })

test('IMAP: replies are unknown without permission to read, and earlier ones are found with it', async () => {
  const { ada, email, senderId, sender, campaign, reply, replied } = await sent(2, false)
  await reply('r1@example.com')
  expect((await sender()).gmail).toMatchObject({ access: 'app_password', reads: false, readAt: null })
  expect(await campaign()).toMatchObject({ reads: 'none', replied: null })
  expect((await gmailControl(t, { email })).imap.tries).toBe(0)
  await ada.api(senders.update, { params: { id: senderId }, body: { reads: true } })
  // From here on replies are known, whether the earlier one was found already or not.
  expect(await campaign()).toMatchObject({ reads: 'all', replied: expect.any(Number) })
  await replied(1)
}, 180_000)

test('IMAP: a refused password is shown and rarely tried again, and a new one finds all replies', async () => {
  const { ada, email, senderId, sender, look, reply, replied } = await sent(1)
  await gmailControl(t, { email, appPassword: 'qrstuvwxyzabcdef' })
  await reply('r1@example.com')
  await look()
  const refused = await until(
    async () => ((await sender()).state === 'failing' ? (await sender()).gmail : undefined),
    'the refusal',
  )
  expect(refused).toMatchObject({ health: 'failing', readText: expect.stringContaining('did not accept') })
  expect(refused?.healthText).toContain('app password')
  const { readAfter } = await t.services.db
    .selectFrom('gmailAccounts')
    .where('senderId', '=', senderId)
    .select('readAfter')
    .executeTakeFirstOrThrow()
  expect((readAfter?.getTime() ?? 0) - Date.now()).toBeGreaterThan(50 * 60_000)
  await ada.api(senders.update, { params: { id: senderId }, body: { password: 'qrst uvwx yzab cdef' } })
  await look()
  await replied(1)
  expect((await sender()).gmail).toMatchObject({ health: 'working', readText: '' })
}, 180_000)

test('IMAP: a temporary problem is shown, does not stop sending and loses no reply', async () => {
  const { email, sender, look, reply, replied, campaign } = await sent(1)
  await reply('r1@example.com')
  const said = {
    off: 'IMAP is turned off',
    busy: 'Google asks to wait',
    cut: 'cannot be read over IMAP',
  } as const
  for (const [trouble, words] of Object.entries(said)) {
    await gmailControl(t, { email, imap: trouble as keyof typeof said })
    await look()
    await until(async () => ((await sender()).gmail?.readText.includes(words) ? true : undefined), trouble)
    expect(await sender()).toMatchObject({ state: 'working', gmail: { health: 'working', reads: true } })
  }
  expect((await campaign()).replied).toBe(0)
  await gmailControl(t, { email, imap: 'none' })
  await look()
  await replied(1)
  expect((await sender()).gmail?.readText).toBe('')
}, 180_000)

test('IMAP: one connection is open only while syncing, and large emails are fetched in part', async () => {
  const { email, look, reply, replied, campaign, findMessageId } = await sent(3)
  const longText = 'x'.repeat(76).concat('\r\n').repeat(40_000)
  await reply('r1@example.com', longText)
  const returned = (to: string) =>
    `From: mailer-daemon@googlemail.com\r\nTo: ${email}\r\nSubject: Delivery Status Notification (Failure)\r\nIn-Reply-To: ${findMessageId(to)}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; boundary="b"; report-type=delivery-status\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; googlemail.com\r\n\r\nFinal-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: 5.2.2\r\nDiagnostic-Code: smtp; 552-5.2.2 The mailbox is full\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: News\r\n\r\n${longText}--b--\r\n`
  await gmailControl(t, { email, incoming: { raw: returned('r2@example.com') } })
  const { bytes: before } = (await gmailControl(t, { email })).imap
  await look()
  await replied(1)
  const { counts } = await until(
    async () => ((await campaign()).counts.bounced === 1 ? campaign() : undefined),
    'what returned',
  )
  expect(counts).toMatchObject({ sent: 2, bounced: 1 })
  const { imap } = await until(async () => {
    const box = await gmailControl(t, { email })
    return box.imap.open === 0 ? box : undefined
  }, 'the end of the look')
  expect(imap.most).toBe(1)
  expect(longText.length * 2).toBeGreaterThan(6_000_000)
  expect(imap.bytes - before).toBeLessThan(1_200_000)
}, 180_000)

test('IMAP: bounces as unsolicited stop the account, and other accounts continue without it', async () => {
  const { ada, email, senderId, id, look, findMessageId, sender } = await sent(6, true, (i) => `r${i}@firm${i}.example`)
  const items = [{ afterMinutes: 60, html: '<p>Still there?</p>', stopOnReply: true }]
  const other = await gmailVisitor(t, ada).account(`other-${email}`, { appPassword: PASSWORD })
  const to = await listWith(t.services, ada, 3, (i) => `s${i}@example.com`)
  const both = await draftTo(ada, to, { channel: 'gmail', senderIds: [senderId, other] })
  const alone = await draftTo(ada, to, { channel: 'gmail', senderIds: [senderId] })
  await ada.api(followUps.save, { params: { id: alone.id }, body: { items } })
  await ada.api(campaigns.send, { params: { id: alone.id }, body: {} })
  await until(async () => (await fetchCampaign(ada, alone.id)).counts.sent === 3 || undefined, 'three sent')
  for (const n of [1, 2, 3, 4, 5]) {
    const raw = `From: mailer-daemon@googlemail.com\r\nTo: ${email}\r\nSubject: Delivery Status Notification (Failure)\r\nIn-Reply-To: ${findMessageId(`r${n}@firm${n}.example`)}\r\nContent-Type: multipart/report; boundary="b"; report-type=delivery-status\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; googlemail.com\r\n\r\nFinal-Recipient: rfc822; r${n}@firm${n}.example\r\nAction: failed\r\nStatus: 5.7.1\r\nDiagnostic-Code: smtp; 550-5.7.1 Message rejected due to local spam policy\r\n\r\n--b--\r\n`
    await gmailControl(t, { email, incoming: { raw } })
  }
  await look()
  const stopped = await until(async () => ((await sender()).gmail?.blockedAt ? sender() : undefined), 'the stop')
  expect(stopped.gmail?.healthText).toContain('5 messages of this account were refused')
  expect((await fetchCampaign(ada, id)).counts).toMatchObject({ sent: 1, bounced: 5 })
  // Nobody of them is barred: the address is not to blame.
  expect((await ada.api(suppressions.list, { query: {} })).items).toEqual([])
  await ada.api(campaigns.send, { params: { id: both.id }, body: {} })
  expect((await untilState(ada, both.id, ['sent'])).counts.sent).toBe(3)
  const { items: rows } = await ada.api(campaigns.messages, { params: { id: both.id }, query: {} })
  expect(new Set(rows.map((row) => row.senderId))).toEqual(new Set([other]))
  // A follow-up keeps to the account of its thread, which may not send.
  const [step] = (await ada.api(followUps.list, { params: { id: alone.id } })).items
  await letTimePass(t.services, alone.id, step?.id)
  expect((await untilState(ada, alone.id, ['paused'])).stateText).toContain(`${email}: Paused`)
  await ada.api(senders.release, { params: { id: senderId } })
  await ada.api(campaigns.resume, { params: { id: alone.id } })
  await untilState(ada, alone.id, ['sent'])
  const [done] = (await ada.api(followUps.list, { params: { id: alone.id } })).items
  expect(done?.counts).toMatchObject({ sent: 3, failed: 0 })
}, 180_000)

test('IMAP: a bounce that names several people counts by its recipient, else by the mildest class', async () => {
  const { ada, email, id, look, findMessageId } = await sent(3)
  const about = (address: string, words: string) =>
    `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: ${words.slice(4, 9)}\r\nDiagnostic-Code: smtp; ${words}\r\n\r\n`
  const [gone, full] = ['550 5.1.1 User unknown', '552 5.2.2 Mailbox full']
  const returns: [string, string[]][] = [
    ['r1@example.com', [about('member@example.net', full), about('R1@example.com', gone)]],
    ['r2@example.com', [about('member@example.net', gone), about('r2@example.com', full)]],
    ['r3@example.com', [about('one@example.net', gone), about('two@example.net', full)]],
  ]
  for (const [to, people] of returns) {
    const raw = `From: mailer-daemon@googlemail.com\r\nTo: ${email}\r\nSubject: Failure\r\nIn-Reply-To: ${findMessageId(to)}\r\nContent-Type: multipart/report; boundary="b"; report-type=delivery-status\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; googlemail.com\r\n\r\n${people.join('')}--b--\r\n`
    await gmailControl(t, { email, incoming: { raw } })
  }
  await look()
  await until(async () => (await fetchCampaign(ada, id)).counts.bounced === 3 || undefined, 'three returns')
  const { items } = await ada.api(campaigns.messages, { params: { id }, query: {} })
  expect(items.map((row) => [row.address, row.reason]).sort()).toEqual([
    ['r1@example.com', 'hard'],
    ['r2@example.com', 'soft'],
    ['r3@example.com', 'soft'],
  ])
  const barred = await ada.api(suppressions.list, { query: {} })
  expect(barred.items.map((row) => row.address)).toEqual(['r1@example.com'])
})

test('IMAP: the sandbox delivers replies, automatic replies and bounces, which are told apart', async () => {
  const app = await sharedApp({ mail: 'sandbox' })
  const ada = await app.person({ role: 'admin' })
  const senderId = await gmailVisitor(app, ada).account('ada@gmail.com', { reads: true, appPassword: PASSWORD })
  const to = await listWith(
    app.services,
    ada,
    3,
    (i) => ['r1@example.com', 'r2@example.com', 'bounce@example.com'][i - 1] ?? '',
  )
  const { id } = await draftTo(ada, to, { channel: 'gmail', senderIds: [senderId] })
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const { items } = await until(async () => {
    const page = await ada.api(sandbox.list, { query: {} })
    return page.items.length === 2 ? page : undefined
  }, 'two mails in the sandbox')
  for (const mail of items) {
    expect(await ada.api(sandbox.get, { params: { id: mail.id } })).toMatchObject({ canReply: true })
    const by = mail.to[0] === 'r1@example.com' ? ('person' as const) : ('machine' as const)
    await ada.api(sandbox.reply, { params: { id: mail.id }, body: { text: 'Grüße\nAda', by } })
  }
  const done = await until(async () => {
    const again = app.services.db.updateTable('gmailAccounts').set({ readAt: null })
    await again
      .where('senderId', '=', senderId)
      .where('readAt', '<', new Date(Date.now() - 2_000))
      .execute()
    const now = await fetchCampaign(ada, id)
    return now.replied === 1 && now.counts.bounced === 1 ? now : undefined
  }, 'an answer and a bounce')
  expect(done).toMatchObject({ reads: 'all', counts: { sent: 2, bounced: 1 } })
  const rows = await ada.api(campaigns.messages, { params: { id }, query: {} })
  expect(rows.items.filter((row) => row.repliedAt).map((row) => row.address)).toEqual(['r1@example.com'])
  // Other mail has no reader.
  await ada.api(senders.test, {
    params: { id: (await ada.api(senders.list, { query: {} })).items[0]?.id ?? '' },
    body: { to: 'x@example.com' },
  })
  const other = (await ada.api(sandbox.list, { query: {} })).items[0]?.id ?? ''
  await expect(ada.api(sandbox.reply, { params: { id: other }, body: { text: 'Hi' } })).rejects.toMatchObject({
    status: 409,
  })
}, 180_000)
