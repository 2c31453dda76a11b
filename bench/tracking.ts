/**
 * Durable opens and clicks per second, each response sent after its commit on the embedded database, against bare
 * node:http that sends the same GIF. Same load generator, processes of their own, turn by turn. `--seconds N`. With 100 connections,
 * each with one request at a time, the time of a commit is the limit; after a large campaign there are many more.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createTokens } from '#server/engine/index.ts'
import { loadConfig } from '#server/platform/config.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { start } from '#server/start.ts'
import { until } from '#server/testing/until.ts'
import { report } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' } },
})
const CONNECTIONS = [100, 1_000]
const PEOPLE = 20_000
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

interface Target {
  port: number
  opens: string[]
  clicks: string[]
}

function serveBare(): void {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'image/gif', 'content-length': gif.length, 'cache-control': 'no-store' })
      .end(gif)
  })
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port, opens: ['/t/o/x'], clicks: [] } satisfies Target),
  )
}

/** The product with a campaign that was sent. To the message `count` it replies with the number of events it stored, to `settle` once their figures are counted. */
async function serveOurs(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ADMIN_EMAIL: 'a@example.com',
    ADMIN_PASSWORD: 'a long enough phrase',
  })
  const running = await start(config, 'none')
  const { db } = running.services
  const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  const campaign = await db
    .insertInto('campaigns')
    .values({ workspaceId: workspace.id, name: 'Bench', state: 'sent' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('campaignLinks')
    .values({ workspaceId: workspace.id, campaignId: campaign.id, link: 0, url: 'https://example.com/' })
    .execute()
  const { rows } = await sql<{ id: string }>`
    insert into messages (workspace_id, campaign_id, contact_id, address, state, sent_at)
    select ${workspace.id}, ${campaign.id}, n, 'r' || n || '@example.com', 'sent', now() - interval '1 hour' from generate_series(1, ${PEOPLE}::int) as n
    returning id`.execute(db)
  const tokens = createTokens(deriveKey(config.secretKey, 'message tokens'))
  process.on('message', async (message) => {
    if (message === 'settle') {
      const isBehind = async () =>
        (await sql`select 1 from event_changes union all select 1 from message_changes limit 1`.execute(db)).rows
          .length > 0
      await until(async () => !(await isBehind()), 'figures of all events', 120)
      process.send?.('settled')
    }
    if (message === 'count')
      process.send?.(
        Number(
          (
            await db
              .selectFrom('events')
              .select((e) => e.fn.countAll().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        ),
      )
    if (message !== 'stop') return
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
    process.exit(0)
  })
  process.send?.({
    port: Number(new URL(running.address).port),
    opens: rows.map(({ id }) => `/t/o/${tokens.sign('open', id)}`),
    clicks: rows.map(({ id }) => `/t/c/${tokens.sign('click', id, 0)}`),
  } satisfies Target)
}

/** Asks for the paths in turn on so many connections, one request at a time each. Returns how many were answered, and how fast. */
async function load(
  port: number,
  paths: string[],
  { status, seconds, connections }: { status: string; seconds: number; connections: number },
): Promise<{ answered: number; rate: number }> {
  let [next, answered] = [0, 0]
  const started = performance.now()
  const until = started + seconds * 1000
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      const ask = () =>
        socket.write(
          `GET ${paths[next++ % paths.length]} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${AGENT}\r\nAccept: image/*\r\n\r\n`,
        )
      socket.setNoDelay(true).on('connect', ask).on('error', reject)
      socket.on('data', (chunk) => {
        // Head and body of these small responses arrive together.
        const head = chunk.toString('latin1', 0, 12)
        if (head !== `HTTP/1.1 ${status}`) return void reject(new Error(`answered ${head}`))
        answered++
        if (performance.now() < until) ask()
        else socket.end(resolve)
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  return { answered, rate: answered / ((performance.now() - started) / 1000) }
}

async function compare(): Promise<void> {
  const children = ['bare', 'ours'].map((role) => fork(import.meta.filename, [role]))
  const [bare, ours] = (await Promise.all(children.map(async (child) => (await once(child, 'message'))[0]))) as [
    Target,
    Target,
  ]
  const seconds = Number(values.seconds)
  let answered = 0
  await load(bare.port, bare.opens, { status: '200', seconds: 1, connections: 100 })
  answered += (await load(ours.port, ours.opens, { status: '200', seconds: 2, connections: 100 })).answered
  const rounds = 3
  for (const connections of CONNECTIONS) {
    const rates = { bare: 0, opens: 0, clicks: 0 }
    for (let round = 0; round < rounds; round++) {
      // Figures of events are counted after their response: that must not slow bare node:http down.
      children[1]?.send('settle')
      await once(children[1] as NodeJS.EventEmitter, 'message')
      rates.bare += (await load(bare.port, bare.opens, { status: '200', seconds, connections })).rate / rounds
      for (const kind of ['opens', 'clicks'] as const) {
        const run = await load(ours.port, ours[kind], {
          status: kind === 'opens' ? '200' : '302',
          seconds,
          connections,
        })
        rates[kind] += run.rate / rounds
        answered += run.answered
      }
    }
    const per = `${connections} connections`
    report(`bare node:http, ${per}`, `${Math.round(rates.bare)} answers/s`)
    for (const kind of ['opens', 'clicks'] as const)
      report(`durable ${kind}, ${per}`, `${Math.round(rates[kind])} events/s`, {
        of: rates[kind] / rates.bare,
        bar: 0.35,
      })
  }
  children[1]?.send('count')
  const [stored] = (await once(children[1] as NodeJS.EventEmitter, 'message')) as [number]
  if (stored !== answered) throw new Error(`${answered} were answered and ${stored} stored`)
  report('  stored', `${stored} of ${answered} answered`)
  children[0]?.kill()
  children[1]?.send('stop')
}

if (positionals[0] === 'bare') serveBare()
else if (positionals[0] === 'ours') await serveOurs()
else await compare()
