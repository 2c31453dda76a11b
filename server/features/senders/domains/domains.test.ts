import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { domains, type SendingDomain } from '#contracts/senders/domains.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { startNameServer, type Zone } from '#server/testing/name-server.ts'
import { until } from '#server/testing/until.ts'

const zone: Zone = {}
let t: TestApp
let names: Awaited<ReturnType<typeof startNameServer>>
let count = 0

beforeAll(async () => {
  names = await startNameServer(zone)
  t = await testApp({
    intervals: { domainChecksMs: 500 },
    environment: {
      DNS_SERVERS: names.address,
      SPF_INCLUDE: '_spf.relay.example',
      RETURN_PATH_HOST: 'bounces.postlark.example',
      TRACKING_HOST: 'links.postlark.example',
    },
  })
  zone['_spf.relay.example'] = { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
  await names.stop()
})

const add = (person: Person, domain = `shop${++count}.example`) => person.api(domains.create, { body: { domain } })
const check = (person: Person, { id }: { id: string }) => person.api(domains.check, { params: { id } })
const find = ({ records }: SendingDomain, purpose: string) => records.filter((record) => record.purpose === purpose)
const first = (domain: SendingDomain, purpose: string) => find(domain, purpose)[0]

/** Publishes records as a customer would at their DNS provider. */
function publish({ records }: SendingDomain, without: string[] = []): void {
  for (const { type, name, value, purpose } of records)
    if (!without.includes(purpose)) zone[name] = type === 'TXT' ? { TXT: [value] } : { CNAME: value }
}

test('domain: is verified once DNS has every required record, and by nothing else', async () => {
  const ada = await t.person()
  const added = await add(ada)
  expect(added).toMatchObject({ state: 'pending', signs: false, sandbox: false, checkedAt: null })
  expect(added.records.map(({ purpose, type, required }) => [purpose, type, required])).toEqual([
    ['dkim', 'TXT', true],
    ['dkim', 'TXT', false],
    ['spf', 'TXT', true],
    ['dmarc', 'TXT', true],
    ['return_path', 'CNAME', false],
    ['tracking', 'CNAME', false],
  ])
  expect(first(added, 'spf')?.value).toBe('v=spf1 include:_spf.relay.example ~all')
  expect(await check(ada, added)).toMatchObject({ state: 'pending', signs: false })
  publish(added, ['spf'])
  expect(await check(ada, added)).toMatchObject({ state: 'pending', signs: true })
  publish(added)
  const verified = await check(ada, added)
  expect(verified).toMatchObject({ state: 'verified', signs: true })
  const [links] = verified.records.splice(-1)
  expect(verified.records.every(({ state }) => state === 'pass')).toBe(true)
  // The alias is published, but nothing has its address.
  expect(links).toMatchObject({
    ...{ purpose: 'tracking', state: 'fail' },
    message: 'Published, but links do not use it: its address could not be looked up.',
  })
  delete zone[first(added, 'dmarc')?.name ?? '']
  expect(await check(ada, added)).toMatchObject({ state: 'failing', signs: true })
})

test('domain: a check in the background finds what was published', async () => {
  const ada = await t.person()
  const added = await add(ada)
  publish(added)
  await t.services.db
    .updateTable('sendingDomains')
    .set({ nextCheckAt: new Date(0) })
    .where('id', '=', added.id)
    .execute()
  const verified = await until(async () => {
    const shown = await ada.api(domains.get, { params: { id: added.id } })
    return shown.state === 'verified' && shown
  }, 'a check in the background')
  expect(Date.parse(verified.nextCheckAt) - Date.parse(verified.checkedAt ?? '')).toBeGreaterThan(3_600_000)
})

let shared: Promise<{ ada: Person; added: SendingDomain }> | undefined
/** One domain, published whole again, for cases that differ in one record: keys of their own would take longer than the rest of a case. */
async function publishShared() {
  shared ??= t.person().then(async (ada) => ({ ada, added: await add(ada) }))
  const found = await shared
  publish(found.added)
  return found
}

const SPF = (text: string) => ({ TXT: ['other=1', text] })
const many = (n: number) => Array.from({ length: n }, (_, i) => `a:host${i}.example`).join(' ')
test.each([
  [
    'two records',
    { TXT: ['v=spf1 ~all', 'v=spf1 include:_spf.relay.example ~all'] },
    'fail',
    /Two SPF records: receivers ignore both/,
  ],
  ['ten look-ups', SPF(`v=spf1 include:_spf.relay.example ${many(9)} -all`), 'pass', /10 of at most 10/],
  ['eleven look-ups', SPF(`v=spf1 include:_spf.relay.example ${many(10)} -all`), 'fail', /needs 11 look-ups/],
  ['a record that includes itself', SPF('v=spf1 include:NAME ~all'), 'fail', /look-ups, and receivers stop at 10/],
  ['+all', SPF('v=spf1 include:_spf.relay.example +all'), 'fail', /\+all lets every server/],
  ['another mail server only', SPF('v=spf1 mx ~all'), 'fail', /add include:_spf\.relay\.example/],
  [
    'an unknown mechanism',
    SPF('v=spf1 include:_spf.relay.example all-of-us ~all'),
    'fail',
    /do not understand: all-of-us/,
  ],
  [
    'an include of nothing',
    SPF('v=spf1 include:gone.example include:_spf.relay.example ~all'),
    'fail',
    /gone\.example, which has no SPF record/,
  ],
  ['no record', { TXT: ['hello'] }, 'missing', /No SPF record/],
  ['SERVFAIL', 'refuse', 'unknown', /SERVFAIL/],
  ['a lame name server', 'lame', 'unknown', /REFUSED/],
] as const)('domain: SPF with %s is reported', async (_, state, expected, message) => {
  const { ada, added } = await publishShared()
  const { domain } = added
  zone[domain] = typeof state === 'string' ? state : { TXT: state.TXT.map((text) => text.replaceAll('NAME', domain)) }
  const spf = first(await check(ada, added), 'spf')
  expect(spf).toMatchObject({ state: expected, message: expect.stringMatching(message) })
})

test('domain: an SPF record is suggested with what is published already', async () => {
  const ada = await t.person()
  const added = await add(ada)
  zone[added.domain] = { TXT: ['v=spf1 include:_spf.other.example -all'] }
  expect(first(await check(ada, added), 'spf')?.value).toBe(
    'v=spf1 include:_spf.other.example include:_spf.relay.example -all',
  )
})

test.each([
  ['a wrong key', (value: string) => [value.replace(/.{9}$/, 'AAAAAAAAA')], 'fail', /different one/],
  ['a truncated key', (value: string) => [value.slice(0, 255)], 'fail', /truncated after 2\d\d of 392/],
  ['an empty key', () => ['v=DKIM1; p='], 'fail', /revokes it/],
  ['two records', (value: string) => [value, value], 'fail', /2 DKIM records/],
  ['a test flag', (value: string) => [value.replace('k=rsa', 'k=rsa; t=y')], 'fail', /t=y/],
  ['another hash', (value: string) => [value.replace('k=rsa', 'k=rsa; h=sha1')], 'fail', /SHA-256/],
  [
    'spaces in the key',
    (value: string) => [value.replace(/(.{60})/g, '$1 ').replaceAll('= ', '=')],
    'pass',
    /published/,
  ],
] as const)('domain: DKIM with %s is reported', async (_, publishes, state, message) => {
  const { ada, added } = await publishShared()
  const { name, value } = first(added, 'dkim') as SendingDomain['records'][number]
  zone[name] = { TXT: publishes(value) }
  const checked = await check(ada, added)
  expect(first(checked, 'dkim')).toMatchObject({ state, message: expect.stringMatching(message) })
  expect(checked.signs).toBe(state === 'pass')
})

test('domain: a CNAME loop, a CNAME to the key and a name entered twice are told apart', async () => {
  const ada = await t.person()
  const added = await add(ada)
  const { name, value } = first(added, 'dkim') as SendingDomain['records'][number]
  zone[name] = { CNAME: 'other.example' }
  zone['other.example'] = { CNAME: name }
  expect(first(await check(ada, added), 'dkim')).toMatchObject({
    state: 'fail',
    message: `CNAME loop: ${name} → other.example → ${name}.`,
  })
  zone['other.example'] = { TXT: [value] }
  expect(first(await check(ada, added), 'dkim')?.state).toBe('pass')
  delete zone[name]
  zone[`${name}.${added.domain}`] = { TXT: [value] }
  expect(first(await check(ada, added), 'dkim')).toMatchObject({
    state: 'missing',
    message: expect.stringContaining(`enter the name without ${added.domain}`),
  })
})

test.each([
  ['two records', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'fail', /2 DMARC records/],
  ['no policy', ['v=DMARC1; rua=mailto:a@example.com'], 'fail', /no valid policy/],
  ['a strict policy', ['v=DMARC1; p=reject; adkim=s'], 'pass', /subdomains do not count/],
] as const)('domain: DMARC with %s is reported', async (_, records, state, message) => {
  const { ada, added } = await publishShared()
  zone[`_dmarc.${added.domain}`] = { TXT: [...records] }
  expect(first(await check(ada, added), 'dmarc')).toMatchObject({ state, message: expect.stringMatching(message) })
})

test('domain: the DMARC record of the domain above applies to a subdomain', async () => {
  const ada = await t.person()
  zone['_dmarc.above.example'] = { TXT: ['v=DMARC1; p=reject; sp=quarantine'] }
  const added = await add(ada, 'news.above.example')
  expect(first(await check(ada, added), 'dmarc')).toMatchObject({
    state: 'pass',
    message: 'The record of above.example applies, with the policy quarantine.',
  })
})

test('domain: name servers that fail leave a verified domain signing, and its state unknown', async () => {
  const ada = await t.person()
  const added = await add(ada)
  publish(added)
  await check(ada, added)
  for (const { name } of added.records) zone[name] = 'refuse'
  const checked = await check(ada, added)
  expect(checked).toMatchObject({ state: 'unknown', signs: true })
  expect(checked.records.every(({ state }) => state === 'unknown')).toBe(true)
})

test('domain: a reply that stays truncated is unknown, and one that is read over TCP counts', async () => {
  const cut: Zone = {}
  await using lame = Object.assign(await startNameServer(cut, { tcp: false }), {
    [Symbol.asyncDispose]: () => lame.stop(),
  })
  await using other = await testApp({ environment: { DNS_SERVERS: lame.address } })
  const [ada, bob] = [await other.person(), await t.person()]
  const long = { TXT: ['v=spf1 ~all', ...Array.from({ length: 30 }, (_, i) => `padding${i}=${'x'.repeat(200)}`)] }
  const [here, there] = [await add(bob, 'long.example'), await add(ada, 'long.example')]
  zone['long.example'] = long
  cut['long.example'] = long
  expect(first(await check(bob, here), 'spf')?.state).toBe('fail')
  expect(first(await check(ada, there), 'spf')?.state).toBe('unknown')
})

test('domain: a rotation signs with the old key until DNS has the new one, and keeps its record a week', async () => {
  const ada = await t.person()
  const added = await add(ada)
  publish(added)
  await check(ada, added)
  const [old] = find(added, 'dkim')
  const rotated = await ada.api(domains.rotate, { params: { id: added.id } })
  expect(find(rotated, 'dkim').map(({ key }) => key)).toEqual(['active', 'active', 'next', 'next'])
  expect(await check(ada, added)).toMatchObject({ state: 'verified', signs: true })
  const again = await ada.api(domains.rotate, { params: { id: added.id } })
  expect(find(again, 'dkim')).toHaveLength(4)
  publish(again)
  const switched = await check(ada, added)
  expect(switched).toMatchObject({ state: 'verified', signs: true })
  expect(find(switched, 'dkim').map(({ key }) => key)).toEqual(['active', 'active', 'retired', 'retired'])
  expect(find(switched, 'dkim')[2]?.name).toBe(old?.name)
  await t.services.db
    .updateTable('dkimKeys')
    .set({ retiredAt: new Date(Date.now() - 8 * 86_400_000) })
    .where('state', '=', 'retired')
    .where('domainId', '=', added.id)
    .execute()
  expect(find(await check(ada, added), 'dkim')).toHaveLength(2)
})

test('domain: two workspaces have keys of their own, and only who controls DNS is verified', async () => {
  const [ada, mallory] = [await t.person(), await t.person()]
  const [hers, theirs] = [await add(ada, 'bank.example'), await add(mallory, 'BANK.example.')]
  expect(theirs.domain).toBe('bank.example')
  expect(first(theirs, 'dkim')?.name).not.toBe(first(hers, 'dkim')?.name)
  publish(hers)
  expect(await check(ada, hers)).toMatchObject({ state: 'verified' })
  expect(await check(mallory, theirs)).toMatchObject({ state: 'pending', signs: false })
  const setFrom = async (person: Person) => {
    const [sender] = (await person.api(senders.list, { query: {} })).items
    const params = { id: sender?.id ?? '' }
    return person.api(senders.update, { params, body: { fromEmail: 'news@mail.bank.example' } })
  }
  const [own, other] = [await setFrom(ada), await setFrom(mallory)]
  expect([own.fromConfirmed, other.fromConfirmed]).toEqual([true, false])
  const sendCheck = (person: Person, { id }: SendingDomain, senderId: string) =>
    person.api(domains.startLoopback, { params: { id }, body: { senderId } })
  await expect(sendCheck(mallory, theirs, other.id)).rejects.toMatchObject({ status: 409, code: 'from_unconfirmed' })
  // Nothing of what is sent would arrive here.
  await expect(sendCheck(ada, hers, own.id)).rejects.toMatchObject({ status: 409, code: 'not_configured' })
  expect(await ada.api(domains.loopback, { params: { id: hers.id } })).toEqual({ host: null, check: null })
})

test('domain: a name is stored in one form, and what is no domain of one owner is refused', async () => {
  const ada = await t.person()
  expect((await add(ada, ' MÜNCHEN-Shop.Example. ')).domain).toBe('xn--mnchen-shop-thb.example')
  expect((await add(ada, 'https://www.paste.example/')).domain).toBe('www.paste.example')
  for (const refused of [
    'com',
    'co.uk',
    'github.io',
    'localhost',
    '127.0.0.1',
    'a@example.com',
    'under_score.example',
    'example..com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}com`,
    `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
    '.',
  ])
    await expect(add(ada, refused), refused).rejects.toMatchObject({ status: 400, details: [{ field: 'domain' }] })
  await expect(add(ada, 'WWW.paste.example')).rejects.toMatchObject({ status: 409 })
})

test('domain: the plan limits how many there are, also when many are added at once', async () => {
  const ada = await t.person({ plan: 'free' })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => add(ada)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 402 } })
})

test('domain: private keys are sealed in the database, and in no response, log or export', async () => {
  const ada = await t.person()
  const added = await add(ada)
  const row = await t.services.db
    .selectFrom('dkimKeys')
    .where('domainId', '=', added.id)
    .selectAll()
    .executeTakeFirstOrThrow()
  for (const sealed of [row.rsaPrivateEncrypted, row.ed25519PrivateEncrypted]) {
    expect(sealed).toMatch(/^v1\./)
    expect(JSON.stringify(added)).not.toContain(sealed)
    expect(await exported(ada)).not.toContain(sealed)
  }
  expect(await exported(ada)).toContain(row.selector)
})

async function exported(person: Person): Promise<string> {
  const files = unzipSync(new Uint8Array(await (await person.api(accounts.export)).arrayBuffer()))
  return Object.values(files)
    .map((bytes) => strFromU8(bytes))
    .join('\n')
}

test('domain: a removed one is gone with its keys', async () => {
  const ada = await t.person()
  const { id } = await add(ada)
  await ada.api(domains.remove, { params: { id } })
  await expect(ada.api(domains.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
  const left = await t.services.db.selectFrom('dkimKeys').where('domainId', '=', id).selectAll().execute()
  expect(left).toEqual([])
})
