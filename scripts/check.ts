/**
 * npm run check: types, lint with the layer rules, dead code, owners of tables, circles of features, their folders on
 * both sides, sizes of folders, titles of tests, the words of the glossary, and whether the generated database types are up to date.
 */
import { spawn } from 'node:child_process'

interface Step {
  name: string
  commands: string[][]
}

const bin = (name: string) => `node_modules/.bin/${name}`

const steps: Step[] = [
  {
    name: 'types',
    commands: [
      [bin('react-router'), 'typegen'],
      [bin('tsc'), '--noEmit'],
    ],
  },
  {
    name: 'lint and layers',
    commands: [[bin('biome'), 'check', '--error-on-warnings', '--diagnostic-level=warn', '.']],
  },
  { name: 'dead code', commands: [[bin('knip'), '--no-progress']] },
  { name: 'owners of tables', commands: [['scripts/checks/table-writes.ts']] },
  { name: 'circles of features', commands: [['scripts/checks/feature-circles.ts']] },
  { name: 'feature folders', commands: [['scripts/checks/feature-folders.ts']] },
  { name: 'folder sizes', commands: [['scripts/checks/folder-sizes.ts']] },
  { name: 'test titles', commands: [['scripts/checks/test-titles.ts']] },
  { name: 'word list', commands: [['scripts/checks/word-list.ts']] },
  { name: 'database types', commands: [['scripts/db-types.ts', '--verify']] },
]

/** Runs one of node_modules' programs or a script of ours with this Node; returns its exit code. */
export function runNode(given: string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'inherit', 'inherit'], env: environment })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** The same, with what it prints shown together once it ended: the tests may run at the same time. */
function runQuietly(given: string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'pipe'] })
    const printed: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(code ?? 1)
    })
  })
}

/** Runs every step to its end, so that one look shows all that is wrong. Returns how many passed and failed. */
export async function check(): Promise<{ passed: number; failed: number }> {
  const result = { passed: 0, failed: 0 }
  for (const { name, commands } of steps) {
    const started = performance.now()
    let code = 0
    for (const command of commands) if (code === 0) code = await runQuietly(command)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    result[code === 0 ? 'passed' : 'failed']++
  }
  return result
}

if (import.meta.main) process.exitCode = (await check()).failed > 0 ? 1 : 0
