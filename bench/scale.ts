/**
 * What a message costs with 1, 2 and 4 workers on one PostgreSQL, without a shared disk: processor time of the workers and
 * of the database, statements, log and connections. Processor time does not depend on how many cores there are, so it says
 * where the limit of 100 workers is. `--recipients N`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { ApiClient } from '#contracts/client.ts'
import { senders } from '#contracts/senders/senders.ts'
import { HTML } from '#server/testing/campaign.ts'
import { startPostgres } from '#server/testing/database.ts'
import { machines } from '../e2e/support/machines.ts'
import { uploadPeople } from '../e2e/support/sending.ts'
import { signIn } from '../e2e/support/server-process.ts'
import { report, startSink } from './measure.ts'

const { values } = parseArgs({ options: { recipients: { type: 'string', default: '20000' } } })
const COUNT = Number(values.recipients)
/** Of each worker to the mail server. */
const CONNECTIONS = 10
/** Recipients of the campaign that starts the sending threads. */
const WARM_UP = 400
const IDLE_MS = 10_000
/** Of Linux: ticks of the processor time in /proc. */
const TICKS_PER_SECOND = 100

/** The fields of /proc/pid/stat after the program's name; none where it ended. */
function readStat(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

const sumTicks = (fields: string[], from: number, to: number) =>
  fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0)

/** Seconds of processor time of a process and its threads. */
const readProcess = (pid: number) => sumTicks(readStat(pid), 11, 13) / TICKS_PER_SECOND

/** Seconds of processor time of PostgreSQL: its postmaster, what that has reaped, and its processes that live. */
function readPostgres(postmaster: number): number {
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
    .filter((fields) => Number(fields[1]) === postmaster)
  const ticks = living.reduce((sum, fields) => sum + sumTicks(fields, 11, 13), sumTicks(readStat(postmaster), 11, 15))
  return ticks / TICKS_PER_SECOND
}

interface Reading {
  at: number
  workers: number
  database: number
  statements: number
  log: number
}

const postgres = await startPostgres({ max_connections: '200', shared_preload_libraries: 'pg_stat_statements' })
const socketFolder = new URL(postgres.url).searchParams.get('host') ?? ''
const postmaster = Number(readFileSync(join(socketFolder, '.s.PGSQL.5432.lock'), 'utf8').split('\n')[0])
const database = new pg.Client({ connectionString: postgres.url })
await database.connect()
await database.query('create extension pg_stat_statements')

async function read(pids: number[]): Promise<Reading> {
  const { rows } = await database.query<{ statements: number; log: number }>(
    `select sum(calls)::float8 as statements, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as log from pg_stat_statements`,
  )
  const workers = pids.reduce((sum, pid) => sum + readProcess(pid), 0)
  return { at: performance.now(), workers, database: readPostgres(postmaster), statements: 0, log: 0, ...rows[0] }
}

const countConnections = async () =>
  Number(
    (
      await database.query(
        "select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'postlark'",
      )
    ).rows[0].n,
  )

async function sendOnce(
  api: ApiClient,
  listId: string,
  count: number,
): Promise<{ connections: number; seconds: number }> {
  const body = { name: 'Bench', subject: 'News for {{ name }}', html: HTML, listIds: [listId] }
  const { id } = await api(campaigns.create, { body })
  await api(campaigns.send, { params: { id }, body: {} })
  let connections = 0
  for (;;) {
    await wait(200)
    connections = Math.max(connections, await countConnections())
    const { state, counts, startedAt, finishedAt } = await api(campaigns.get, { params: { id } })
    if (state !== 'sent') continue
    if (counts.sent !== count) throw new Error(`only ${counts.sent} of ${count} were sent`)
    return { connections, seconds: (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1_000 }
  }
}

const microseconds = (seconds: number) => `${Math.round((seconds / COUNT) * 1e6)} µs`

/** One campaign with so many workers, each on a machine of its own. */
async function measure(
  workers: number,
  environment: Record<string, string>,
  api: ApiClient,
  lists: { warmUp: string; all: string },
) {
  const [sender] = (await api(senders.list, { query: {} })).items
  const limits = { connections: CONNECTIONS * workers }
  await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits } })
  const fleet = machines(environment)
  try {
    const pids: number[] = []
    for (let i = 0; i < workers; i++) pids.push((await fleet.start('worker')).server.pid)
    // A worker's sending thread starts with its first campaign, and then waits for the next one.
    await sendOnce(api, lists.warmUp, WARM_UP)
    const resting = await read(pids)
    await wait(IDLE_MS)
    const before = await read(pids)
    const { connections, seconds } = await sendOnce(api, lists.all, COUNT)
    const after = await read(pids)
    const name = `${workers} worker${workers === 1 ? '' : 's'}`
    const cost = { worker: after.workers - before.workers, database: after.database - before.database }
    report(`${name}: processor time of the workers, a message`, microseconds(cost.worker))
    report(`${name}: processor time of PostgreSQL, a message`, microseconds(cost.database))
    report(`${name}: statements, a message`, ((after.statements - before.statements) / COUNT).toFixed(3))
    report(`${name}: log, a message`, `${Math.round((after.log - before.log) / COUNT)} bytes`)
    report(`${name}: connections at most, the web process included`, String(connections))
    report(`${name}: messages a second on this machine`, String(Math.round(COUNT / seconds)))
    const idle = (before.statements - resting.statements) / ((before.at - resting.at) / 1_000)
    report(`${name}: statements a second, idle`, idle.toFixed(1))
    return cost
  } finally {
    await fleet.stop()
  }
}

const sink = await startSink()
const environment = { DATABASE_URL: postgres.url, SMTP_URL: sink.url }
const webs = machines(environment)
try {
  const { server } = await webs.start('web')
  const importer = machines(environment)
  await importer.start('worker')
  const api = await signIn(server.url)
  const lists = { all: await uploadPeople(api, COUNT), warmUp: await uploadPeople(api, WARM_UP) }
  await importer.stop()
  let cost = { worker: 0, database: 0 }
  for (const workers of [1, 2, 4]) cost = await measure(workers, environment, api, lists)
  const perCore = Math.round(COUNT / cost.worker)
  report('100 workers, a core each: messages a second', (perCore * 100).toLocaleString('en'))
  report('cores of PostgreSQL for that', String(Math.ceil((cost.database / COUNT) * perCore * 100)))
  report('messages a second for each core of PostgreSQL', Math.round(COUNT / cost.database).toLocaleString('en'))
} finally {
  await webs.stop()
  sink.stop()
  await database.end()
  await postgres.stop()
}
