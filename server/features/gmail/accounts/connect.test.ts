import { beforeAll, expect, test } from 'vitest'
import { GmailRefusal, gmail, gmailRefusals } from '#contracts/gmail/gmail.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type Person, sharedApp, type TestApp, testApp } from '#server/testing/app.ts'
import { gmailControl, gmailVisitor } from '#server/testing/gmail.ts'
import { until } from '#server/testing/until.ts'
import { tablesHolding } from '#server/testing/whole-workspace.ts'
import { findAccess } from './access.ts'

const SEND = 'https://www.googleapis.com/auth/gmail.send'
let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const list = async (person: Person) =>
  (await person.api(senders.list, { query: {} })).items.filter(({ kind }) => kind === 'gmail')

test('Gmail account: it is connected with permission to send, and shows its permissions and limits', async () => {
  const ada = await t.person()
  const visitor = gmailVisitor(t, ada)
  const { url } = await visitor.leave()
  expect(url.searchParams.get('scope')).toBe(`openid email ${SEND}`)
  expect([url.searchParams.get('access_type'), url.searchParams.get('code_challenge_method')]).toEqual([
    'offline',
    'S256',
  ])
  const { connected, page } = await visitor.connect({ email: 'ada@gmail.com' })
  expect(page.pathname).toBe('/gmail-sender/accounts')
  expect(await visitor.show(connected ?? '')).toMatchObject({
    kind: 'gmail',
    fromEmail: 'ada@gmail.com',
    state: 'working',
    limits: { perDay: 500, perMinute: 20, connections: 1 },
    gmail: {
      access: 'oauth',
      account: 'consumer',
      dailyCap: 500,
      reads: false,
      health: 'working',
      expiresAt: null,
      rampUp: true,
      sentToday: 0,
      allowedToday: 50,
    },
  })
  // Google's page leads back without a token, and still it is known who connected.
  const lines = t.services.db
    .selectFrom('auditLog')
    .where('workspaceId', '=', ada.workspaceId)
    .select(['action', 'actor'])
  expect(await lines.execute()).toEqual([{ action: 'sender_added', actor: ada.email }])
  const workspace = await visitor.connect({ email: 'ada@firm.example' }, { reads: true })
  expect(await visitor.show(workspace.connected ?? '')).toMatchObject({
    limits: { perDay: 2_000 },
    gmail: { account: 'workspace', reads: true },
  })
})

test('Gmail account: no token is stored in plain text or returned', async () => {
  const ada = await t.person()
  const id = await gmailVisitor(t, ada).account('sealed@gmail.com')
  const { token } = await findAccess(t.services, t.services.db, id)
  expect(token.length).toBeGreaterThan(20)
  expect(await tablesHolding(t.services.db, token)).toEqual([])
  expect(JSON.stringify(await list(ada))).not.toContain(token)
})

test('Gmail account: a denial, a missing permission or another account is refused with the reason', async () => {
  const ada = await t.person()
  const visitor = gmailVisitor(t, ada)
  expect((await visitor.connect({ deny: true })).error).toBe('access_denied')
  expect((await visitor.connect({ email: 'half@gmail.com', grant: [] })).error).toBe('missing_scope')
  expect(await list(ada)).toEqual([])
  // Reading was requested and its box left empty: the account sends, and says that replies cannot be read.
  const sends = await visitor.connect({ email: 'sends@gmail.com', grant: [SEND] }, { reads: true })
  expect((await visitor.show(sends.connected ?? '')).gmail).toMatchObject({ reads: false, health: 'working' })
  await ada.api(senders.remove, { params: { id: sends.connected ?? '' } })
  const id = await visitor.account('first@gmail.com')
  expect((await visitor.connect({ email: 'second@gmail.com' }, { senderId: id })).error).toBe('wrong_account')
  expect((await list(ada)).map(({ fromEmail }) => fromEmail)).toEqual(['first@gmail.com'])
  expect((await visitor.connect({ email: 'first@gmail.com' }, { senderId: id })).connected).toBe(id)
  // Without being asked to: the same account is not connected twice.
  expect((await visitor.connect({ email: 'first@gmail.com' })).connected).toBe(id)
})

