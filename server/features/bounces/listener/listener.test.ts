import { generateKeyPairSync } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bounceSources } from '#contracts/bounces/bounces.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { domains } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'
import { until } from '#server/testing/until.ts'

const HOST = 'bounces.postlark.example'
const zone: Zone = { '_spf.relay.example': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] } }
let names: Awaited<ReturnType<typeof startNameServer>>
let t: TestApp
let ada: Person
let count = 0

beforeAll(async () => {
  names = await startNameServer(zone)
  t = await testApp({
    environment: {
      ...{ DNS_SERVERS: names.address, SPF_INCLUDE: '_spf.relay.example' },
      ...{ RETURN_PATH_HOST: HOST, BOUNCE_SMTP_PORT: '0' },
    },
  })
  ada = await t.person()
  await verify(ada, 'shop.example')
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await names.stop()
})

/** Publishes the records of a sending domain, and writes from it. */
async function verify(person: Person, domain: string): Promise<void> {
  const { id, records } = await person.api(domains.create, { body: { domain } })
  for (const { type, name, value } of records) zone[name] = type === 'TXT' ? { TXT: [value] } : { CNAME: value }
  expect(await person.api(domains.check, { params: { id } })).toMatchObject({ state: 'verified' })
  const [sender] = (await person.api(senders.list, { query: {} })).items
  await person.api(senders.update, { params: { id: sender?.id ?? '' }, body: { fromEmail: `news@${domain}` } })
}

/** Sends a campaign to new addresses. Returns its id, and for each message the address it returns to. */
async function sendTo(person: Person, size: number) {
  const tag = ++count
  const address = (n: number) => `v${tag}-${n}@example.com`
  const { id } = await draftTo(person, await listWith(t.services, person, size, address))
  await person.api(campaigns.send, { params: { id }, body: {} })
  await untilState(person, id, ['sent'])
  const messages = []
  for (let n = 1; n <= size; n++) {
    const mail = await t.sink.mailTo(address(n))
    const { from = '' } = t.sink.received.find(({ to }) => to.includes(address(n))) ?? {}
    messages.push({ address: address(n), from, raw: mail.raw.toString(), messageId: mail.messageId ?? '' })
  }
  return { id, messages }
}

/** The last reply to a report, as it was said. */
let said = ''
/** What a mail server says to a report: its last reply's code, and how it was said. */
async function deliver(to: string, raw: string, { from = '', tls = true } = {}) {
  const transport = createTransport({
    ...{ host: '127.0.0.1', port: t.bouncePort, requireTLS: tls, ignoreTLS: !tls },
    tls: { rejectUnauthorized: false },
  })
  try {
    const { response } = await transport.sendMail({ envelope: { from, to: [to] }, raw })
    return Number(response.slice(0, 3))
  } catch (error) {
    said = (error as { response?: string }).response ?? ''
    return (error as { responseCode?: number }).responseCode ?? (error as Error).message
  } finally {
    transport.close()
  }
}

