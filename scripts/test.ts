/**
 * npm test: everything `npm run check` looks at, and the tests, ring by ring (vitest.config.ts). `node scripts/test.ts unit
 * faults` runs those rings alone. At the end: how long each ring and the slowest files took, what failed, and the count.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { check, runNode } from './check.ts'

const started = performance.now()
const total = { passed: 0, failed: 0 }
/** What failed, in words, told again at the end: a log that is cut keeps its last lines. */
const failures: string[] = []

const isOnPath = (name: string) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
/**
 * The browser that the tests in e2e/ need: from Debian's packages where it is missing and we may. The headless shell is
 * Chromium without windows: a page costs it about a third of the processor time.
 */
function completeMachine(): void {
  if (process.env.CHROMIUM_PATH || isOnPath('chromium-headless-shell')) return
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    if (!isOnPath('chromium'))
      console.error(
        'Chromium is missing on this machine. Tests that need it will fail. Debian: apt-get install chromium-headless-shell',
      )
    return
  }
  console.log('Installing Chromium for the tests …')
  if (!aptGet('update', '-q')) return
  // Where there is no such package, the whole browser does it too.
  if (
    !['chromium-headless-shell', 'chromium'].some((name) =>
      aptGet('install', '-y', '-q', '--no-install-recommends', name),
    )
  )
    console.error('Chromium could not be installed. Tests that need it will fail.')
}

function aptGet(...given: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const result = spawnSync('apt-get', given, { env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
  if (result.status !== 0) console.error(`apt-get ${given.join(' ')} failed:\n${result.stderr}`)
  return result.status === 0
}

const RINGS = ['unit', 'integration', 'browser', 'faults'] as const
type Ring = (typeof RINGS)[number]
const SLOWEST = 15
/**
 * What runs beside the two long rings: it waits for its processes most of the time, and they need the processors. One
 * worker takes as long for it as two take for them.
 */
const BESIDE: Ring = 'faults'
/** What the whole of it may take on two processors. */
const BUDGET_MINUTES = 15

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** What took how long, in milliseconds. */
const ringTimes = new Map<string, number>()
const fileTimes = new Map<string, number>()

const firstLines = (text: string) => text.split('\n').slice(0, 12).join('\n    ')
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Adds a ring's report to what is told at the end. Returns how many failed: a file that could not even be loaded counts as one. */
function addReport({ numPassedTests, numFailedTests, testResults }: Report): number {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  total.passed += numPassedTests
  for (const { name, message } of broken) failures.push(`${name}\n    ${firstLines(message)}`)
  for (const { name, startTime, endTime, assertionResults } of testResults) {
    fileTimes.set(relative('.', name), endTime - startTime)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed') failures.push(`${name}: ${fullName}\n    ${firstLines(failureMessages.join('\n'))}`)
  }
  return numFailedTests + broken.length
}

/**
 * Runs one of vitest's projects, with as many workers as its configuration says or as are given. A run that ended badly
 * without a failed test counts as failed.
 */
async function runTests(ring: Ring, workers?: number): Promise<void> {
  const begun = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'postlark-report-'))
  const file = join(folder, 'report.json')
  const code = await runNode(
    [
      'node_modules/.bin/vitest',
      'run',
      '--project',
      ring,
      ...(workers ? [`--maxWorkers=${workers}`] : []),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    // As npm start does: the workers and the threads of their products load the same files over and over.
    { ...process.env, NODE_COMPILE_CACHE: '.cache/node', POSTLARK_PREPARED: '1' },
  )
  let failed = existsSync(file) ? addReport(JSON.parse(readFileSync(file, 'utf8')) as Report) : 0
  if (failed === 0 && code !== 0) {
    failures.push(`the ring ${ring} ended with code ${code} and no failed test: see above for what was not caught`)
    failed = 1
  }
  total.failed += failed
  rmSync(folder, { recursive: true, force: true })
  ringTimes.set(ring, performance.now() - begun)
}

async function runCheck(): Promise<void> {
  const begun = performance.now()
  const checked = await check()
  total.passed += checked.passed
  total.failed += checked.failed
  if (checked.failed > 0) failures.push('npm run check: see the lines that begin with FAILED')
  ringTimes.set('check', performance.now() - begun)
}

function printTimes(): void {
  console.log(`\nThe ${SLOWEST} slowest files:`)
  for (const [file, ms] of [...fileTimes].sort(([, a], [, b]) => b - a).slice(0, SLOWEST))
    console.log(`${seconds(ms).padStart(9)}  ${file}`)
  const minutes = (performance.now() - started) / 60_000
  console.log(`\n${[...ringTimes].map(([ring, ms]) => `${ring} ${seconds(ms)}`).join(', ')}`)
  console.log(
    `${minutes.toFixed(1)} minutes${minutes > BUDGET_MINUTES ? `, over the budget of ${BUDGET_MINUTES}` : ''}`,
  )
}

const chosen = RINGS.filter((ring) => process.argv.includes(ring))
try {
  if (chosen.length === 0) {
    completeMachine()
    // The check is one process at a time for the most part: it takes what a ring without waiting leaves of two processors.
    await Promise.all([runCheck(), runTests('unit')])
    await Promise.all([
      runTests(BESIDE, 1),
      (async () => {
        // Its tests wait more than they compute: two workers and the ring beside it leave a part of two processors idle.
        await runTests('integration')
        await runTests('browser')
      })(),
    ])
  } else for (const ring of chosen) await runTests(ring)
} catch (error) {
  console.error(error)
  total.failed++
}
printTimes()
for (const failure of failures) console.log(`FAILED ${failure}`)
process.exitCode = total.failed > 0 ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed`)