test('Gmail account: a callback in another browser, repeated or forged connects nothing', async () => {
  const [ada, eve] = [await t.person(), await t.person()]
  const visitor = gmailVisitor(t, ada)
  const { url, cookie } = await visitor.leave()
  const search = await visitor.choose(url, { email: 'ada2@gmail.com' })
  const other = await gmailVisitor(t, eve).leave()
  for (const stranger of ['', other.cookie, 'gmail_connect=v1.AAAA'])
    expect((await visitor.comeBack(search, stranger)).error).toBe('not_begun_here')
  expect((await visitor.comeBack(search, cookie)).connected).toMatch(/^\d+$/)
  expect((await visitor.comeBack(search, cookie)).error).toBe('not_begun_here')
  expect(await list(eve)).toEqual([])
})

test('Gmail account: every reason of a refusal has a text', () => {
  for (const code of GmailRefusal.options) expect(gmailRefusals[code]).toMatch(/[.]$/)
})

test('Gmail account: one of a client in testing mode is shown as expiring after seven days', async () => {
  const ada = await t.person()
  const visitor = gmailVisitor(t, ada)
  const { connected } = await visitor.connect({ email: 'testing@gmail.com', testing: true })
  const { gmail: account } = await visitor.show(connected ?? '')
  expect(account?.health).toBe('expiring')
  expect(account?.healthText).toContain('testing mode')
  expect(Date.parse(account?.expiresAt ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
})

test('Gmail account: an expiring token is renewed once for concurrent requests', async () => {
  const ada = await t.person()
  const id = await gmailVisitor(t, ada).account('flight@gmail.com')
  const { db } = t.services
  const before = await findAccess(t.services, db, id)
  await db
    .updateTable('gmailAccounts')
    .set({ accessUntil: new Date(Date.now() + 60_000) })
    .where('senderId', '=', id)
    .execute()
  const tokens = await Promise.all(Array.from({ length: 8 }, () => findAccess(t.services, db, id)))
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(1)
  expect(tokens[0]?.token).not.toBe(before.token)
})

test('Gmail account: a revoked permission is shown, and connecting again fixes it', async () => {
  const ada = await t.person()
  const visitor = gmailVisitor(t, ada)
  const id = await visitor.account('revoked@gmail.com')
  await gmailControl(t, { email: 'revoked@gmail.com', revoke: true })
  const tried = await ada.api(senders.test, { params: { id }, body: { to: 'bob@example.com' } })
  expect(tried).toMatchObject({ ok: false, kind: 'auth' })
  expect((await visitor.show(id)).gmail).toMatchObject({ health: 'revoked' })
  expect((await visitor.connect({ email: 'revoked@gmail.com' }, { senderId: id })).connected).toBe(id)
  expect(await ada.api(senders.test, { params: { id }, body: { to: 'bob@example.com' } })).toMatchObject({ ok: true })
  expect((await visitor.show(id)).gmail).toMatchObject({ health: 'working' })
})

test('Gmail account: removing it revokes the permission at Google', async () => {
  const ada = await t.person()
  const id = await gmailVisitor(t, ada).account('leaving@gmail.com')
  const { token } = await findAccess(t.services, t.services.db, id)
  const ask = () =>
    fetch(`${t.services.gmail?.apiUrl}/gmail/v1/users/me/profile`, { headers: { authorization: `Bearer ${token}` } })
  expect((await ask()).status).toBe(403)
  await ada.api(senders.remove, { params: { id } })
  await until(async () => (await ask()).status === 401, 'the permission is gone')
})

test('Gmail account: a workspace can use its own client, whose secret is never returned', async () => {
  const ada = await t.person()
  const clientId = '123-abc.apps.googleusercontent.com'
  await expect(
    ada.api(gmail.saveClient, { body: { clientId: 'abc', clientSecret: 'GOCSPX-secret' } }),
  ).rejects.toMatchObject({ status: 400 })
  await ada.api(gmail.saveClient, { body: { clientId, clientSecret: 'wrong-secret' } })
  const visitor = gmailVisitor(t, ada)
  expect((await visitor.connect({ email: 'own@gmail.com' })).error).toBe('client_refused')
  await ada.api(gmail.saveClient, { body: { clientId, clientSecret: 'GOCSPX-secret' } })
  const setup = await ada.api(gmail.setup)
  expect(setup).toMatchObject({ available: true, client: { clientId, own: true } })
  expect(JSON.stringify(setup)).not.toContain('GOCSPX')
  const { connected } = await visitor.connect({ email: 'own@gmail.com' })
  expect((await visitor.show(connected ?? '')).gmail?.ownClient).toBe(true)
  // The grant belongs to the client: without it nothing can be renewed.
  await ada.api(gmail.removeClient)
  await t.services.db
    .updateTable('gmailAccounts')
    .set({ accessUntil: null })
    .where('senderId', '=', connected ?? '')
    .execute()
  const tried = await ada.api(senders.test, { params: { id: connected ?? '' }, body: { to: 'bob@example.com' } })
  expect(tried.message).toContain('another client')
})

test('Gmail account: a free plan is refused, and so is an installation without Gmail', async () => {
  const free = await t.person({ plan: 'free' })
  for (const call of [
    () => free.api(gmail.connect, { body: {} }),
    () => free.api(senders.create, { body: { kind: 'gmail', email: 'a@gmail.com', appPassword: 'abcdabcdabcdabcd' } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403, code: 'plan_required' })
  await using bare = await testApp({
    environment: { NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(32), PUBLIC_URL: 'http://localhost:3000' },
  })
  const ada = await bare.person()
  expect(await ada.api(gmail.setup)).toMatchObject({ available: false, client: null })
  await expect(ada.api(gmail.connect, { body: {} })).rejects.toMatchObject({
    status: 409,
    code: 'gmail_not_configured',
  })
})

test('Gmail account: an app password has 16 letters and is checked', async () => {
  const sandboxed = await sharedApp({ mail: 'sandbox' })
  const ada = await sandboxed.person()
  const account = { kind: 'gmail' as const, email: 'ada@gmail.com' }
  await expect(ada.api(senders.create, { body: { ...account, appPassword: 'my own password' } })).rejects.toMatchObject(
    { status: 400 },
  )
  await expect(
    ada.api(senders.create, { body: { ...account, appPassword: 'abcd abcd abcd abcd', limits: { perDay: 501 } } }),
  ).rejects.toMatchObject({ status: 400 })
  const made = await ada.api(senders.create, { body: { ...account, appPassword: 'abcd efgh ijkl mnop' } })
  expect(made).toMatchObject({ kind: 'gmail', hasPassword: true, gmail: { access: 'app_password', reads: false } })
  await expect(
    ada.api(senders.create, { body: { ...account, appPassword: 'abcdefghijklmnop' } }),
  ).rejects.toMatchObject({ status: 409 })
})

test('Gmail account: reading can be switched for app passwords, but not for accounts of Google', async () => {
  const sandboxed = await sharedApp({ mail: 'sandbox' })
  const ada = await sandboxed.person()
  const account = { kind: 'gmail' as const, email: 'ada@gmail.com', appPassword: 'abcd efgh ijkl mnop', reads: false }
  const { id } = await ada.api(senders.create, { body: account })
  const mayRead = async () =>
    (await sandboxed.services.db.selectFrom('gmailAccounts').where('senderId', '=', id).select('scopes').execute())[0]
      ?.scopes
  expect(await mayRead()).toEqual([])
  await ada.api(senders.update, { params: { id }, body: { reads: true } })
  expect(await mayRead()).toEqual(['imap'])
  await ada.api(senders.update, { params: { id }, body: { fromName: 'Ada', reads: false } })
  expect(await mayRead()).toEqual([])
  const byGoogle = await gmailVisitor(sandboxed, ada).account('other@gmail.com')
  const smtp = (await ada.api(senders.list, { query: {} })).items.find(({ isDefault }) => isDefault)?.id ?? ''
  for (const other of [byGoogle, smtp])
    await expect(ada.api(senders.update, { params: { id: other }, body: { reads: true } })).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'reads' }],
    })
})
