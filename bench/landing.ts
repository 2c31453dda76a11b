/**
 * The landing page on a slow phone (Lighthouse's mobile run, simulated 4G), and the script it loads before anybody touches it. By
 * itself: `node_modules/.bin/node bench/landing.ts --runs N`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { freePort, startServer } from '../e2e/support/server-process.ts'
import { report } from './measure.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, path: { type: 'string', default: '/' } },
})
const RUNS = Number(values.runs)
const bars = { performance: 0.9, accessibility: 1, 'best-practices': 1, seo: 1 } as const

/** Compressed bytes of the scripts as they traveled: those of the page itself, and those fetched ahead after its load. */
async function scriptBytes(url: string): Promise<{ page: number; ahead: number; strangers: number }> {
  await using browser = Object.assign(
    await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] }),
    { [Symbol.asyncDispose]: async () => undefined },
  )
  const page = await browser.newPage()
  const own = new Set<string>()
  let loaded = false
  const sum = { page: 0, ahead: 0, strangers: 0 }
  page.on('requestfinished', async (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) sum.strangers++
    if (!request.url().endsWith('.js')) return
    const { responseBodySize } = await request.sizes()
    sum[own.has(request.url()) ? 'page' : 'ahead'] += responseBodySize
  })
  page.on('request', (request) => !loaded && own.add(request.url()))
  page.on('load', () => {
    loaded = true
  })
  await page.goto(url, { waitUntil: 'load' })
  // The pages beside it are asked for 400 ms after the load.
  await page.waitForTimeout(1_500)
  await browser.close()
  return sum
}

/** One run: the four scores from 0 to 1 and the timings in milliseconds. */
async function run(url: string): Promise<Record<string, number>> {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  })
  try {
    const result = await lighthouse(url, { port, logLevel: 'error' })
    if (!result) throw new Error('Lighthouse gave no result')
    const { categories, audits } = result.lhr
    for (const { auditRefs } of Object.values(categories))
      for (const { id, weight } of auditRefs) {
        const audit = audits[id]
        if (RUNS === 1 && weight > 0 && audit && audit.score !== null && audit.score < 1)
          console.log(`  ${id}: ${audit.title} ${audit.displayValue ?? ''}`)
      }
    const timing = (id: string) => audits[id]?.numericValue ?? Number.NaN
    return {
      ...Object.fromEntries(Object.keys(bars).map((name) => [name, categories[name]?.score ?? 0])),
      'largest-contentful-paint': timing('largest-contentful-paint'),
      'total-blocking-time': timing('total-blocking-time'),
      'cumulative-layout-shift': timing('cumulative-layout-shift'),
    }
  } finally {
    await browser.close()
  }
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const dataDir = mkdtempSync(join(tmpdir(), 'postlark-bench-'))
const port = await freePort()
const server = startServer({ DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` })
try {
  await server.ready
  const url = `http://localhost:${port}${values.path}`
  const bytes = await scriptBytes(url)
  report('script before anybody touches the page, compressed', `${(bytes.page / 1000).toFixed(1)} kB (bar 110)`)
  report('  pages beside it, fetched 400 ms after the load', `${(bytes.ahead / 1000).toFixed(1)} kB`)
  report('  requests to third parties', String(bytes.strangers))
  const runs: Record<string, number>[] = []
  for (let n = 0; n < RUNS; n++) runs.push(await run(url))
  const middle = (name: string) => median(runs.map((one) => one[name] ?? Number.NaN))
  for (const [name, bar] of Object.entries(bars))
    report(`Lighthouse mobile, ${name}`, `${Math.round(middle(name) * 100)} (bar ${bar * 100})`)
  report('  largest contentful paint', `${Math.round(middle('largest-contentful-paint'))} ms`)
  report('  total blocking time', `${Math.round(middle('total-blocking-time'))} ms`)
  report('  cumulative layout shift', middle('cumulative-layout-shift').toFixed(3))
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
