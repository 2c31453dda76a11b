import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { admin } from '#contracts/admin/admin.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { type Person, sharedApp, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'

let t: TestApp
let root: Person
beforeAll(async () => {
  t = await sharedApp()
  root = await t.person({ role: 'admin', name: 'Root Admin', email: 'root@example.com' })
})

const change = (who: Person, id: string, body: Record<string, unknown>) =>
  who.api(admin.changeUser, { params: { id }, body })
const refusal = (status: number, code: string) => ({ status, code })
const actionsTo = async (id: string) =>
  (await root.api(admin.audit, { query: { user: id, limit: 200 } })).items.map((line) => line.action).reverse()

test('users: an admin searches, filters and pages users without a gap', async () => {
  const people = []
  for (let i = 0; i < 5; i++)
    people.push(
      await t.person({ name: `Grace 100%_${i}`, email: `grace${i}@find.example`, plan: i < 3 ? 'pro' : 'free' }),
    )
  const find = async (query: Record<string, unknown>) => {
    const { items, total } = await root.api(admin.users, { query: { limit: 200, ...query } })
    expect(total).toBe(items.length)
    return items.map((user) => user.email)
  }
  expect(await find({ q: 'FIND.example' })).toHaveLength(5)
  expect(await find({ q: 'grace 100%_3' })).toEqual(['grace3@find.example'])
  expect(await find({ q: 'grace%0' })).toEqual([])
  expect(await find({ q: 'find.example', plan: 'pro' })).toHaveLength(3)
  expect(await find({ q: 'root@', role: 'admin' })).toEqual(['root@example.com'])
  expect(await find({ q: 'root@', role: 'user' })).toEqual([])
  await change(root, people[0]?.id ?? '', { suspended: true })
  await change(root, people[1]?.id ?? '', { verified: false })
  expect(await find({ q: 'find.example', state: 'suspended' })).toEqual(['grace0@find.example'])
  expect(await find({ q: 'find.example', state: 'unverified' })).toEqual(['grace1@find.example'])
  expect(await find({ q: 'find.example', state: 'active' })).toHaveLength(3)

  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await root.api(admin.users, { query: { q: 'find.example', limit: 2, ...(cursor && { cursor }) } })
    expect(page.total).toBe(5)
    seen.push(...page.items.map((user) => user.email))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => `grace${i}@find.example`))
  await expect(root.api(admin.users, { query: { cursor: 'x' } })).rejects.toMatchObject(refusal(400, 'invalid'))
})

test("users: an admin sees a user's counts and sessions, but no secret", async () => {
  const ada = await t.person({ name: 'Ada', plan: 'pro' })
  const list = await listWith(t.services, ada, 3)
  const draft = await draftTo(ada, list)
  await ada.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilState(ada, draft.id, ['sent'])
  const shown = await root.api(admin.user, { params: { id: ada.id } })
  expect(shown).toMatchObject({
    email: ada.email,
    plan: 'pro',
    role: 'user',
    verified: true,
    suspendedAt: null,
    workspace: { id: ada.workspaceId },
    counts: { contacts: 3, campaigns: 1, sent30Days: 3 },
  })
  expect(shown.sessions).toMatchObject([{ device: 'node' }])
  expect(shown.lastSeenAt).not.toBeNull()
  expect(JSON.stringify(shown)).not.toMatch(/argon|token|hash/i)
  await expect(root.api(admin.user, { params: { id: '999999' } })).rejects.toMatchObject(refusal(404, 'not_found'))
})

test('users: changes of role, plan and verification apply to the next request and are logged', async () => {
  const ada = await t.person({ plan: 'free', logsIn: true })
  const changed = await change(root, ada.id, { role: 'admin', plan: 'business' })
  expect(changed).toMatchObject({ role: 'admin', plan: 'business' })
  expect((await ada.api(admin.users, { query: { q: 'root@' } })).total).toBe(1)
  // What is so already is no news.
  await change(root, ada.id, { role: 'admin', plan: 'business', verified: true, suspended: false })
  await change(root, ada.id, { role: 'user' })
  await expect(ada.api(admin.users, { query: {} })).rejects.toMatchObject(refusal(403, 'admin_required'))
  expect(await actionsTo(ada.id)).toEqual(['logged_in', 'role_changed', 'plan_changed', 'role_changed'])
  const { items } = await root.api(admin.audit, { query: { user: ada.id, action: 'plan_changed' } })
  expect(items).toMatchObject([
    {
      actor: { id: root.id, name: root.email },
      subject: { id: ada.id, name: ada.email },
      workspaceId: ada.workspaceId,
      details: { from: 'free', to: 'business' },
    },
  ])
  await expect(change(root, ada.id, { plan: 'gold' })).rejects.toMatchObject(refusal(400, 'invalid'))
  await expect(change(root, ada.id, { email: 'x@example.com' })).rejects.toMatchObject(refusal(400, 'invalid'))
  await expect(change(root, '999999', { plan: 'pro' })).rejects.toMatchObject(refusal(404, 'not_found'))
})

