import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { Counter, Gauge, Registry } from 'prom-client'
import { findLastBackup } from '../backup/index.ts'
import { countClaims, countJobs, findWorkerSilence } from '../db/job-counts.ts'
import { measureLatency } from '../db/latency.ts'

/** Prometheus gives a reading up after 10 seconds. */
const PATIENCE_MS = 5_000
const MESSAGE_STATES = [
  'queued',
  'claimed',
  'sent',
  'deferred',
  'failed',
  'bounced',
  'suppressed',
  'unconfirmed',
] as const

type ChannelCounts = { channel: string } & Record<(typeof MESSAGE_STATES)[number], number>

/** Campaign messages by channel and state, without those of sample data. One row a campaign is read. */
async function countMessages(pool: pg.Pool): Promise<ChannelCounts[]> {
  const sums = MESSAGE_STATES.map((state) => `sum(n.${state})::float8 as ${state}`).join(', ')
  const { rows } = await pool.query<ChannelCounts>(
    `select c.channel, ${sums} from campaigns c
     join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
     where not c.is_sample group by c.channel`,
  )
  return rows
}

/** What is read of the database for one reading. */
async function read(pool: pg.Pool) {
  const latency = await measureLatency(pool)
  const [jobs, messages, claims, silence, backup] = await Promise.all([
    countJobs(pool),
    countMessages(pool),
    countClaims(pool),
    findWorkerSilence(pool),
    findLastBackup(pool),
  ])
  return { latency, jobs, messages, claims, silence, backup }
}

type Reading = Awaited<ReturnType<typeof read>>

function gauges({ latency, jobs, messages, claims, silence, backup }: Reading, registers: Registry[]): void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ registers, name, help, labelNames })
  gauge('postlark_database_latency_seconds', 'Time of a round trip to the database.').set(latency)
  const byQueue = gauge('postlark_jobs', 'Background jobs by queue and state.', ['queue', 'state'])
  const oldest = gauge('postlark_job_oldest_due_seconds', 'How long the oldest job has been due; 0 where none is.', [
    'queue',
  ])
  for (const { name: queue, states, oldestSeconds } of jobs) {
    for (const [state, n] of Object.entries(states)) byQueue.set({ queue, state }, n)
    oldest.set({ queue }, oldestSeconds ?? 0)
  }
  const byState = gauge('postlark_messages', 'Campaign messages by state.', ['state'])
  for (const state of MESSAGE_STATES)
    byState.set(
      { state },
      messages.reduce((sum, row) => sum + row[state], 0),
    )
  gauge('postlark_claims', 'Slices of messages that a worker holds.').set(claims.claims)
  gauge('postlark_claims_silent', 'Those whose worker has not reported for a minute.').set(claims.silent)
  // What is not known is not there.
  if (silence !== null) gauge('postlark_worker_silence_seconds', 'Time since a worker last reported.').set(silence)
  if (backup)
    gauge('postlark_last_backup_timestamp_seconds', 'When the last backup was made, since 1970.').set(
      Math.round(backup.getTime() / 1000),
    )
}

/**
 * Counters of what became of messages, of all processes, since this one was first read. They follow the sums in the database
 * upwards only: those sink when a workspace is deleted or a failed message is tried again, which is no reset.
 */
class MessageCounters {
  readonly registry = new Registry()
  readonly #last = new Map<Counter, Map<string, number>>()
  readonly #counters: [Counter, (row: ChannelCounts) => number][]

  constructor() {
    const counter = (name: string, help: string) =>
      new Counter({ registers: [this.registry], name, help, labelNames: ['channel'] })
    this.#counters = [
      // A bounce is reported later, of a message that was sent.
      [
        counter('postlark_messages_sent_total', 'Messages a server took, bounced ones too.'),
        (row) => row.sent + row.bounced,
      ],
      [counter('postlark_messages_failed_total', 'Messages that were refused or given up.'), (row) => row.failed],
      [
        counter('postlark_messages_bounced_total', 'Messages reported as bounced after they were sent.'),
        (row) => row.bounced,
      ],
    ]
  }

  follow(rows: ChannelCounts[], isFirst: boolean): void {
    for (const [counter, count] of this.#counters) {
      const last = this.#last.get(counter) ?? new Map<string, number>()
      this.#last.set(counter, last)
      for (const row of rows) {
        const now = count(row)
        const before = last.get(row.channel) ?? (isFirst ? now : 0)
        counter.inc({ channel: row.channel }, Math.max(0, now - before))
        last.set(row.channel, now)
      }
    }
  }
}

/** Reads the metrics of the database. One that does not respond is a metric too, not a failure. Readings at one time are one. */
export function databaseMetrics(pool: pg.Pool): () => Promise<Registry[]> {
  const counters = new MessageCounters()
  let isFirst = true
  let current: Promise<Reading> | undefined
  const readOnce = () => {
    current ??= read(pool)
      .then((reading) => {
        counters.follow(reading.messages, isFirst)
        isFirst = false
        return reading
      })
      .finally(() => {
        current = undefined
      })
    return current
  }
  return async () => {
    const registry = new Registry()
    const registers = [registry]
    const up = new Gauge({ registers, name: 'postlark_database_up', help: 'Whether the database responds.' })
    const late = wait(PATIENCE_MS, undefined, { ref: false })
    const reading = await Promise.race([readOnce(), late]).catch(() => undefined)
    up.set(reading ? 1 : 0)
    if (reading) gauges(reading, registers)
    return [registry, counters.registry]
  }
}
