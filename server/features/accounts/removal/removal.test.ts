import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { senders } from '#contracts/senders/senders.ts'
import { templates } from '#contracts/templates/templates.ts'
import { rollWorkspace } from '#server/features/tracking/index.ts'
import { loadConfig } from '#server/platform/config.ts'
import type { Services } from '#server/services.ts'
import { start } from '#server/start.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { countRows, fillEveryTable, tablesHolding, tablesWith } from '#server/testing/whole-workspace.ts'
import { addUser } from '../users.ts'

let t: TestApp
let keeper: Person
beforeAll(async () => {
  t = await testApp()
  // The one the installation makes by itself would stay an admin otherwise.
  await t.services.db.updateTable('users').set({ role: 'user' }).execute()
  keeper = await t.person({ role: 'admin' })
})
afterAll(() => t[Symbol.asyncDispose]())

const remove = (person: Person) =>
  person.api(accounts.remove, { body: { email: person.email, password: person.password } })

/** The workspace's row goes last. */
const untilCleared = ({ workspaceId }: Pick<Person, 'workspaceId'>, { db }: Pick<Services, 'db'> = t.services) =>
  until(async () => (await countRows(db, 'workspaces', 'id', workspaceId)) === 0, 'the workspace is gone')

const untilImported = (person: Person, id: string) =>
  until(async () => (await person.api(imports.get, { params: { id } })).state === 'done', 'the end of the import')

test('account removal: only hashes of suppressions remain, and other workspaces are unchanged', async () => {
  const { db } = t.services
  const mark = 'mark4711'
  const [person, other] = [await t.person({ name: `Ada ${mark}`, email: `ada.${mark}@example.com` }), await t.person()]
  for (const each of [person, other]) {
    const own = each === person ? mark : 'other'
    await each.api(templates.create, { body: { name: own, html: `<p>${own}</p>` } })
    await each.api(suppressions.create, { body: { address: `gone.${own}@example.com` } })
    // More than a slice.
    const listId = await listWith(t.services, each, 2_500, (n) => `${own}${n}@example.com`)
    const small = await listWith(t.services, each, 3, (n) => `reader${n}.${own}@example.com`)
    const { id } = await draftTo(each, small, { name: own })
    await each.api(campaigns.send, { params: { id }, body: {} })
    await untilState(each, id, ['sent'])
    const form = new FormData()
    form.set('listId', listId)
    form.set('file', new Blob([`email\nnot an address ${own}\nnew.${own}@example.com\n`]), `${own}.csv`)
    const { importId } = await each.api(contacts.import, { form })
    await untilImported(each, importId)
    await sql`insert into events (workspace_id, campaign_id, message_id, kind, class, user_agent)
      select workspace_id, campaign_id, id, 'open', 'human', ${own} from messages where campaign_id = ${id}`.execute(db)
    await t.api(accounts.forgotPassword, { body: { email: each.email } })
    await fillEveryTable(db, each)
  }
  await t.sink.waitFor((mail) => mail.to.includes(person.email))
  const tables = await tablesWith(db, 'workspace_id')
  // These are there only until a thread has done what they ask for.
  const filled = tables.filter((table) => !['claims', 'event_changes', 'message_changes'].includes(table))
  await rollWorkspace(db, other.workspaceId)
  const before = await Promise.all(filled.map((table) => countRows(db, table, 'workspace_id', other.workspaceId)))
  expect(Math.min(...before)).toBeGreaterThan(0)
  expect((await tablesHolding(db, mark)).length).toBeGreaterThan(8)

  await remove(person)
  await expect(person.api(accounts.user)).rejects.toMatchObject({ status: 401 })
  await untilCleared(person)

  for (const table of tables)
    expect([table, await countRows(db, table, 'workspace_id', person.workspaceId)]).toEqual([table, 0])
  for (const table of await tablesWith(db, 'user_id'))
    expect([table, await countRows(db, table, 'user_id', person.id)]).toEqual([table, 0])
  expect(await tablesHolding(db, mark)).toEqual([])
  expect(await Promise.all(filled.map((table) => countRows(db, table, 'workspace_id', other.workspaceId)))).toEqual(
    before,
  )
  const counts = await sql`select 1 from campaign_counts n where not exists (
      select 1 from campaigns c where c.workspace_id = n.workspace_id and c.id = n.campaign_id)`.execute(db)
  expect(counts.rows).toEqual([])
  const { rows: log } = await sql<{ actor: string; details: object }>`
    select actor, details from audit_log where action = 'account_deleted'`.execute(db)
  expect(log).toEqual([{ actor: 'deleted account', details: {} }])
  const { rows: retained } = await sql<{
    reason: string
  }>`select reason from retained_suppressions order by reason`.execute(db)
  // Of the suppression, and of somebody erased.
  expect(retained).toEqual([{ reason: 'manual' }, { reason: 'unsubscribe' }])
})