test('users: suspension ends every session, is told after the right password only, and can be undone', async () => {
  const ada = await t.person({ logsIn: true })
  const second = await t.api(accounts.login, { body: { email: ada.email, password: ada.password } })
  expect((await change(root, ada.id, { suspended: true })).suspendedAt).not.toBeNull()
  for (const token of [ada.token, second.token])
    await expect(t.createClient(token)(accounts.user)).rejects.toMatchObject({ status: 401 })
  const logIn = (password: string) =>
    t.inject({ method: 'POST', url: accounts.login.path, payload: { email: ada.email, password } })
  const [wrong, right] = [await logIn('not the right phrase'), await logIn(ada.password)]
  const stranger = await t.inject({
    method: 'POST',
    url: accounts.login.path,
    payload: { email: 'nobody@example.com', password: 'not the right phrase' },
  })
  expect([wrong.statusCode, wrong.body]).toEqual([stranger.statusCode, stranger.body])
  expect([right.statusCode, right.body]).toEqual([403, 'This account is suspended. Contact support.'])
  expect((await t.api(accounts.verifyToken, { body: { token: ada.token } }).catch((error) => error)).status).toBe(401)

  expect((await change(root, ada.id, { suspended: false })).suspendedAt).toBeNull()
  await expect(ada.api(accounts.user)).rejects.toMatchObject({ status: 401 })
  const { token } = await t.api(accounts.login, { body: { email: ada.email, password: ada.password } })
  expect(await t.createClient(token)(accounts.user)).toMatchObject({ email: ada.email })
  expect(await actionsTo(ada.id)).toEqual([
    'logged_in',
    'logged_in',
    'suspended',
    'login_failed',
    'login_failed',
    'unsuspended',
    'logged_in',
  ])
})

test('users: a suspended user gets no session from a verification link', async () => {
  const email = 'fresh@example.com'
  await t.api(accounts.signup, { body: { name: 'Fresh', email, password: 'a fresh long phrase' } })
  const mail = await t.sink.mailTo(email)
  const token = /verify-email\?token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? ''
  const id = (await root.api(admin.users, { query: { q: email } })).items[0]?.id ?? ''
  await change(root, id, { suspended: true })
  await expect(t.api(accounts.verifyEmail, { body: { token } })).rejects.toMatchObject(refusal(403, 'suspended'))
})

test('users: suspension stops sending, and a scheduled campaign does not start', async () => {
  const ada = await t.person()
  const list = await listWith(t.services, ada, 400, (n) => `slow${n}@pause.example`)
  const sender = await t.services.db
    .updateTable('senders')
    .set({ perSecond: 20 })
    .where('workspaceId', '=', ada.workspaceId)
    .returning('id')
    .executeTakeFirstOrThrow()
  const running = await draftTo(ada, list, { senderId: sender.id })
  const scheduled = await draftTo(ada, list, { senderId: sender.id })
  await ada.api(campaigns.send, {
    params: { id: scheduled.id },
    body: { at: new Date(Date.now() + 4_000).toISOString() },
  })
  await ada.api(campaigns.send, { params: { id: running.id }, body: {} })
  await t.sink.waitFor((mail) => mail.to[0]?.endsWith('@pause.example') ?? false)
  await change(root, ada.id, { suspended: true })

  const findCampaignState = async (id: string) =>
    t.services.db.selectFrom('campaigns').where('id', '=', id).select(['state', 'stateText']).executeTakeFirstOrThrow()
  const paused = { state: 'paused', stateText: expect.stringContaining('the account was suspended') }
  expect(await findCampaignState(running.id)).toEqual(paused)
  await untilPasses(async () => expect(await findCampaignState(scheduled.id)).toEqual(paused))
  const counted = () =>
    t.services.db
      .selectFrom('campaignCounts')
      .where('campaignId', '=', running.id)
      .select(['sent', 'queued', 'claimed'])
      .executeTakeFirstOrThrow()
  // What was handed over already is answered; then nothing is at work any more.
  await untilPasses(async () => expect((await counted()).claimed).toBe('0'))
  expect(Number((await counted()).queued)).toBeGreaterThan(0)

  await change(root, ada.id, { suspended: false })
  const { token } = await t.api(accounts.login, { body: { email: ada.email, password: ada.password } })
  const back = { ...ada, api: t.createClient(token) }
  expect((await back.api(campaigns.get, { params: { id: running.id } })).state).toBe('paused')
  await t.services.db.updateTable('senders').set({ perSecond: null }).where('id', '=', sender.id).execute()
  for (const { id } of [running, scheduled]) {
    await back.api(campaigns.resume, { params: { id } })
    expect((await untilState(back, id, ['sent'])).counts).toMatchObject({ sent: 400, queued: 0 })
  }
}, 120_000)

