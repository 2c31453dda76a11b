/**
 * A campaign of 20,000 recipients to a local mail sink, against nodemailer's pooled sendMail with the same message and no
 * database. Ours: claim to last acknowledgement, every result durable; then ten times as many, and both with one web and two workers
 * on PostgreSQL. `--recipients N`, `--quick`: the first of these alone.
 */
import { parseArgs } from 'node:util'
import nodemailer from 'nodemailer'
import { startPostgres } from '#server/testing/database.ts'
import { recipientAddress } from '../e2e/support/sending.ts'
import { report, startSink } from './measure.ts'
import { CONNECTIONS, html, sendCampaign } from './sending.ts'

const { values } = parseArgs({
  options: {
    recipients: { type: 'string', default: '20000' },
    quick: { type: 'boolean' },
  },
})
const COUNT = Number(values.recipients)

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

/** Messages a second of one web and two workers on a new PostgreSQL. */
async function twoWorkers(count: number): Promise<number> {
  // Three processes, each with pools of its own.
  const postgres = await startPostgres({ max_connections: '100' })
  try {
    return (await sendCampaign(sink, count, { databaseUrl: postgres.url })).rate
  } finally {
    await postgres.stop()
  }
}

/** Between the check of a draft and the press of Send: a person reads what it says. */
const READ_MS = 4_000

const sink = await startSink()
try {
  const them = await rival(sink.url)
  report(`nodemailer, pooled, ${CONNECTIONS} connections, no database`, `${Math.round(them)} messages/s`)
  const embedded = await sendCampaign(sink, COUNT)
  report(`campaign of ${COUNT}, embedded database`, `${Math.round(embedded.rate)} messages/s`, {
    of: embedded.rate / them,
    bar: 6,
  })
  report('  from the send call to the first message', `${embedded.first} ms`)
  report('  peak memory', `${embedded.memory} MiB`)
  const checked = await sendCampaign(sink, COUNT, { isChecked: true })
  report('  from the send call to the first message, checked before', `${checked.first} ms`)
  const rested = await sendCampaign(sink, COUNT, { isChecked: true, restMs: READ_MS })
  report(`  … and sent ${READ_MS / 1_000} s later, as by a person`, `${rested.first} ms`)
  if (!values.quick) {
    const large = await sendCampaign(sink, COUNT * 10)
    report(`campaign of ${COUNT * 10}, embedded database`, `${Math.round(large.rate)} messages/s`, {
      of: large.rate / them,
      bar: 7,
    })
    report(
      `  peak memory of ${COUNT * 10}`,
      `${large.memory} MiB (${Math.round((large.memory / embedded.memory - 1) * 100)} % more; bar 10 %)`,
    )
    for (const count of [COUNT, COUNT * 10]) {
      const rate = await twoWorkers(count)
      report(`campaign of ${count}, PostgreSQL, two workers`, `${Math.round(rate)} messages/s`, {
        of: rate / them,
        bar: 7,
      })
    }
  }
} finally {
  sink.stop()
}
