import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { saveLastBackup } from '#server/platform/backup/index.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'

const TOKEN = 'a-token-of-the-monitoring'
const t = await testApp({ environment: { METRICS_TOKEN: TOKEN } })
afterAll(() => t[Symbol.asyncDispose]())
const ask = (headers: Record<string, string>, remoteAddress: string) =>
  t.inject({ url: '/metrics', headers, remoteAddress })
const read = async () => (await fetch(`${t.address}/metrics`)).text()

test('metrics: this machine, the token of the monitoring and admins get them, everybody else is refused', async () => {
  const [user, admin] = [await t.person(), await t.person({ role: 'admin' })]
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  expect((await ask({}, '203.0.113.7')).statusCode).toBe(401)
  expect((await ask(bearer(`${TOKEN}x`), '203.0.113.7')).statusCode).toBe(401)
  expect((await ask(bearer(user.token), '203.0.113.7')).statusCode).toBe(403)
  expect((await ask(bearer(admin.token), '203.0.113.7')).statusCode).toBe(200)
  expect((await ask(bearer(TOKEN), '203.0.113.7')).statusCode).toBe(200)
  expect((await ask({ 'x-forwarded-for': '203.0.113.7' }, '127.0.0.1')).statusCode).toBe(401)
  expect((await ask({ host: 'rebound.example:3000' }, '127.0.0.1')).statusCode).toBe(401)
  const elsewhere = { url: '/api/admin/health', headers: bearer(TOKEN), remoteAddress: '203.0.113.7' }
  expect((await t.inject(elsewhere)).statusCode).toBe(401)
  const text = await read()
  for (const line of [
    /^postlark_http_requests_total\{method="GET",status="401"\} 5$/m,
    /^postlark_database_up 1$/m,
    /^postlark_database_latency_seconds 0\.\d+$/m,
    /^postlark_job_oldest_due_seconds\{queue="accounts.email"\} 0$/m,
    /^postlark_messages\{state="unconfirmed"\} 0$/m,
    /^postlark_claims_silent 0$/m,
    /^process_resident_memory_bytes \d+$/m,
    /^nodejs_eventloop_lag_seconds\{quantile="0.99"\} /m,
  ])
    expect(text).toMatch(line)
  // What is not known is not there.
  expect(text).not.toMatch(/^postlark_last_backup_timestamp_seconds /m)
})

test('metrics: messages count by channel, deleted ones do not, and an old job and a silent claim show', async () => {
  const ada = await t.person()
  const { id } = await draftTo(ada, await listWith(t.services, ada, 3))
  await read()
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  const { pool } = t.services
  await pool.query(
    'update campaign_counts set sent = sent - 1, bounced = bounced + 1, failed = failed + 2 where campaign_id = $1',
    [id],
  )
  const lines = [
    'postlark_messages_sent_total{channel="email"} 3',
    'postlark_messages_bounced_total{channel="email"} 1',
    'postlark_messages_failed_total{channel="email"} 2',
  ]
  // Readings at one time do not count twice.
  const [first, second] = await Promise.all([read(), read()])
  for (const line of lines) {
    expect(first).toContain(line)
    expect(second).toContain(line)
  }
  await pool.query('delete from campaign_counts where campaign_id = $1', [id])
  await pool.query(
    `insert into claims (workspace_id, campaign_id, worker, journal_home, alive_at) values ($1, $2, 'gone', 'gone', now() - interval '2 minutes')`,
    [ada.workspaceId, id],
  )
  await pool.query('select pgboss.create_queue(\'tests.old\', \'{"policy":"standard"}\'::jsonb)')
  await pool.query(
    `insert into pgboss.job (name, created_on, start_after) values ('tests.old', now() - interval '1 hour', now() - interval '1 hour')`,
  )
  const after = await read()
  for (const line of lines) expect(after).toContain(line)
  expect(after).toMatch(/^postlark_job_oldest_due_seconds\{queue="tests.old"\} 36\d\d$/m)
  expect(after).toMatch(/^postlark_claims_silent 1$/m)
})

/** The names of metrics of ours in an expression. */
const findNames = (expression: string) => expression.match(/\b(?:postlark|process|nodejs)_[a-z_]+/g) ?? []

test('metrics: each one that the alerts and the dashboard name exists', async () => {
  await saveLastBackup(t.services.db, new Date())
  await t.services.pool.query('update pgboss.queue set monitor_on = now()')
  const deploy = (path: string) => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')
  const { groups } = parse(deploy('prometheus/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  const { panels } = JSON.parse(deploy('grafana/postlark.json')) as { panels: { targets?: { expr: string }[] }[] }
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const named = new Set(expressions.flatMap(findNames))
  const text = await read()
  const known = new Set([...text.matchAll(/^([a-z_]+)(?:\{| )/gm)].map(([, name]) => name))
  expect([...named].filter((name) => !known.has(name))).toEqual([])
  expect(named.size).toBeGreaterThan(15)
  // And each has its help and its type.
  const helped = new Set([...text.matchAll(/^# HELP ([a-z_]+) /gm)].map(([, name]) => name))
  expect([...known].filter((name = '') => !helped.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([])
})