const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`
const report = (kind: string, machine: string, original = '') =>
  `From: MAILER-DAEMON@mx.example.com\r\nSubject: Undelivered\r\nContent-Type: multipart/report; report-type=${kind}; boundary=b\r\n\r\n${part('text/plain', 'It did not work.')}${part(`message/${kind}`, machine)}${original && part('text/rfc822-headers', original)}--b--\r\n`
const dsn = (address: string, diagnostic = '550 5.1.1 User unknown', action = 'failed') =>
  report(
    'delivery-status',
    `Reporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: ${action}\r\nStatus: ${diagnostic.slice(4, 9)}\r\nDiagnostic-Code: smtp; ${diagnostic}\r\n`,
  )
const arf = (original: string) =>
  report('feedback-report', 'Feedback-Type: abuse\r\nUser-Agent: Yahoo/1\r\nVersion: 1\r\n', original)

const readCounts = async (id: string) => (await ada.api(campaigns.get, { params: { id } })).counts
const readReason = async (address: string) =>
  (await ada.api(suppressions.list, { query: { q: address } })).items[0]?.reason

test('listener: a bounce returned to a message bounces it and suppresses its address, over STARTTLS, once', async () => {
  const { id } = await ada.api(bounceSources.create, { body: { kind: 'listener' } })
  const sent = await sendTo(ada, 4)
  const [hard, full, away, late] = sent.messages as [(typeof sent.messages)[number], ...typeof sent.messages]
  for (const { from } of sent.messages) {
    expect(from).toMatch(/^bounce-[a-z2-7]{47}@bounces\.shop\.example$/)
    expect(from.indexOf('@')).toBeLessThanOrEqual(64)
  }
  expect(hard.raw).toMatch(/^From: .*news@shop\.example/m)
  // Some servers change the case of what they return to.
  expect(await deliver(hard.from.toUpperCase(), dsn(hard.address))).toBe(250)
  expect(await deliver(hard.from, dsn(hard.address))).toBe(250)
  expect(await deliver(full?.from ?? '', dsn(full?.address ?? '', '552 5.2.2 Mailbox full'), { tls: false })).toBe(250)
  const reply = `From: ${away?.address}\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nUser unknown to the beach.\r\n`
  expect(await deliver(away?.from ?? '', reply, { from: away?.address ?? '' })).toBe(250)
  expect(await deliver(late?.from ?? '', dsn(late?.address ?? '', '451 4.4.1 Not yet', 'delayed'))).toBe(250)
  expect(await readCounts(sent.id)).toMatchObject({ sent: 2, bounced: 2 })
  expect(await readReason(hard.address)).toBe('hard_bounce')
  expect(await readReason(full?.address ?? '')).toBeUndefined()
  expect(await ada.api(bounceSources.get, { params: { id } })).toMatchObject({ state: 'receiving', webhookUrl: null })
  const { items } = await ada.api(campaigns.messages, { params: { id: sent.id }, query: { state: 'bounced' } })
  expect(items.map(({ address, bounce }) => [address, bounce])).toEqual([
    [hard.address, expect.objectContaining({ class: 'hard', code: '5.1.1', source: 'listener' })],
    [full?.address, expect.objectContaining({ class: 'soft', code: '5.2.2', response: '552 5.2.2 Mailbox full' })],
  ])
  const stats = await ada.api(campaigns.stats, { params: { id: sent.id } })
  expect(stats).toMatchObject({ accepted: 4, delivered: 2, complaints: 0, observedSince: expect.any(String) })
  expect(stats.receivers).toEqual([
    { receiver: 'example.com', accepted: 4, deferred: 0, bounced: 2, blocked: 0, complained: 0, opened: 0, clicked: 0 },
  ])
})

test('listener: forged addresses, strangers and what is too large are refused, and change nothing', async () => {
  const { id, messages } = await sendTo(ada, 1)
  const [{ address, from }] = messages as [(typeof messages)[number]]
  const [local = '', host] = from.split('@')
  const forged = [
    local.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    local.replace(/-./, (first) => (first === '-a' ? '-b' : '-a')),
    local.replace('bounce', 'feedback'),
    `${local}a`,
    'bounce-',
    'postmaster',
  ]
  for (const one of forged) expect(await deliver(`${one}@${host}`, dsn(address)), one).toBe(550)
  expect(await deliver(`${local}@elsewhere.example`, dsn(address))).toBe(550)
  expect(await deliver('somebody@example.com', dsn(address))).toBe(550)
  expect(said).toBe('550 5.1.1 No such address here')
  expect(await deliver(from, dsn(address) + 'x'.repeat(999).concat('\r\n').repeat(10_500))).toBe(552)
  expect(await readCounts(id)).toMatchObject({ sent: 1, bounced: 0 })
  expect(await readReason(address)).toBeUndefined()
})

test('listener: a complaint counts at an address of the workspace and with a mark of ours only', async () => {
  const source = await ada.api(bounceSources.create, { body: { kind: 'listener' } })
  const eve = await t.person()
  const others = await eve.api(bounceSources.create, { body: { kind: 'listener' } })
  const { messages } = await sendTo(ada, 2)
  const [first, second] = messages as [(typeof messages)[number], (typeof messages)[number]]
  const altered = first.messageId.replace(/^<./, (start) => (start === '<A' ? '<B' : '<A'))
  const forged = arf(`Message-ID: ${altered}\r\nTo: ${first.address}\r\n`)
  expect(await deliver(source.address ?? '', forged, { from: 'feedback@arf.example' })).toBe(250)
  expect(await deliver(others.address ?? '', arf(`Message-ID: ${first.messageId}\r\n`))).toBe(250)
  expect(await readReason(first.address)).toBeUndefined()
  // A provider that redacts the rest leaves the address it would have been returned to.
  expect(await deliver(source.address ?? '', arf(`Message-ID: ${first.messageId}\r\n`))).toBe(250)
  expect(await deliver(source.address ?? '', arf(`Return-Path: <${second.from}>\r\n`))).toBe(250)
  expect(await readReason(first.address)).toBe('complaint')
  expect(await readReason(second.address)).toBe('complaint')
  await ada.api(bounceSources.remove, { params: { id: source.id } })
  expect(await deliver(source.address ?? '', arf(''))).toBe(550)
})

test('listener: who guesses addresses is hung up on, and a report that cannot be stored yet is answered 451', async () => {
  const { id, messages } = await sendTo(ada, 1)
  const [{ address, from }] = messages as [(typeof messages)[number]]
  await t.services.db.updateTable('messages').set({ state: 'claimed' }).where('campaignId', '=', id).execute()
  const refused = dsn(address, '550 5.7.26 Unauthenticated email is not accepted due to its DMARC policy')
  expect(await deliver(from, refused)).toBe(451)
  await t.services.db.updateTable('messages').set({ state: 'sent' }).where('campaignId', '=', id).execute()
  expect(await deliver(from, refused)).toBe(250)
  expect(await readCounts(id)).toMatchObject({ bounced: 1 })
  // The recipient may have written it, so it does not stop the sender for all of their receiver.
  expect((await ada.api(senders.list, { query: {} })).items[0]).toMatchObject({ pausedReceivers: [] })
  const transport = createTransport({ host: '127.0.0.1', port: t.bouncePort, ignoreTLS: true })
  const guesses = Array.from({ length: 12 }, (_, n) => `bounce-guess${n}@${HOST}`)
  await expect(transport.sendMail({ envelope: { from: '', to: [...guesses, from] }, raw: 'x' })).rejects.toThrow()
})

const DAY = 86_400
/** A report of a receiver about emails of a domain: two of ours that passed, and five of somebody else's that were rejected. */
function aggregate(domain: string, id: string, selector: string) {
  const begin = Math.floor(Date.now() / 1_000) - DAY
  const row = (ip: string, count: number, result: string, disposition: string, signature: string) =>
    `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${result}</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>${domain}</header_from></identifiers><auth_results>${signature}</auth_results></record>`
  const signature = `<dkim><domain>${domain}</domain><selector>${selector}</selector><result>pass</result></dkim>`
  const xml = `<feedback><report_metadata><org_name>receiver.example</org_name><report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${begin + DAY - 1}</end></date_range></report_metadata><policy_published><domain>${domain}</domain><p>reject</p></policy_published>${row('192.0.2.1', 2, 'pass', 'none', signature)}${row('203.0.113.9', 5, 'fail', 'reject', '')}</feedback>`
  return `From: dmarc@receiver.example\r\nSubject: Report domain: ${domain} Submitter: receiver.example Report-ID: ${id}\r\nMIME-Version: 1.0\r\nContent-Type: application/gzip; name="receiver.example!${domain}!${begin}!${begin + DAY}.xml.gz"\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(xml).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`
}

test('listener: DMARC reports about a sending domain are stored once, and say who sends as it', async () => {
  const [domain] = (await ada.api(domains.list, { query: {} })).items
  const params = { id: domain?.id ?? '' }
  const value = domain?.records.find(({ purpose }) => purpose === 'dmarc')?.value ?? ''
  const address =
    /^v=DMARC1; p=none; rua=mailto:(dmarc-[a-z2-7]{47}@bounces\.postlark\.example)$/.exec(value)?.[1] ?? ''
  const selector = domain?.records.find(({ purpose }) => purpose === 'dkim')?.name.split('.')[0] ?? ''
  expect(await ada.api(domains.dmarc, { params, query: {} })).toMatchObject({ reports: 0, address, sources: [] })
  // The client that delivers them may send for their author.
  zone['receiver.example'] = { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }
  const vouched = (mail: string) => deliver(address, mail, { from: 'dmarc@receiver.example' })
  for (let i = 0; i < 2; i++) expect(await vouched(aggregate('shop.example', 'a', selector))).toBe(250)
  expect(await vouched(aggregate('mail.shop.example', 'b', selector))).toBe(250)
  expect(await vouched(aggregate('evilshop.example', 'c', selector))).toBe(250)
  // Anybody may have written this one: it counts in nothing.
  expect(await deliver(address, aggregate('shop.example', 'forged', selector))).toBe(250)
  expect(await deliver(address, 'Subject: Report domain: shop.example\r\n\r\n<feedback>')).toBe(554)
  expect(
    await deliver(
      address.replace(/^dmarc-./, (start) => (start === 'dmarc-a' ? 'dmarc-b' : 'dmarc-a')),
      '',
    ),
  ).toBe(550)
  const shown = await ada.api(domains.dmarc, { params, query: {} })
  expect(shown).toMatchObject({ domain: 'shop.example', days: 30, reports: 3, sourceCount: 2 })
  expect(shown.unverified).toEqual({ reports: 1, messages: 7 })
  expect(shown.totals).toEqual({
    messages: 14,
    spfAligned: 0,
    dkimAligned: 4,
    passed: 4,
    ours: 2,
    quarantined: 0,
    rejected: 10,
  })
  expect(shown.sources).toMatchObject([
    { sourceIp: '203.0.113.9', name: null, messages: 10, passed: 0, rejected: 10, ours: 0 },
    { sourceIp: '192.0.2.1', messages: 4, passed: 4, ours: 2, headerFrom: ['mail.shop.example', 'shop.example'] },
  ])
  expect(shown.reporters).toMatchObject([{ reporter: 'receiver.example', reports: 3, unverified: 1 }])
  expect(shown.timeline.map(({ messages }) => messages)).toEqual([14])
})

test('listener: DMARC reports that nobody vouches for are marked, bounded by name, and leave room for those that are signed', async () => {
  const { id, records } = await ada.api(domains.create, { body: { domain: 'flooded.example' } })
  const value = records.find(({ purpose }) => purpose === 'dmarc')?.value ?? ''
  const address = /rua=mailto:(\S+)$/.exec(value)?.[1] ?? ''
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  zone['s1._domainkey.receiver.example'] = { TXT: [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`] }
  const report = (reportId: string) => aggregate('flooded.example', reportId, 'x')
  const sign = async (mail: string, signingDomain = 'receiver.example') => {
    const key = { signingDomain, selector: 's1', privateKey }
    return (
      (await dkimSign(mail, { canonicalization: 'relaxed/relaxed', ...key, signatureData: [key] })).signatures + mail
    )
  }
  for (let n = 0; n < 12; n++) expect(await deliver(address, report(`forged-${n}`))).toBe(250)
  // Signed by another domain, and with another content than was signed.
  expect(await deliver(address, await sign(report('foreign'), 'other.example'))).toBe(250)
  expect(await deliver(address, (await sign(report('altered'))).replace('Subject: ', 'Subject: Re '))).toBe(250)
  const readReporters = async () =>
    (await ada.api(domains.dmarc, { params: { id }, query: {} })).reporters.map(({ lastAt: _, ...one }) => one)
  expect(await readReporters()).toEqual([{ reporter: 'receiver.example', reports: 10, unverified: 10 }])
  // One that is signed takes the place of a forgery with its id.
  expect(await deliver(address, await sign(report('forged-1')))).toBe(250)
  expect(await deliver(address, await sign(report('real')))).toBe(250)
  expect(await readReporters()).toEqual([{ reporter: 'receiver.example', reports: 11, unverified: 9 }])
})

