import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NOT_IN_A_CLONE = new Set([
  'node_modules',
  'build',
  'data',
  '.data',
  '.git',
  '.cache',
  '.react-router',
  'test-results',
])

/**
 * What a fresh clone holds, in a temporary folder; the installed packages are linked in, which saves the download. `isBuilt`: the
 * built server and pages are there too.
 */
export function freshCheckout({ isBuilt = false } = {}): { folder: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-clone-'))
  cpSync(ROOT, folder, { recursive: true, filter: (source) => !NOT_IN_A_CLONE.has(relative(ROOT, source)) })
  if (isBuilt) cpSync(join(ROOT, 'build'), join(folder, 'build'), { recursive: true })
  const isSameDisk = statSync(ROOT).dev === statSync(folder).dev
  execFileSync('cp', [isSameDisk ? '-al' : '-a', join(ROOT, 'node_modules'), folder])
  return {
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** `npm <given>` in a folder, in a process group of its own, as a shell starts it. */
export function npm(folder: string, given: string[], environment: Record<string, string> = {}) {
  let output = ''
  // How much of it has been matched.
  let heard = 0
  const listeners = new Set<() => void>()
  const child: ChildProcess = spawn('npm', given, {
    cwd: folder,
    // The machine's own Node finds npm; the project brings its own.
    env: { PATH: machinePath(), HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  }
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal ?? -1)),
  )
  return {
    exited,
    output: () => output,
    /** Waits until what was printed since the last match matches; fails when the program ends first. */
    async says(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(output.slice(heard))
        if (found) {
          heard += found.index + found[0].length
          return found
        }
        const { promise: more, resolve } = Promise.withResolvers<'more'>()
        const listener = () => resolve('more')
        listeners.add(listener)
        const event = await Promise.race([more, exited])
        listeners.delete(listener)
        if (event !== 'more' && !pattern.test(output.slice(heard)))
          throw new Error(`ended without ${pattern}:\n${output}`)
      }
    },
    /** Ends whatever is still left of the group. */
    [Symbol.dispose]() {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // Nothing is left.
      }
    },
    /** Sends a signal to the whole group, as a terminal does on Ctrl-C. */
    signalGroup(signal: NodeJS.Signals) {
      process.kill(-(child.pid ?? 0), signal)
    },
  }
}

function machinePath(): string {
  return (process.env.PATH ?? '')
    .split(':')
    .filter((path) => !path.includes('node_modules') && existsSync(path))
    .join(':')
}
