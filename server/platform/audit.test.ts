import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { senders } from '#contracts/senders/senders.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { audit, forgetInAudit } from './audit.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ environment: { TRUST_PROXY: 'true' } })
})
afterAll(() => t[Symbol.asyncDispose]())

const listLines = (workspaceId: string) =>
  t.services.db
    .selectFrom('auditLog')
    .where('workspaceId', '=', workspaceId)
    .select(['action', 'actor', 'subject', 'network', 'details'])
    .orderBy('id')
    .execute()

test('audit log: an action whose transaction is rolled back is not logged', async () => {
  const { services } = t
  const robin = await t.person({ logsIn: true })
  const failed = services.db.transaction().execute(async (db) => {
    await audit(db, { action: 'plan_changed', actor: 'a test', subject: robin, workspaceId: robin.workspaceId })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect((await listLines(robin.workspaceId)).map((line) => line.action)).toEqual(['logged_in'])
})

test('audit log: an entry has action, actor, subject, network and details, and no password', async () => {
  const robin = await t.person({ logsIn: true })
  const from = { authorization: `Bearer ${robin.token}`, 'x-forwarded-for': '203.0.113.77' }
  await t.inject({
    method: 'POST',
    url: '/api/senders',
    headers: from,
    payload: { host: 'mail.example.com', port: 587, user: 'robin', password: 'hush hush hush', fromEmail: robin.email },
  })
  await t.inject({
    method: 'POST',
    url: '/api/account/password',
    headers: from,
    payload: { currentPassword: robin.password, newPassword: 'another long phrase' },
  })
  const lines = await listLines(robin.workspaceId)
  expect(lines.slice(1)).toEqual([
    {
      action: 'sender_added',
      actor: robin.email,
      subject: 'mail.example.com',
      network: '203.0.113.0/24',
      details: { host: 'mail.example.com', user: 'robin' },
    },
    { action: 'password_changed', actor: robin.email, subject: robin.email, network: '203.0.113.0/24', details: {} },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/hush|phrase/)
})

test('audit log: failed logins are logged at most 30 times, without unknown addresses', async () => {
  const robin = await t.person()
  const logIn = (email: string) =>
    t.inject({
      method: 'POST',
      url: accounts.login.path,
      headers: { 'x-forwarded-for': '198.51.100.9' },
      payload: { email, password: 'not the right one' },
    })
  await logIn(robin.email)
  for (let i = 0; i < 40; i++) await logIn(`secret${i}@example.com`)
  const lines = await t.services.db
    .selectFrom('auditLog')
    .where('network', '=', '198.51.100.0/24')
    .select(['action', 'actor', 'subject', 'workspaceId'])
    .orderBy('id')
    .execute()
  expect(lines).toHaveLength(30)
  expect(lines[0]).toEqual({
    action: 'login_failed',
    actor: '',
    subject: robin.email,
    workspaceId: robin.workspaceId,
  })
  expect(lines[1]).toEqual({ action: 'login_failed', actor: '', subject: 'unknown address', workspaceId: null })
})

test('audit log: the entries of a deleted account stay, without its email address', async () => {
  const robin = await t.person({ email: 'robin.leaves@example.com', logsIn: true })
  const id = (await robin.api(senders.list, { query: {} })).items[0]?.id ?? ''
  await robin.api(senders.update, { params: { id }, body: { fromEmail: 'news@example.com' } })
  await forgetInAudit(t.services.db, robin)
  const lines = await listLines(robin.workspaceId)
  expect(lines.map((line) => [line.action, line.actor])).toEqual([
    ['logged_in', 'deleted account'],
    ['sender_changed', 'deleted account'],
  ])
  expect(JSON.stringify(lines)).not.toContain('robin.leaves')
})