/** Sends the email that checks the first domain, and takes it at the mail server as a relay would. */
async function sendCheck() {
  const [[domain], [sender]] = [
    (await ada.api(domains.list, { query: {} })).items,
    (await ada.api(senders.list, { query: {} })).items,
  ]
  const params = { id: domain?.id ?? '' }
  const { to, state } = await ada.api(domains.startLoopback, { params, body: { senderId: sender?.id ?? '' } })
  const mail = await t.sink.mailTo(to)
  const { from = '' } = t.sink.received.find((mail) => mail.to.includes(to)) ?? {}
  const raw = mail.raw.toString()
  const nonce = /^Subject: .* (\w{32})\r$/m.exec(raw)?.[1] ?? ''
  const arrive = (changed = raw) => deliver(to, changed, { from })
  const read = async () => (await ada.api(domains.loopback, { params })).check
  return { params, senderId: sender?.id ?? '', to, state, from, raw, nonce, arrive, read }
}

test('listener: a real email of a domain is judged as a receiver does, once, and nothing else is taken for it', async () => {
  // Who passes the emails on may send for the return path.
  zone[HOST] = { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }
  const first = await sendCheck()
  const { params, senderId, to, from, raw, nonce, read } = first
  expect([first.state, (await ada.api(domains.loopback, { params })).host]).toEqual(['sending', HOST])
  expect([to, from]).toEqual([
    expect.stringMatching(/^loopback-[a-z2-7]{47}@bounces\.postlark\.example$/),
    expect.stringMatching(/^loopback-[a-z2-7]{47}@bounces\.shop\.example$/),
  ])
  await until(async () => (await read())?.response, 'the reply of the mail server')
  expect(await read()).toMatchObject({ state: 'sent', from: 'news@shop.example', result: null, arrivedAt: null })
  const start = (id = senderId) => ada.api(domains.startLoopback, { params, body: { senderId: id } })
  await expect(start()).rejects.toMatchObject({ status: 409, code: 'check_running' })
  const elsewhere = { host: 'mail.invalid', port: 25, fromEmail: 'ada@flooded.example' }
  const { id: other } = await ada.api(senders.create, { body: elsewhere })
  await expect(start(other)).rejects.toMatchObject({ status: 400, details: [{ field: 'senderId' }] })
  const flooded = { id: (await ada.api(domains.list, { query: {} })).items[1]?.id ?? '' }
  await ada.api(domains.startLoopback, { params: flooded, body: { senderId: other } })
  const failed = await until(async () => {
    const { check } = await ada.api(domains.loopback, { params: flooded })
    return check?.state === 'failed' && check
  }, 'an email that cannot leave')
  expect(failed).toMatchObject({ from: 'ada@flooded.example', message: expect.stringContaining('mail.invalid') })
  await expect(start('999999')).rejects.toMatchObject({ status: 400, details: [{ field: 'senderId' }] })

  const forged = to.replace(/^loopback-./, (word) => (word.endsWith('a') ? 'loopback-b' : 'loopback-a'))
  expect(await deliver(forged, raw, { from })).toBe(550)
  // A bounce of it names its subject, and says that it did not arrive.
  expect(await deliver(to, raw.replace('Subject: ', 'Subject: Undeliverable: '))).toBe(250)
  for (const changed of [raw.replace(nonce, `${nonce.slice(1)}x`), `To: ${to}\r\nSubject: x\r\n\r\n${nonce}\r\n`])
    expect(await first.arrive(changed)).toBe(250)
  expect(await read()).toMatchObject({ state: 'sent', result: null })
  expect(await first.arrive()).toBe(250)
  const arrived = await read()
  const signature = { domain: 'shop.example', selector: expect.stringMatching(/^pl[0-9a-f]{12}e?$/) }
  expect(arrived).toMatchObject({ state: 'arrived', message: 'The email passes every check.' })
  expect(arrived?.result).toEqual({
    ...{ verdict: 'pass', dkim: 'pass', tls: 'TLSv1.3', unsubscribeSigned: true, seconds: expect.any(Number) },
    signatures: Array(2).fill({ ...signature, state: 'pass', aligned: true, reason: '' }),
    spf: { state: 'pass', ip: '127.0.0.1', mailFrom: from, domain: 'bounces.shop.example', aligned: true, reason: '' },
    dmarc: { state: 'pass', policy: 'none' },
  })
  // It comes again, broken now.
  expect(await first.arrive(raw.replace('This email checks', 'Scanned: this email checks'))).toBe(250)
  expect(await read()).toEqual(arrived)
})

