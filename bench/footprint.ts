/**
 * Memory and processor time of a running Postlark: the server with its sandbox and its embedded PostgreSQL, as `npm start`
 * runs them. Idle, after a sign-up, after an import and a campaign to the sandbox, and idle again. Memory is Pss: shared pages
 * are divided by those who share them. Linux only; as root, because PostgreSQL's processes belong to another user.
 * `--seconds N` of rest before each idle figure (300), of which the last 60 count; `--contacts N`, `--recipients N`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { senders } from '#contracts/senders/senders.ts'
import { until } from '#server/testing/until.ts'
import { type ProcessFootprint, readTree, sumMemory } from '../e2e/support/process-memory.ts'
import { sendTo, untilSent, uploadPeople } from '../e2e/support/sending.ts'
import { freePort, startServer } from '../e2e/support/server-process.ts'
import { signUp } from '../e2e/support/sign-up.ts'
import { report } from './measure.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    contacts: { type: 'string', default: '10000' },
    recipients: { type: 'string', default: '20000' },
  },
})
const REST_SECONDS = Number(values.seconds)
const WINDOW_SECONDS = Math.min(60, REST_SECONDS)
const SAMPLE_MS = 500
const BARS = { idle: 350, campaign: 150, processor: 0.5 }

/** The heap of one thread, as Node's diagnostic report has it; bytes. */
interface HeapReport {
  totalMemory: number
  usedMemory: number
  externalMemory: number
  heapSpaces: Record<string, { committedMemory: number }>
}
interface NodeReport {
  javascriptHeap: HeapReport
  workers: { javascriptHeap: HeapReport }[]
}

const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** What Node says of its heaps. It writes that to a file when it gets the signal, and costs nothing before. */
async function readHeaps(pid: number, folder: string): Promise<HeapReport[]> {
  process.kill(pid, 'SIGUSR2')
  return until(async () => {
    const [file] = readdirSync(folder)
    if (!file) return undefined
    try {
      const { javascriptHeap, workers }: NodeReport = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      rmSync(join(folder, file))
      return [javascriptHeap, ...workers.map((worker) => worker.javascriptHeap)]
    } catch (error) {
      // Not written to its end yet.
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }, 'the diagnostic report of Node')
}

const isPostgres = ({ command }: ProcessFootprint) => /^(postgres: |.*\/postgres -D )/.test(command)
const ratio = (share: number, bar: number) => `${share <= bar ? 'reached' : 'missed'}: bar ${bar}`

/** Prints each process and the parts of the server's memory; returns the sum in MiB. */
async function show(title: string, pid: number, reports: string): Promise<number> {
  const tree = readTree(pid)
  const memory = sumMemory(tree)
  report(title, `${Math.round(memory)} MB`)
  const [server] = tree
  const postgres = tree.filter(isPostgres)
  for (const other of tree.filter((one) => !isPostgres(one)))
    report(`  ${other.pid === pid ? 'server' : other.command.slice(0, 50)}`, `${mebibytes(other.pss * 1024)} MB`)
  report(`  PostgreSQL, ${postgres.length} processes`, `${Math.round(sumMemory(postgres))} MB`)
  for (const { command, pss } of postgres) {
    const does = command.startsWith('postgres: ') ? command.slice(10) : 'postmaster'
    report(`    ${does}`, `${(pss / 1024).toFixed(1)} MB`)
  }
  const heaps = await readHeaps(pid, reports)
  const files = (server?.pss ?? 0) - (server?.anonymous ?? 0)
  report('  server: anonymous, files', `${mebibytes((server?.anonymous ?? 0) * 1024)}, ${mebibytes(files * 1024)} MB`)
  report('  server: threads, of which run JavaScript', `${server?.threads}, ${heaps.length}`)
  for (const [index, heap] of heaps.entries()) {
    const space = (name: string) => mebibytes(heap.heapSpaces[name]?.committedMemory ?? 0)
    const parts = `young ${space('new_space')}, old ${space('old_space')}, code ${space('code_space')}, large ${space('large_object_space')}`
    const used = `${mebibytes(heap.usedMemory)} of ${mebibytes(heap.totalMemory)} MB used, external ${mebibytes(heap.externalMemory)}`
    report(`    heap of thread ${index}: ${parts}`, used)
  }
  return memory
}

/** Lets it rest; prints the share of a core it takes in the last minute of that. */
async function rest(pid: number): Promise<void> {
  await wait((REST_SECONDS - WINDOW_SECONDS) * 1_000)
  const used = () => {
    const tree = readTree(pid)
    const sum = (of: ProcessFootprint[]) => of.reduce((total, { processor }) => total + processor, 0)
    return { server: sum(tree.filter((one) => !isPostgres(one))), postgres: sum(tree.filter(isPostgres)) }
  }
  const before = used()
  await wait(WINDOW_SECONDS * 1_000)
  const after = used()
  const share = (part: 'server' | 'postgres') => ((after[part] - before[part]) / WINDOW_SECONDS) * 100
  const all = share('server') + share('postgres')
  report(
    `processor while idle, ${WINDOW_SECONDS} s: server ${share('server').toFixed(2)}, PostgreSQL ${share('postgres').toFixed(2)}`,
    `${all.toFixed(2)} % of a core (${ratio(all, BARS.processor)})`,
  )
}

/** The most memory while something is done, in MiB. */
async function watchPeak(pid: number, work: Promise<unknown>): Promise<number> {
  let isOver = false
  let peak = 0
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    peak = Math.max(peak, sumMemory(readTree(pid)))
    await Promise.race([over, wait(SAMPLE_MS)])
  }
  await over
  return peak
}

const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
const reports = mkdtempSync(join(tmpdir(), 'postlark-bench-reports-'))
const server = startServer({
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  NODE_OPTIONS: `--report-on-signal --report-directory=${reports} --report-exclude-network --report-exclude-env`,
})
try {
  await server.ready
  const { pid } = server
  await rest(pid)
  const idle = await show(`idle after ${REST_SECONDS} s`, pid, reports)
  report('  server and PostgreSQL', ratio(idle, BARS.idle))
  const api = await signUp(server.url)
  await show('after a sign-up', pid, reports)
  const importPeak = await watchPeak(pid, uploadPeople(api, Number(values.contacts)))
  await show(`after an import of ${values.contacts} (peak ${Math.round(importPeak)} MB)`, pid, reports)
  const listId = await uploadPeople(api, Number(values.recipients))
  const [sender] = (await api(senders.list, { query: {} })).items
  await api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { connections: 20 } } })
  const before = sumMemory(readTree(pid))
  const peak = await watchPeak(
    pid,
    sendTo(api, listId).then((id) => untilSent(api, id, 600)),
  )
  await show(`after a campaign of ${values.recipients}`, pid, reports)
  report(
    `  its peak: ${Math.round(peak)} MB, ${Math.round(peak - before)} more than before it`,
    `${Math.round(peak - idle)} MB more than idle (${ratio(peak - idle, BARS.campaign)})`,
  )
  await rest(pid)
  await show(`idle again after ${REST_SECONDS} s`, pid, reports)
} finally {
  await server.stop()
  for (const folder of [dataDir, reports]) rmSync(folder, { recursive: true, force: true })
}
