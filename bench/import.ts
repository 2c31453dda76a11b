/**
 * An import of 1,000,000 contacts from CSV, against a bare PostgreSQL COPY of the same rows, and of a fifth of them: memory
 * must not grow with the file. Meanwhile somebody looks at the progress: how long that takes is measured too. Then the same
 * rows from an Excel workbook. `--rows N`; `--xlsx` measures the workbook alone.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { startPostgres } from '#server/testing/database.ts'
import { readTree } from '../e2e/support/process-memory.ts'
import { freePort, signIn, startServer } from '../e2e/support/server-process.ts'
import { peakMemory, report, resetPeak } from './measure.ts'
import { writeWorkbook } from './workbook.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' }, xlsx: { type: 'boolean' } } })
const ROWS = Number(values.rows)
const TOWN_COLUMN = 3

function* makeRows(count: number): Generator<string[]> {
  yield ['Email', 'Name', 'Company', 'City']
  for (let n = 1; n <= count; n++) yield [`person${n}@example.com`, `Person ${n}`, `Firm ${n}`, `Town, ${n % 500}`]
}

async function writeCsv(path: string, count: number): Promise<void> {
  const out = createWriteStream(path)
  for (const [email, name, company, city] of makeRows(count))
    if (!out.write(`${email},${name},${company},"${city}"\r\n`)) await once(out, 'drain')
  out.end()
  await once(out, 'close')
}

const writeXlsx = (path: string, count: number) => writeWorkbook(path, () => makeRows(count), new Set([TOWN_COLUMN]))

async function bareCopy(url: string, path: string): Promise<number> {
  const psql = (...given: string[]) => spawn('psql', ['-q', url, ...given], { stdio: ['pipe', 'ignore', 'inherit'] })
  const made = psql('-c', 'create table bare (email text primary key, name text, company text, city text)')
  await once(made, 'exit')
  const started = performance.now()
  const copy = psql('-c', 'copy bare from stdin with (format csv, header true)')
  createReadStream(path).pipe(copy.stdin)
  await once(copy, 'exit')
  return ROWS / ((performance.now() - started) / 1000)
}

/** Processor time of the server and its database so far, in seconds; not of this process, which asks them. */
const readProcessor = () =>
  readTree(process.pid).reduce((sum, { pid, processor }) => (pid === process.pid ? sum : sum + processor), 0)

async function ours(path: string, rows: number, databaseUrl?: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
  const server = startServer({
    DATA_DIR: dataDir,
    SMTP_URL: 'smtp://127.0.0.1:1',
    PORT: String(await freePort()),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  try {
    await server.ready
    const api = await signIn(server.url)
    const list = await api(lists.create, { body: { name: 'Everybody' } })
    const form = new FormData()
    form.set('listId', list.id)
    form.set('mapping', JSON.stringify({ Email: 'email', Name: 'name', Company: 'company', City: 'city' }))
    form.set('file', await openAsBlob(path), basename(path))
    const start = peakMemory(server.pid)
    resetPeak(server.pid)
    const before = readProcessor()
    const { importId } = await api(contacts.import, { form })
    const started = performance.now()
    for (let longest = 0; ; ) {
      await wait(200)
      const asked = performance.now()
      const job = await api(imports.get, { params: { id: importId } })
      longest = Math.max(longest, performance.now() - asked)
      if (job.state === 'failed') throw new Error(job.error ?? 'failed')
      if (job.state !== 'done') continue
      if (job.imported !== rows) throw new Error(`only ${job.imported} of ${rows} came in`)
      const rate = rows / ((performance.now() - started) / 1000)
      const processor = ((readProcessor() - before) / rows) * 1_000_000
      return { rate, processor, memory: peakMemory(server.pid), start, longest }
    }
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The whole file, and a fifth of it on a database of its own. */
async function measure(
  name: string,
  files: { whole: string; part: string },
  bare: number | undefined,
  database: () => Promise<{ url?: string; stop(): Promise<void> }>,
) {
  const run = async (path: string, rows: number) => {
    const { url, stop } = await database()
    try {
      return await ours(path, rows, url)
    } finally {
      await stop()
    }
  }
  const part = await run(files.part, ROWS / 5)
  const whole = await run(files.whole, ROWS)
  report(
    name,
    `${Math.round(whole.rate)} rows/s`,
    bare === undefined ? undefined : { of: whole.rate / bare, bar: 0.15 },
  )
  report('  processor time of a million rows, upload included', `${whole.processor.toFixed(1)} s`)
  report('  peak memory while starting', `${whole.start} MiB`)
  report(`  peak memory of ${ROWS / 5} and ${ROWS} rows`, `${part.memory}, ${whole.memory} MiB`)
  report('  longest wait for a GET meanwhile', `${Math.round(whole.longest)} ms`)
}

const embedded = async () => ({ stop: async () => undefined })
const folder = mkdtempSync(join(tmpdir(), 'postlark-bench-'))

async function makeFiles(kind: 'csv' | 'xlsx', write: (path: string, count: number) => Promise<void>) {
  const files = { whole: join(folder, `people.${kind}`), part: join(folder, `fewer.${kind}`) }
  await write(files.whole, ROWS)
  await write(files.part, ROWS / 5)
  return files
}

try {
  if (!values.xlsx) {
    const files = await makeFiles('csv', writeCsv)
    const postgres = await startPostgres({})
    const bare = await bareCopy(postgres.url, files.whole).finally(() => postgres.stop())
    report(`bare PostgreSQL COPY of ${ROWS} rows`, `${Math.round(bare)} rows/s`)
    await measure('import on PostgreSQL', files, bare, () => startPostgres({}))
    await measure('import on the embedded database', files, bare, embedded)
  }
  await measure('import of a workbook', await makeFiles('xlsx', writeXlsx), undefined, embedded)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
