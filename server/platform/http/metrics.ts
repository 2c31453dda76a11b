import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../../version.ts'
import type { Config } from '../config.ts'
import { isSame } from '../crypto.ts'
import { databaseMetrics } from './database-metrics.ts'
import { adminRequired, unauthorized } from './refusal.ts'
import { watchRequests } from './request-log.ts'

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts requests by method and status and sorts their seconds into buckets. */
function requestMetrics(app: FastifyInstance): Registry {
  const registry = new Registry()
  const registers = [registry]
  const total = new Counter({
    registers,
    name: 'postlark_http_requests_total',
    help: 'Requests with a response.',
    labelNames: ['method', 'status'],
  })
  const duration = new Histogram({
    registers,
    name: 'postlark_http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    buckets: BUCKETS,
  })
  watchRequests(app, ({ method, status, milliseconds }) => {
    total.inc({ method, status: status || 'aborted' })
    duration.observe(milliseconds / 1000)
  })
  return registry
}

/** Metrics of the process at this moment. */
function processMetrics(delay: ReturnType<typeof monitorEventLoopDelay>): Registry {
  const registry = new Registry()
  const registers = [registry]
  const { user, system } = process.cpuUsage()
  const memory = process.memoryUsage()
  new Counter({ registers, name: 'process_cpu_seconds_total', help: 'Processor time used.' }).inc((user + system) / 1e6)
  const gauge = (name: string, help: string) => new Gauge({ registers, name, help })
  const build = { registers, name: 'postlark_build_info', help: 'The version, as a label.', labelNames: ['version'] }
  new Gauge(build).set({ version: VERSION }, 1)
  gauge('process_resident_memory_bytes', 'Memory in use, with every thread.').set(memory.rss)
  gauge('process_start_time_seconds', 'When the process started, since 1970.').set(
    Math.round(Date.now() / 1000 - process.uptime()),
  )
  gauge('nodejs_heap_size_used_bytes', 'JavaScript heap of the HTTP thread.').set(memory.heapUsed)
  const lag = new Gauge({
    registers,
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Lag of the HTTP thread since the last reading; NaN at the first one.',
    labelNames: ['quantile'],
  })
  for (const quantile of [0.5, 0.99])
    lag.set({ quantile }, delay.count > 0 ? delay.percentile(quantile * 100) / 1e9 : Number.NaN)
  delay.reset()
  return registry
}

/** The disk of the data folder; nothing where it cannot be asked. */
async function diskMetrics(dataDir: string): Promise<Registry> {
  const registry = new Registry()
  const registers = [registry]
  try {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    const gauge = (name: string, help: string) => new Gauge({ registers, name, help })
    gauge('postlark_data_disk_free_bytes', 'Free space on the disk of DATA_DIR.').set(bavail * bsize)
    gauge('postlark_data_disk_size_bytes', 'Size of the disk of DATA_DIR.').set(blocks * bsize)
  } catch {
    // A metric that is not there is one that is not known.
  }
  return registry
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

async function allow(app: FastifyInstance, request: FastifyRequest, metricsToken: string | undefined): Promise<void> {
  if (isLocal(request)) return
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token && metricsToken && isSame(token, metricsToken)) return
  const caller = token ? await app.findCaller(token) : undefined
  if (!caller) throw unauthorized()
  if (caller.role !== 'admin') throw adminRequired()
}

/** /metrics in the Prometheus text format, for the loopback address, the holder of METRICS_TOKEN, and admins. */
export function mountMetrics(
  app: FastifyInstance,
  { pool, config }: { pool: pg.Pool; config: Pick<Config, 'metricsToken' | 'dataDir'> },
): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  app.addHook('onClose', async () => void delay.disable())
  const requests = requestMetrics(app)
  const readDatabase = databaseMetrics(pool)
  app.get('/metrics', async (request, reply) => {
    await allow(app, request, config.metricsToken)
    // It wakes the process a hundred times a second: only where somebody reads it, from the first reading on.
    delay.enable()
    const parts = [processMetrics(delay), requests, await diskMetrics(config.dataDir), ...(await readDatabase())]
    const metrics = Registry.merge(parts)
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}