test('users: suspension ends an open event stream', async () => {
  const ada = await t.person()
  const list = await listWith(t.services, ada, 2)
  const draft = await draftTo(ada, list)
  await ada.api(campaigns.send, {
    params: { id: draft.id },
    body: { at: new Date(Date.now() + 86_400_000).toISOString() },
  })
  const stream = await ada.api(campaigns.live, { params: { id: draft.id } })
  const ended = (async () => {
    for await (const _ of stream.body ?? []);
  })().then(
    () => 'ended',
    () => 'ended',
  )
  await change(root, ada.id, { suspended: true })
  expect(await ended).toBe('ended')
}, 60_000)

test('users: an admin cannot change their own rights, and the last admin cannot be removed', async () => {
  await using own = await testApp()
  const [ada, bob] = [await own.person({ role: 'admin' }), await own.person({ role: 'admin' })]
  for (const body of [{ suspended: true }, { role: 'user' }, { verified: false }])
    await expect(change(ada, ada.id, body)).rejects.toMatchObject(refusal(409, 'yourself'))
  expect(await ada.api(admin.user, { params: { id: ada.id } })).toMatchObject({ role: 'admin', suspendedAt: null })

  const first = (await ada.api(admin.users, { query: { q: 'admin@example.com' } })).items[0]
  await change(ada, first?.id ?? '', { suspended: true })
  // A suspended or unconfirmed admin is none to rely on.
  const both = await Promise.allSettled([
    change(ada, bob.id, { role: 'user' }),
    change(bob, ada.id, { suspended: true }),
  ])
  expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find((one) => one.status === 'rejected')
  expect([401, 403, 409]).toContain(refused?.reason.status)
  const { rows } = await own.services.pool.query(
    "select count(*)::int as n from users where role = 'admin' and suspended_at is null and email_verified_at is not null",
  )
  expect(rows[0].n).toBe(1)
})

test('users: an admin ends all sessions of a user, and all their own but the current one', async () => {
  const ada = await t.person()
  expect(await root.api(admin.endSessions, { params: { id: ada.id } })).toEqual({ ended: 1 })
  await expect(ada.api(accounts.user)).rejects.toMatchObject({ status: 401 })
  const again = await t.api(accounts.login, { body: { email: root.email, password: root.password } })
  expect((await root.api(admin.endSessions, { params: { id: root.id } })).ended).toBeGreaterThan(0)
  await expect(t.createClient(again.token)(accounts.user)).rejects.toMatchObject({ status: 401 })
  expect(await root.api(accounts.user)).toMatchObject({ email: root.email })
  expect(await actionsTo(ada.id)).toContain('sessions_ended')
})

test('users: the verification email is sent again to unverified users only', async () => {
  const ada = await t.person({ email: 'unconfirmed@example.com', logsIn: true })
  await expect(root.api(admin.sendVerification, { params: { id: ada.id } })).rejects.toMatchObject(
    refusal(409, 'verified'),
  )
  await change(root, ada.id, { verified: false })
  await expect(ada.api(accounts.user)).rejects.toMatchObject({ status: 401 })
  await root.api(admin.sendVerification, { params: { id: ada.id } })
  const mail = await t.sink.mailTo('unconfirmed@example.com')
  const token = /verify-email\?token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? ''
  await t.api(accounts.verifyEmail, { body: { token } })
  expect(await root.api(admin.user, { params: { id: ada.id } })).toMatchObject({ verified: true })
  expect(await actionsTo(ada.id)).toEqual(['logged_in', 'marked_unverified', 'verification_sent', 'email_verified'])
})
