import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { AuditAction, admin } from '#contracts/admin/admin.ts'
import { senders } from '#contracts/senders/senders.ts'
import { audit, deleteOldAudit } from '#server/platform/audit.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { googleVisitor } from '#server/testing/google.ts'
import { untilPasses } from '#server/testing/until.ts'

let t: TestApp
let root: Person
beforeAll(async () => {
  t = await testApp()
  root = await t.person({ role: 'admin', email: 'root@example.com' })
})
afterAll(() => t[Symbol.asyncDispose]())

const actionsTo = async (id: string) =>
  (await root.api(admin.audit, { query: { user: id, limit: 200 } })).items.map((line) => line.action).reverse()
const findLinkToken = (text: string | undefined, page: string) =>
  new RegExp(`${page}\\?token=([\\w-]+)`).exec(text ?? '')?.[1] ?? ''

test('audit log: every action of an account is logged, without a secret', async () => {
  const email = 'life@example.com'
  const [first, second, third] = ['the first long phrase', 'the second long phrase', 'the third long phrase']
  await t.api(accounts.signup, { body: { name: 'Life', email, password: first } })
  const verify = findLinkToken((await t.sink.mailTo(email)).text, 'verify-email')
  await t.api(accounts.verifyEmail, { body: { token: verify } })
  await t.api(accounts.login, { body: { email, password: 'not the right phrase' } }).catch(() => undefined)
  const { token } = await t.api(accounts.login, { body: { email, password: first } })
  const changed = await t.createClient(token)(accounts.changePassword, {
    body: { currentPassword: first, newPassword: second },
  })
  await t.api(accounts.forgotPassword, { body: { email } })
  const mail = await t.sink.waitFor((got) => got.to.includes(email) && /^Subject:.*password/im.test(String(got.raw)))
  const reset = findLinkToken(mail.text, 'reset-password')
  await t.api(accounts.resetPassword, { body: { token: reset, newPassword: third } })
  const last = t.createClient((await t.api(accounts.login, { body: { email, password: third } })).token)
  await t.api(accounts.login, { body: { email, password: third } })
  const other = (await last(accounts.sessions)).items.find((session) => !session.current)
  await last(accounts.endSession, { params: { id: other?.id ?? '' } })
  const server = { host: 'mail.example.com', port: 587, user: 'life', password: 'hush hush hush', fromEmail: email }
  const sender = await last(senders.create, { body: server })
  await last(senders.update, { params: { id: sender.id }, body: { password: 'another hush hush' } })
  await last(senders.update, { params: { id: sender.id }, body: { limits: { perSecond: 5 } } })
  await last(senders.remove, { params: { id: sender.id } })

  const id = (await root.api(admin.users, { query: { q: email } })).items[0]?.id ?? ''
  expect(await actionsTo(id)).toEqual([
    'signed_up',
    'email_verified',
    'login_failed',
    'logged_in',
    'password_changed',
    'password_reset',
    'logged_in',
    'logged_in',
    'session_ended',
    'sender_added',
    'sender_changed',
    'sender_removed',
  ])
  const { items } = await root.api(admin.audit, { query: { limit: 200 } })
  const everything = JSON.stringify(items)
  for (const secret of [first, second, third, verify, reset, token, changed.token, 'hush'])
    expect(everything).not.toContain(secret)
  const sent = items.find((line) => line.action === 'sender_changed')
  expect(sent).toMatchObject({ subject: { id: null, name: 'mail.example.com' }, details: { changed: ['password'] } })
  expect(items.every((line) => AuditAction.safeParse(line.action).success)).toBe(true)
})

test('audit log: export, logout everywhere and Google are logged, and refused to a suspended user', async () => {
  const ada = await t.person({ logsIn: true })
  await (await ada.api(accounts.export)).arrayBuffer()
  const headers = { authorization: `Bearer ${ada.token}` }
  const link = await t.inject({ method: 'POST', url: accounts.exportLink.path, headers })
  const cookie = String(link.headers['set-cookie']).split(';')[0] ?? ''
  const download = () => t.inject({ url: accounts.exportFile.path, headers: { cookie } })
  expect((await download()).statusCode).toBe(200)
  await ada.api(accounts.endSessions)
  const google = googleVisitor(t)
  expect((await google.signIn({ email: ada.email })).token).not.toBeNull()
  expect(await actionsTo(ada.id)).toEqual([
    'logged_in',
    'account_exported',
    'account_exported',
    'logged_out_everywhere',
    'google_linked',
    'logged_in',
  ])
  await root.api(admin.changeUser, { params: { id: ada.id }, body: { suspended: true } })
  expect((await download()).statusCode).toBe(401)
  expect(await google.signIn({ email: ada.email })).toMatchObject({ token: null, error: 'authentication_failed' })
  expect((await actionsTo(ada.id)).slice(6)).toEqual(['suspended', 'login_failed'])
})