test('listener: an email that relays changed, that DNS does not know, and that is late is told; five an hour are sent', async () => {
  const broken = await sendCheck()
  expect(await broken.arrive(broken.raw.replace('This email checks', 'Scanned: this email checks'))).toBe(250)
  expect(await broken.read()).toMatchObject({
    message: 'The DKIM signature of shop.example is not valid, because the body was changed on the way.',
    result: {
      verdict: 'fail',
      dkim: 'fail',
      spf: { state: 'pass' },
      dmarc: { state: 'pass' },
      unsubscribeSigned: false,
    },
  })
  const bare = await sendCheck()
  // To the address of the check before, which is gone.
  expect(await broken.arrive()).toBe(550)
  expect(await bare.arrive(bare.raw.replace(/^(DKIM-Signature:.*\r\n([ \t].*\r\n)*)+/, ''))).toBe(250)
  expect(await bare.read()).toMatchObject({ result: { verdict: 'fail', dkim: 'none', signatures: [] } })

  const silent = await sendCheck()
  const known = { ...zone }
  for (const name of Object.keys(zone)) zone[name] = 'refuse'
  expect(await silent.arrive()).toBe(250)
  Object.assign(zone, known)
  const unknown = { verdict: 'unknown', dkim: 'unknown', spf: { state: 'unknown' }, dmarc: { state: 'unknown' } }
  expect(await silent.read()).toMatchObject({ state: 'arrived', result: unknown })

  const late = await sendCheck()
  await t.services.db
    .updateTable('loopbackChecks')
    .set({ expiresAt: new Date(0) })
    .execute()
  expect(await late.arrive()).toBe(250)
  expect(await late.read()).toMatchObject({
    state: 'expired',
    message: expect.stringContaining('did not arrive within 15 minutes'),
    result: null,
  })
  await expect(sendCheck()).rejects.toMatchObject({ status: 429 })
  expect(await ada.api(domains.get, { params: late.params })).toMatchObject({ state: 'verified' })
  await ada.api(domains.remove, { params: late.params })
  expect(await late.arrive()).toBe(550)
})
