/** npm test: everything `npm run check` looks at, then the tests of the parts, then those of the whole. The last line counts. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, runNode } from './check.ts'

const total = { passed: 0, failed: 0 }
/** What failed, in words, told again at the end: a log that is cut keeps its last lines. */
const failures: string[] = []

const isOnPath = (name: string) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
/** The browser that the tests of the whole need: from Debian's packages where it is missing and we may. */
function completeMachine(): void {
  if (process.env.CHROMIUM_PATH || isOnPath('chromium')) return
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    console.error('Chromium is missing on this machine. Tests that need it will fail. Debian: apt-get install chromium')
    return
  }
  console.log('Installing Chromium for the tests …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const given of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', 'chromium'],
  ]) {
    const result = spawnSync('apt-get', given, { env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
    if (result.status !== 0) console.error(`apt-get ${given.join(' ')} failed:\n${result.stderr}`)
  }
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

const firstLines = (text: string) => text.split('\n').slice(0, 12).join('\n    ')

/** Runs one of vitest's projects. A file that could not even be loaded, and a run that ended badly without a failed test, count as failed. */
async function runTests(project: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-report-'))
  const file = join(folder, 'report.json')
  const code = await runNode([
    'node_modules/.bin/vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  let failed = 0
  if (existsSync(file)) {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    const broken = report.testResults.filter(
      (result) => result.status === 'failed' && result.assertionResults.length === 0,
    )
    total.passed += report.numPassedTests
    failed = report.numFailedTests + broken.length
    for (const { name, message } of broken) failures.push(`${name}\n    ${firstLines(message)}`)
    for (const { name, assertionResults } of report.testResults)
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed') failures.push(`${name}: ${fullName}\n    ${firstLines(failureMessages.join('\n'))}`)
  }
  if (failed === 0 && code !== 0) {
    failures.push(
      `the run of the ${project} ended with code ${code} and no failed test: see above for what was not caught`,
    )
    failed = 1
  }
  total.failed += failed
  rmSync(folder, { recursive: true, force: true })
}

try {
  const checked = await check()
  total.passed += checked.passed
  total.failed += checked.failed
  if (checked.failed > 0) failures.push('npm run check: see the lines that begin with FAILED')
  completeMachine()
  await runTests('parts')
  await runTests('whole')
} catch (error) {
  console.error(error)
  total.failed++
}
for (const failure of failures) console.log(`FAILED ${failure}`)
process.exitCode = total.failed > 0 ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed`)
