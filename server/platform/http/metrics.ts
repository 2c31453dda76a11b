import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { adminRequired, unauthorized } from './refusal.ts'
import { watchRequests } from './request-log.ts'

type Labels = Record<string, string | number>
interface Sample {
  labels?: Labels
  value: number
  suffix?: string
}

const escaped = (value: string | number) =>
  String(value).replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

/** One metric in the Prometheus text format 0.0.4. */
function metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, samples: Sample[]): string {
  const lines = samples.map(({ labels = {}, value, suffix = '' }) => {
    const inner = Object.entries(labels).map(([key, label]) => `${key}="${escaped(label)}"`)
    return `${name}${suffix}${inner.length > 0 ? `{${inner.join(',')}}` : ''} ${value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')
}

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts requests by method and status and sorts their seconds into buckets. */
function requestMetrics(app: FastifyInstance): () => string[] {
  const counts = new Map<string, { labels: Labels; value: number }>()
  const buckets = BOUNDS.map(() => 0)
  let total = 0
  let sum = 0
  watchRequests(app, ({ method, status, milliseconds }) => {
    const key = `${method} ${status}`
    const count = counts.get(key) ?? { labels: { method, status: status || 'aborted' }, value: 0 }
    count.value++
    counts.set(key, count)
    const seconds = milliseconds / 1000
    total++
    sum += seconds
    for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1
  })
  return () => [
    metric('postlark_http_requests_total', 'counter', 'Requests answered.', [...counts.values()]),
    metric('postlark_http_request_duration_seconds', 'histogram', 'Time from request to the end of its answer.', [
      ...BOUNDS.map((bound, index) => ({ suffix: '_bucket', labels: { le: bound }, value: buckets[index] ?? 0 })),
      { suffix: '_bucket', labels: { le: '+Inf' }, value: total },
      { suffix: '_sum', value: sum },
      { suffix: '_count', value: total },
    ]),
  ]
}

function processMetrics(delay: ReturnType<typeof monitorEventLoopDelay>): string[] {
  const { user, system } = process.cpuUsage()
  const memory = process.memoryUsage()
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
  const lag = (quantile: number) => ({ labels: { quantile }, value: seconds(delay.percentile(quantile * 100)) })
  const text = [
    metric('process_cpu_seconds_total', 'counter', 'Processor time used.', [{ value: (user + system) / 1e6 }]),
    metric('process_resident_memory_bytes', 'gauge', 'Memory in use, with every thread.', [{ value: memory.rss }]),
    metric('process_start_time_seconds', 'gauge', 'When the process started, since 1970.', [
      { value: Math.round(Date.now() / 1000 - process.uptime()) },
    ]),
    metric('nodejs_heap_size_used_bytes', 'gauge', 'JavaScript heap of the HTTP thread.', [{ value: memory.heapUsed }]),
    metric('nodejs_eventloop_lag_seconds', 'gauge', 'Lag of the HTTP thread since the last reading.', [
      lag(0.5),
      lag(0.99),
    ]),
  ]
  delay.reset()
  return text
}

const MESSAGE_STATES = ['queued', 'claimed', 'sent', 'deferred', 'failed', 'bounced', 'suppressed', 'unconfirmed']

/** Jobs and messages by state. A database that does not answer is a metric too, not a failure. */
async function databaseMetrics(pool: pg.Pool): Promise<string[]> {
  const up = (value: number) => metric('postlark_database_up', 'gauge', 'Whether the database answers.', [{ value }])
  try {
    const jobs = await pool.query<{ name: string; state: string; n: string }>(
      'select name, state, count(*) as n from pgboss.job group by name, state order by name, state',
    )
    const sums = MESSAGE_STATES.map((state) => `coalesce(sum(${state}), 0) as ${state}`).join(', ')
    const messages = await pool.query<Record<string, string>>(`select ${sums} from campaign_counts`)
    return [
      up(1),
      metric(
        'postlark_jobs',
        'gauge',
        'Background jobs by queue and state.',
        jobs.rows.map(({ name, state, n }) => ({ labels: { queue: name, state }, value: Number(n) })),
      ),
      metric(
        'postlark_messages',
        'gauge',
        'Campaign messages by state.',
        MESSAGE_STATES.map((state) => ({ labels: { state }, value: Number(messages.rows[0]?.[state] ?? 0) })),
      ),
    ]
  } catch {
    return [up(0)]
  }
}

const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/**
 * Whether the request comes from this machine itself and means it: a proxy would speak for strangers, so forwarded ones do
 * not count, nor does a browser here that was led to us by a stranger's name (DNS rebinding).
 */
function isLocal(request: FastifyRequest): boolean {
  const address = request.raw.socket.remoteAddress ?? ''
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(
    (name) => request.headers[name] !== undefined,
  )
  return !isForwarded && LOCAL_HOST.test(request.headers.host ?? '') && /^(127\.|::1$|::ffff:127\.)/.test(address)
}

async function allow(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  if (isLocal(request)) return
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const caller = token ? await app.findCaller(token) : undefined
  if (!caller) throw unauthorized()
  if (caller.role !== 'admin') throw adminRequired()
}

/** /metrics in the Prometheus text format, for the loopback address and for admins. */
export function mountMetrics(app: FastifyInstance, pool: pg.Pool): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  app.addHook('onClose', async () => void delay.disable())
  const requests = requestMetrics(app)
  app.get('/metrics', async (request, reply) => {
    await allow(app, request)
    const parts = [...processMetrics(delay), ...requests(), ...(await databaseMetrics(pool))]
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(`${parts.join('\n')}\n`)
  })
}