test('audit log: the first admin is logged as added by the first start', async () => {
  const { items } = await root.api(admin.audit, { query: { action: 'user_added' } })
  expect(items).toMatchObject([
    { actor: { id: null, name: 'first start' }, subject: { name: 'admin@example.com' }, details: { role: 'admin' } },
  ])
})

test('audit log: entries are filtered by action, user and time, and paged without a gap', async () => {
  const { db } = t.services
  const people = []
  for (let i = 0; i < 3; i++) people.push(await t.person({ email: `who${i}@paged.example` }))
  await sql`delete from audit_log where actor like '%@paged.example'`.execute(db)
  const { workspaceId } = root
  for (let i = 0; i < 7; i++)
    await audit(db, {
      action: i % 2 ? 'plan_changed' : 'suspended',
      actor: 'a test',
      subject: people[i % 3] ?? 'nobody',
      workspaceId,
      details: { number: i },
    })
  await sql`update audit_log set at = '2020-01-02T03:04:05Z' where details->>'number' = '3'`.execute(db)
  const find = async (query: Record<string, unknown>) =>
    (await root.api(admin.audit, { query: { limit: 200, ...query } })).items.map((line) => line.details.number)
  expect(await find({ q: 'PAGED.example' })).toEqual([6, 5, 4, 3, 2, 1, 0])
  expect(await find({ q: 'who1@' })).toEqual([4, 1])
  expect(await find({ q: 'who_@' })).toEqual([])
  expect(await find({ user: people[2]?.id })).toEqual([5, 2])
  expect(await find({ q: 'paged', action: 'plan_changed' })).toEqual([5, 3, 1])
  expect(await find({ q: 'paged', until: '2021-01-01T00:00:00Z' })).toEqual([3])
  expect(await find({ q: 'paged', since: '2021-01-01T00:00:00Z', action: 'plan_changed' })).toEqual([5, 1])
  const seen: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await root.api(admin.audit, { query: { q: 'paged', limit: 3, ...(cursor && { cursor }) } })
    expect(page.total).toBe(7)
    seen.push(...page.items.map((line) => line.details.number))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0])
  for (const query of [{ action: 'danced' }, { cursor: '-1' }, { since: 'yesterday' }, { user: 'x' }])
    await expect(root.api(admin.audit, { query: query as never })).rejects.toMatchObject({ status: 400 })
})

test('audit log: the export has the same entries without formulas, and is logged itself', async () => {
  const ada = await t.person({ email: 'sheet@export.example' })
  await audit(t.services.db, { action: 'suspended', actor: '=cmd()', subject: ada })
  const response = await root.api(admin.exportAudit, { query: { q: 'export.example', action: 'suspended' } })
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/)
  const text = await response.text()
  const [head, line, ...rest] = text.trim().split('\r\n')
  expect(head).toBe('"time","action","by","to","workspace","network","details"')
  expect(line).toMatch(/^"[\d-]+T[\d:.]+Z","suspended","'=cmd\(\)","sheet@export\.example","","","\{\}"$/)
  expect(rest).toEqual([])
  const { items } = await root.api(admin.audit, { query: { action: 'audit_exported' } })
  expect(items).toMatchObject([{ actor: { name: root.email }, details: { q: 'export.example', action: 'suspended' } }])
})

test('audit log: entries older than 400 days are deleted at night, and the next night is scheduled', async () => {
  const { db, pool } = t.services
  for (const days of [399, 401, 500]) {
    await audit(db, { action: 'unsuspended', actor: 'a test', subject: root, details: { days } })
    await sql`update audit_log set at = now() - make_interval(days => ${days}) where details->'days' = ${days}::text::jsonb`.execute(
      db,
    )
  }
  for (const days of [399, 401])
    await pool.query(
      "insert into contact_messages (name, email, message, created_at) values ('A', 'a@example.com', $1, now() - make_interval(days => $2))",
      [String(days), days],
    )
  const planned = () =>
    pool.query(
      "select id from pgboss.job where name = 'admin.clear-audit' and state = 'created' order by start_after desc",
    )
  const before = await planned()
  expect(before.rows).toHaveLength(1)
  await pool.query("update pgboss.job set start_after = now() where name = 'admin.clear-audit'")
  const left = async () =>
    (await root.api(admin.audit, { query: { action: 'unsuspended' } })).items.map((line) => line.details.days)
  await untilPasses(async () => expect(await left()).toEqual([399]))
  await untilPasses(async () => expect((await planned()).rows.length).toBe(1))
  expect((await planned()).rows[0].id).not.toBe(before.rows[0].id)
  expect(await deleteOldAudit(db, 400, 10)).toBe(0)
  const messages = async () => (await pool.query('select message from contact_messages')).rows
  await untilPasses(async () => expect(await messages()).toEqual([{ message: '399' }]))
})
