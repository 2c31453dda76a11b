/** An import of 1,000,000 contacts from CSV, against a bare PostgreSQL COPY of the same rows. `--rows N`. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { contacts, imports, lists } from '#contracts/contacts.ts'
import { startPostgres } from '../e2e/postgres-server.ts'
import { freePort, signIn, startServer } from '../e2e/server-process.ts'
import { peakMemory, report } from './measure.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const ROWS = Number(values.rows)

async function writeFile(path: string): Promise<void> {
  const out = createWriteStream(path)
  out.write('Email,Name,Company,City\r\n')
  for (let n = 1; n <= ROWS; n++) {
    if (!out.write(`person${n}@example.com,Person ${n},Firm ${n},"Town, ${n % 500}"\r\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
}

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

async function ours(path: string, databaseUrl?: string): Promise<{ rate: number; memory: number }> {
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
    form.set('file', await openAsBlob(path, { type: 'text/csv' }), 'people.csv')
    const { importId } = await api(contacts.import, { form })
    const started = performance.now()
    for (;;) {
      await wait(200)
      const job = await api(imports.get, { params: { id: importId } })
      if (job.state === 'failed') throw new Error(job.error ?? 'failed')
      if (job.state !== 'done') continue
      if (job.imported !== ROWS) throw new Error(`only ${job.imported} of ${ROWS} came in`)
      return { rate: ROWS / ((performance.now() - started) / 1000), memory: peakMemory(server.pid) }
    }
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
const file = join(folder, 'people.csv')
await writeFile(file)
const postgres = await startPostgres()
try {
  const bare = await bareCopy(postgres.url, file)
  report(`bare PostgreSQL COPY of ${ROWS} rows`, `${Math.round(bare)} rows/s`)
  const same = await ours(file, postgres.url)
  report('import on PostgreSQL', `${Math.round(same.rate)} rows/s`, { of: same.rate / bare, bar: 0.15 })
  report('  peak memory', `${same.memory} MiB`)
  const embedded = await ours(file)
  report('import on the embedded database', `${Math.round(embedded.rate)} rows/s`, {
    of: embedded.rate / bare,
    bar: 0.15,
  })
  report('  peak memory', `${embedded.memory} MiB`)
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