test('account removal: a user who signs up again sends nothing to suppressed addresses', async () => {
  const email = 'returning@example.com'
  const first = await t.person({ email })
  await first.api(suppressions.create, { body: { address: 'Stop@Example.com' } })
  await remove(first)
  await untilCleared(first)
  const again = await t.person({ email })
  const listId = await listWith(t.services, again, 2, (n) => (n === 1 ? 'stop@example.com' : 'welcome@example.com'))
  const { id } = await draftTo(again, listId)
  await again.api(campaigns.send, { params: { id }, body: {} })
  const { counts } = await untilState(again, id, ['sent'])
  expect(counts).toMatchObject({ recipients: 2, sent: 1, suppressed: 1 })
  // It was their promise and nobody else's.
  const stranger = await t.person()
  const theirs = await draftTo(stranger, await listWith(t.services, stranger, 1, () => 'stop@example.com'))
  await stranger.api(campaigns.send, { params: { id: theirs.id }, body: {} })
  expect((await untilState(stranger, theirs.id, ['sent'])).counts).toMatchObject({ sent: 1 })
})

test('account removal: its running campaign stops, and campaigns of others continue', async () => {
  const slow = await t.person()
  const { items } = await slow.api(senders.list, { query: {} })
  await slow.api(senders.update, { params: { id: items[0]?.id ?? '' }, body: { limits: { perSecond: 5 } } })
  const draft = await draftTo(slow, await listWith(t.services, slow, 400, (n) => `slow${n}@example.com`))
  await slow.api(campaigns.send, { params: { id: draft.id }, body: {} })
  await t.sink.mailTo('slow1@example.com')
  await remove(slow)
  await untilCleared(slow)
  const sent = t.sink.received.filter((mail) => mail.to[0]?.startsWith('slow')).length
  expect(sent).toBeLessThan(100)
  const next = await t.person()
  const { id } = await draftTo(next, await listWith(t.services, next, 20, (n) => `next${n}@example.com`))
  await next.api(campaigns.send, { params: { id }, body: {} })
  expect((await untilState(next, id, ['sent'])).counts.sent).toBe(20)
  expect(t.sink.received.filter((mail) => mail.to[0]?.startsWith('slow')).length).toBe(sent)
  expect(await tablesHolding(t.services.db, 'slow1@')).toEqual([])
})

test('account removal: its running import stops, and imports of others continue', async () => {
  const person = await t.person()
  const lines = Array.from({ length: 60_000 }, (_, n) => `import${n}@example.com`).join('\n')
  const form = new FormData()
  form.set('file', new Blob([`email\n${lines}\n`]), 'people.csv')
  await person.api(contacts.import, { form })
  const imported = () => countRows(t.services.db, 'contacts', 'workspace_id', person.workspaceId)
  await until(async () => (await imported()) > 0, 'the first rows')
  await remove(person)
  await untilCleared(person)
  // Had the first import gone on, it would have written while a second one, begun after it, ran from start to end.
  const next = await t.person()
  const second = new FormData()
  second.set('file', new Blob([`email\n${lines.slice(0, 20_000)}\n`]), 'people.csv')
  const { importId } = await next.api(contacts.import, { form: second })
  await untilImported(next, importId)
  expect(await imported()).toBe(0)
})

/** Some twenty slices, so that there is a middle. */
const CONTACTS = 40_000

