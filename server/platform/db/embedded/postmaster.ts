/** One run of PostgreSQL: a child process that reports when it is ready, why it ends, and what it logs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Log } from '../../log.ts'
import type { Identity } from './identity.ts'
import type { Programs } from './programs.ts'
import { SETTINGS, SINCE } from './settings.ts'

export interface Launch {
  programs: Programs
  identity: Identity
  /** The database's files. */
  folder: string
  /** Folder of its socket. */
  socket: string
  /** The open file that holds the data folder's lock, for PostgreSQL to hold as well. */
  lock: number | undefined
  /** Instead of, or beside, what settings.ts says. */
  settings: Record<string, string>
}

export interface Postmaster {
  /** Resolves to true when it accepts connections, to false when it ends before that. */
  ready: Promise<boolean>
  /** Resolves when the process is gone. */
  ended: Promise<void>
  /** What it said last that may tell why it ended; '' when it said nothing of the kind. */
  lastWords(): string
  /** SIGINT: a fast shutdown; SIGQUIT: an immediate one. */
  signal(name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void
}

const READY = 'database system is ready to accept connections'
const MAX_LINES = 5

function buildCommand({ programs, identity, folder, socket, settings }: Launch): [string, string[]] {
  const known = Object.entries({ ...SETTINGS, ...settings }).filter(([name]) => programs.major >= (SINCE[name] ?? 0))
  const options = known.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...rest] = [...identity.prefix, programs.postgres, '-D', folder, '-k', socket, ...options]
  return [command, rest]
}

/** One line of PostgreSQL's log: `<kind of process>|<severity>:  <text>`, as log_line_prefix has it. */
function parseLine(line: string): { process: string; severity: string; text: string } | undefined {
  const match = /^([a-z -]+)\|([A-Z0-9]+): {2}(.*)$/.exec(line)
  return match ? { process: match[1] ?? '', severity: match[2] ?? '', text: match[3] ?? '' } : undefined
}

/**
 * Starts PostgreSQL in a session of its own: Ctrl-C in a terminal is for the server, which drains first and ends this one
 * last. `isRetry`: it ended just now, and what it says as it tries again is said already.
 */
export function startPostmaster(launch: Launch, log: Pick<Log, 'warn' | 'debug'>, isRetry = false): Postmaster {
  const [command, given] = buildCommand(launch)
  const child: ChildProcess = spawn(command, given, {
    ...launch.identity.user,
    cwd: '/',
    detached: true,
    env: launch.programs.environment,
    stdio: ['ignore', 'ignore', 'pipe', launch.lock ?? 'ignore'],
  })
  const words: string[] = []
  let isReady: (ready: boolean) => void = () => undefined
  const ready = new Promise<boolean>((resolve) => {
    isReady = resolve
  })
  const take = (line: string) => {
    const { process, severity, text } = parseLine(line) ?? { process: '', severity: '', text: line }
    if (text === READY) isReady(true)
    // A statement that failed is told to the client that ran it.
    const matters = severity === 'PANIC' || (severity !== 'LOG' && !/client backend$|^not initialized$/.test(process))
    if (matters) {
      words.splice(0, words.length - MAX_LINES + 1)
      words.push(line.replace(/^[a-z -]+\|/, ''))
    }
    log[matters && !isRetry ? 'warn' : 'debug']({ process, severity }, `PostgreSQL: ${text}`)
  }
  if (child.stderr) createInterface({ input: child.stderr }).on('line', take)
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      words.push(error.message)
      resolve()
    })
    child.on('close', () => resolve())
  })
  void ended.then(() => isReady(false))
  // When this process ends without stopping it. After kill -9 the system does the same, where it can (see identity.ts).
  const endWithUs = () => child.kill('SIGQUIT')
  process.on('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  return {
    ready,
    ended,
    lastWords: () => words.join('\n'),
    signal: (name) => void child.kill(name),
  }
}
