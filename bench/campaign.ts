/**
 * A campaign of 20,000 recipients to a local mail sink, against nodemailer's pooled sendMail with the same message and no
 * database. Ours: claim to last acknowledgement, every result durable; then ten times as many, and both with one web and two workers
 * on PostgreSQL. `--recipients N`, `--quick`: the first of these alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import nodemailer from 'nodemailer'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { startPostgres } from '#server/testing/database.ts'
import { recipientAddress, uploadPeople } from '../e2e/support/sending.ts'
import { freePort, signIn, startServer } from '../e2e/support/server-process.ts'
import { peakMemory, report, startSink } from './measure.ts'

const { values } = parseArgs({
  options: {
    recipients: { type: 'string', default: '20000' },
    quick: { type: 'boolean' },
  },
})
const COUNT = Number(values.recipients)
const CONNECTIONS = 20

/** 10 kB of HTML with five links, personalized in seven places. */
function html(name: string, company: string, unsubscribe: string): string {
  const block = (
    n: number,
  ) => `<tr><td style="padding:16px;font-family:Arial,sans-serif;font-size:16px;line-height:24px;color:#22223b"><h2 style="margin:0 0 8px">Story ${n} for ${company}</h2>
<p style="margin:0 0 12px">Hello ${name}, this is what happened since we last wrote. ${'We looked at the numbers, talked to people and changed what did not work. '.repeat(17)}</p>
<p style="margin:0"><a href="https://example.com/story/${n}?from=mail" style="color:#4338ca">Read story ${n}</a></p></td></tr>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>News</title></head><body style="margin:0"><table role="presentation" width="100%">
${[1, 2, 3, 4, 5].map(block).join('\n')}<tr><td><a href="${unsubscribe}">Unsubscribe</a></td></tr></table></body></html>`
}

async function rival(url: string): Promise<number> {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  } as object)
  const started = performance.now()
  let next = 1
  const sendAll = async () => {
    while (next <= COUNT) {
      const n = next++
      const [name, company] = [`Person ${n}`, `Firm ${n}`]
      const body = html(name, company, `https://example.com/u/${n}`).replaceAll(
        'https://example.com/story/',
        `https://example.com/t/c/${n}-`,
      )
      await transport.sendMail({
        from: 'News <news@example.com>',
        to: { name, address: recipientAddress(n) },
        subject: `News for ${name}`,
        html: `${body}<img src="https://example.com/t/o/${n}" width="1" height="1" alt="">`,
        text: `Hello ${name}, this is what happened since we last wrote.`,
        headers: {
          'List-Unsubscribe': `<https://example.com/u/${n}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS * 2 }, sendAll))
  const seconds = (performance.now() - started) / 1000
  transport.close()
  return COUNT / seconds
}

interface Measured {
  /** Messages a second. */
  rate: number
  /** MiB, of the process with the most. */
  memory: number
  /** Milliseconds from the call that sends to the first message. */
  first: number
}

async function ours(url: string, count: number, databaseUrl?: string): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
  const environment = {
    DATA_DIR: dataDir,
    SMTP_URL: url,
    SECRET_KEY: 'a secret key of more than thirty-two characters',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const roles = databaseUrl ? ['web', 'worker', 'worker'] : ['all']
  const servers: ReturnType<typeof startServer>[] = []
  for (const ROLE of roles) {
    const server = startServer({ ...environment, ROLE, PORT: String(await freePort()) })
    await server.ready
    servers.push(server)
  }
  try {
    const api = await signIn(servers[0]?.url ?? '')
    const listId = await uploadPeople(api, count)
    const sender = (await api(senders.list, { query: {} })).items[0]
    await api(senders.update, {
      params: { id: sender?.id ?? '' },
      body: { fromEmail: 'news@example.com', fromName: 'News', limits: { connections: CONNECTIONS } },
    })
    const draft = await api(campaigns.create, {
      body: {
        name: 'Bench',
        subject: 'News for {{ name }}',
        html: html('{{ name }}', '{{ attributes.company }}', '{{ unsubscribe_url }}'),
        listIds: [listId],
      },
    })
    sink.reset()
    const clickedAt = Date.now()
    await api(campaigns.send, { params: { id: draft.id }, body: {} })
    for (;;) {
      await wait(250)
      const { state, counts, startedAt, finishedAt } = await api(campaigns.get, { params: { id: draft.id } })
      if (state !== 'sent') continue
      if (counts.sent !== count) throw new Error(`only ${counts.sent} of ${count} were sent`)
      const seconds = (Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')) / 1000
      return {
        rate: count / seconds,
        memory: Math.max(...servers.map((server) => peakMemory(server.pid))),
        first: (await sink.firstAt()) - clickedAt,
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Messages a second of one web and two workers on a new PostgreSQL. */
async function twoWorkers(url: string, count: number): Promise<number> {
  // Three processes, each with pools of its own.
  const postgres = await startPostgres({ max_connections: '100' })
  try {
    return (await ours(url, count, postgres.url)).rate
  } finally {
    await postgres.stop()
  }
}

const sink = await startSink()
try {
  const them = await rival(sink.url)
  report(`nodemailer, pooled, ${CONNECTIONS} connections, no database`, `${Math.round(them)} messages/s`)
  const embedded = await ours(sink.url, COUNT)
  report(`campaign of ${COUNT}, embedded database`, `${Math.round(embedded.rate)} messages/s`, {
    of: embedded.rate / them,
    bar: 6,
  })
  report('  from the send call to the first message', `${embedded.first} ms`)
  report('  peak memory', `${embedded.memory} MiB`)
  if (!values.quick) {
    const large = await ours(sink.url, COUNT * 10)
    report(`campaign of ${COUNT * 10}, embedded database`, `${Math.round(large.rate)} messages/s`, {
      of: large.rate / them,
      bar: 7,
    })
    report(
      `  peak memory of ${COUNT * 10}`,
      `${large.memory} MiB (${Math.round((large.memory / embedded.memory - 1) * 100)} % more; bar 10 %)`,
    )
    for (const count of [COUNT, COUNT * 10]) {
      const rate = await twoWorkers(sink.url, count)
      report(`campaign of ${count}, PostgreSQL, two workers`, `${Math.round(rate)} messages/s`, {
        of: rate / them,
        bar: 7,
      })
    }
  }
} finally {
  sink.stop()
}
