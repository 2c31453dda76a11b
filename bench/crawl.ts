/**
 * Crawls the same local site of 2,000 pages (bench/crawl/site.ts) with ours, a bare undici loop with regular expressions,
 * Crawlee and Scrapy (where `/usr/bin/python3` has it), 16 at once, contacts looked for, each in a process of its own, turn by
 * turn: without latency and with 50 ms. Pages a second are as the site saw them, medians. By itself:
 * `node_modules/.bin/node bench/crawl.ts CONTENDER … --runs N`.
 */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs, promisify } from 'node:util'
import { emails, phones, type Report } from './crawl/site.ts'
import { report } from './measure.ts'

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' } },
})
const run = promisify(execFile)
const PYTHON = '/usr/bin/python3'
const node = (file: string, ...rest: string[]) => [process.execPath, `bench/crawl/${file}`, ...rest]
// As the product runs: `npm start` keeps compiled code, and the collecting thread's young generation is as small. Every contender
// on Node keeps its compiled code likewise.
const env = { ...process.env, NODE_COMPILE_CACHE: '.cache/node' }

interface Contender {
  name: string
  /** Program and arguments; the start address comes behind the second. */
  command: string[]
  options?: string[]
}

async function contenders(): Promise<Contender[]> {
  const all: Contender[] = [
    { name: 'ours', command: node('ours.ts'), options: ['--max-semi-space-size=2'] },
    { name: 'undici loop, regular expression', command: node('undici-loop.ts') },
    { name: 'Crawlee', command: node('crawlee.ts') },
    { name: 'Crawlee, tuned', command: node('crawlee.ts', 'tuned') },
  ]
  const hasScrapy = await run(PYTHON, ['-c', 'import scrapy']).then(
    () => true,
    () => false,
  )
  if (hasScrapy) all.push({ name: 'Scrapy, regular expression', command: [PYTHON, 'bench/crawl/spider.py'] })
  else console.log('Scrapy is not installed (apt-get install python3-scrapy): omitted')
  return all.filter(({ name }) => positionals.length === 0 || positionals.some((wanted) => name.startsWith(wanted)))
}

interface Run extends Report {
  perSecond: number
  peakMb: number
  emails: number
  phones: number
  others: number
}

const site = fork(new URL('./crawl/site.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
const [{ port }] = (await once(site, 'message')) as [{ port: number }]

async function measure(
  { command: [program = '', script = '', ...rest], options = [] }: Contender,
  latency: number,
): Promise<Run> {
  site.send({ latency })
  await once(site, 'message')
  const { stdout } = await run(program, [...options, script, `http://127.0.0.1:${port}/`, ...rest], {
    maxBuffer: 1e8,
    env,
  })
  const { values, peakKb } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"values"'))) as {
    values: string[]
    peakKb: number
  }
  site.send('report')
  const [seen] = (await once(site, 'message')) as [Report]
  const found = new Set(values)
  const right = { emails: emails.filter((one) => found.has(one)), phones: phones.filter((one) => found.has(one)) }
  return {
    ...seen,
    perSecond: seen.pages / seen.seconds,
    peakMb: peakKb / 1024,
    emails: right.emails.length,
    phones: right.phones.length,
    others: found.size - right.emails.length - right.phones.length,
  }
}

const middle = <T>(all: T[], of: (one: T) => number) =>
  [...all].sort((a, b) => of(a) - of(b))[Math.floor(all.length / 2)] as T

const chosen = await contenders()
// One run each that does not count, as after an installation: it leaves the compiled code of the next ones.
for (const contender of chosen) await measure(contender, 0)
const speeds = new Map<string, number>()
for (const latency of [0, 50]) {
  console.log(`\n2,000 pages, 16 at once, ${latency} ms latency: pages a second, median of ${given.runs}`)
  const runs = new Map<string, Run[]>(chosen.map(({ name }) => [name, []]))
  for (let i = 0; i < Number(given.runs); i++)
    for (const contender of chosen) runs.get(contender.name)?.push(await measure(contender, latency))
  for (const [name, all] of runs) {
    const one = middle(all, (each) => each.perSecond)
    speeds.set(`${name} ${latency}`, one.perSecond)
    const memory = Math.max(...all.map(({ peakMb }) => peakMb))
    const found = `${one.emails} of ${emails.length} addresses, ${one.phones} of ${phones.length} numbers, ${one.others} others`
    report(`${name}, ${latency} ms`, `${one.perSecond.toFixed(0)} pages/s, ${memory.toFixed(0)} MiB, ${found}`)
    console.log(`  ${one.pages} pages, ${one.twice} twice, ${one.forbidden} forbidden, ${one.mostAtOnce} at once`)
    if (name === 'ours' && latency === 0)
      report('  peak memory of ours (bar 200 MiB)', `${memory.toFixed(0)} MiB: ${memory <= 200 ? 'reached' : 'missed'}`)
  }
}
site.disconnect()
const ratio = (of: string, latency: number) =>
  (speeds.get(`ours ${latency}`) ?? 0) / (speeds.get(`${of} ${latency}`) ?? Number.NaN)
console.log()
const rivals = ['Crawlee', 'Crawlee, tuned', 'Scrapy, regular expression'].filter((name) => speeds.has(`${name} 0`))
for (const name of rivals) report(`ours beside ${name}, 0 ms`, '', { of: ratio(name, 0), bar: 2.4 })
if (speeds.has('undici loop, regular expression 50'))
  report('ours beside the undici loop, 50 ms', '', { of: ratio('undici loop, regular expression', 50), bar: 0.9 })