test('account removal: one that is interrupted continues at the next start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-removal-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', SMTP_URL: t.sink.url })
  const email = 'leaving@example.com'
  const [password, mine] = ['a long enough phrase', { name: 'Ada', role: 'user', plan: 'business' } as const]
  const first = await start(config, 'none')
  const { db } = first.services
  const added = await db.transaction().execute((db) => addUser(db, { ...mine, email, password, verified: true }))
  const workspaceId = added?.workspaceId ?? ''
  await sql`insert into contacts (workspace_id, email, email_key)
    select ${workspaceId}::bigint, n || '@example.com', n || '@example.com' from generate_series(1, ${CONTACTS}::int) n`.execute(
    db,
  )
  // Slow enough that not all are gone before the server stops.
  await sql`create function take_time() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return null; end'`.execute(
    db,
  )
  await sql`create trigger take_time after delete on contacts for each statement execute function take_time()`.execute(
    db,
  )
  const call = (method: 'POST' | 'DELETE', url: string, payload: object, token = '') =>
    first.app.inject({ method, url, payload, headers: token ? { authorization: `Bearer ${token}` } : {} })
  const { token } = (await call('POST', '/api/auth/login', { email, password })).json()
  expect((await call('DELETE', '/api/account', { email, password }, token)).statusCode).toBe(200)
  const left = () => countRows(db, 'contacts', 'workspace_id', workspaceId)
  await until(async () => (await left()) < CONTACTS, 'the first slice is gone')
  await first.stop()
  const second = await start(config, 'none')
  expect(await countRows(second.services.db, 'contacts', 'workspace_id', workspaceId)).toBeGreaterThan(0)
  await sql`drop trigger take_time on contacts`.execute(second.services.db)
  await untilCleared({ workspaceId }, second.services)
  expect(await countRows(second.services.db, 'contacts', 'workspace_id', workspaceId)).toBe(0)
  await second.stop()
  rmSync(dataDir, { recursive: true })
})

test('account removal: a wrong address or password is refused, and nothing is removed', async () => {
  const person = await t.person()
  const tries: [object, string][] = [
    [{}, 'email'],
    [{ email: 'somebody.else@example.com', password: person.password }, 'email'],
    [{ email: person.email }, 'password'],
    [{ email: person.email, password: 'not this one' }, 'password'],
    [{ email: person.email, password: person.password, workspaceId: keeper.workspaceId }, 'workspaceId'],
  ]
  for (const [payload, field] of tries) {
    const response = await t.inject({
      method: 'DELETE',
      url: '/api/account',
      headers: { authorization: `Bearer ${person.token}` },
      payload,
    })
    expect([response.statusCode, response.json().details?.[0]?.field]).toEqual([400, field])
  }
  expect(await person.api(accounts.user)).toMatchObject({ email: person.email })
})

test('account removal: wrong passwords are limited', async () => {
  const person = await t.person()
  const guess = () => person.api(accounts.remove, { body: { email: person.email, password: 'not this one' } })
  for (let i = 0; i < 10; i++) await expect(guess()).rejects.toMatchObject({ status: 400 })
  await expect(guess()).rejects.toMatchObject({ status: 429 })
  await expect(remove(person)).rejects.toMatchObject({ status: 429 })
})

test('account removal: a user without a password confirms with the address only', async () => {
  const person = await t.person()
  await t.services.db
    .updateTable('users')
    .set({ passwordHash: null, authProvider: 'google' })
    .where('id', '=', person.id)
    .execute()
  expect(await person.api(accounts.user)).toMatchObject({ hasPassword: false, authProvider: 'google' })
  await person.api(accounts.remove, { body: { email: ` ${person.email.toUpperCase()} ` } })
  await untilCleared(person)
})

test('account removal: the last admin cannot be removed, even by two concurrent requests', async () => {
  await expect(remove(keeper)).rejects.toMatchObject({ status: 409, code: 'last_admin' })
  const second = await t.person({ role: 'admin' })
  const outcomes = await Promise.allSettled([remove(keeper), remove(second)])
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('sessions: logging out everywhere ends every session, the current one included', async () => {
  const person = await t.person()
  const { token } = await t.api(accounts.login, { body: { email: person.email, password: person.password } })
  expect((await person.api(accounts.sessions)).items).toHaveLength(2)
  await person.api(accounts.endSessions)
  for (const api of [person.api, t.createClient(token)])
    await expect(api(accounts.user)).rejects.toMatchObject({ status: 401 })
})
