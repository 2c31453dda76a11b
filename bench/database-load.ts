/** What an embedded PostgreSQL does while something runs. */
import { readFileSync } from 'node:fs'
import { connectTo, findPostgres } from '../e2e/support/postgres-processes.ts'

const SAMPLE_MS = 50
/** Linux counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100

interface DatabaseLoad {
  /** Of its connections. */
  cpuSeconds: number
  /** The longest transaction, as often as it was looked at. */
  longestMs: number
  /** Private memory of its connections together: at first, and at most. */
  memoryMiB: [number, number]
}

function readTicks(pid: number): number {
  // The name of the process, in brackets, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

const readPrivate = (pid: number) =>
  Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Watches the connections of a product's embedded PostgreSQL until `stop` (Linux). */
export async function watchDatabase(dataDir: string): Promise<{ stop(): Promise<DatabaseLoad> }> {
  const own = await connectTo(dataDir)
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  let longestMs = 0
  let memory: [number, number] | undefined
  let isStopped = false

  function sampleProcesses(): void {
    let total = 0
    for (const pid of findPostgres(dataDir).backends) {
      try {
        const ticks = readTicks(pid)
        // One that came later did all it did meanwhile.
        if (!first.has(pid)) first.set(pid, memory ? 0 : ticks)
        last.set(pid, ticks)
        total += readPrivate(pid)
      } catch (error) {
        if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      }
    }
    memory = [memory?.[0] ?? total, Math.max(memory?.[1] ?? 0, total)]
  }

  async function watch(): Promise<void> {
    while (!isStopped) {
      sampleProcesses()
      const { rows } = await own.query(
        `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000 as ms from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'`,
      )
      longestMs = Math.max(longestMs, rows[0].ms)
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  }
  const watching = watch()
  return {
    async stop() {
      isStopped = true
      await watching
      await own.end()
      const ticks = [...last].reduce((sum, [pid, ticks]) => sum + ticks - (first.get(pid) ?? 0), 0)
      const [before, peak] = memory ?? [0, 0]
      return { cpuSeconds: ticks / TICKS_A_SECOND, longestMs, memoryMiB: [Math.round(before), Math.round(peak)] }
    },
  }
}
