/**
 * The embedded database: PostgreSQL as a process of its own, started with the server, reached by a Unix socket nobody else
 * can open, started again when it dies, and ended with the server (docs/decisions/0004-embedded-database.md).
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findProcessState } from '#server/platform/process-identity.ts'
import type { Log } from '../../log.ts'
import { prepareCluster } from './cluster.ts'
import { DatabaseBusy, DatabaseStartError } from './errors.ts'
import { type FolderLock, readLockHolder, tryLock } from './folder-lock.ts'
import { own } from './identity.ts'
import { endLeftovers, forgetPostmaster } from './leftovers.ts'
import { type Launch, type Postmaster, startPostmaster } from './postmaster.ts'
import { findPrograms } from './programs.ts'

export { DatabaseBusy, DatabaseStartError } from './errors.ts'
export { THROWAWAY } from './settings.ts'

export interface Embedded {
  /** Folder of the Unix socket: pg's `host`. */
  host: string
  /** Why it does not run at this moment, in words anybody may read; undefined while it does. */
  trouble(): string | undefined
  /** A fast shutdown, an immediate one after 10 seconds, and the end by force: 20 seconds at most. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Folder of another installation's initdb and postgres. */
  postgresBin?: string | undefined
  /** Instead of, or beside, what settings.ts says: for tests and benchmarks. */
  settings?: Record<string, string>
}

const LOCK_FILE = 'database.lock'
const SOCKET_PREFIX = 'postlark-'
const LOCK_AGAIN_MS = 50
// One in another container may be on its way out. What a killed one left is ended first, which takes longer on a busy machine.
const OTHERS_PATIENCE_MS = 5_000
const LEFTOVERS_PATIENCE_MS = 30_000
const FAST_MS = 10_000
const IMMEDIATE_MS = 6_000
const FIRST_REST_MS = 500
const MAX_REST_MS = 15_000
// A process that ran this long is well: the next end begins with short rests again.
const SOUND_MS = 60_000
// While it cannot run, one line a minute says so.
const REMIND_MS = 60_000

/** A folder only this user can enter. A socket's path may have 107 bytes, so it is not in the data folder. */
const socketFolder = () => mkdtempSync(join(tmpdir(), SOCKET_PREFIX))

/** Whether a path is one of these: what a damaged file names is not removed. */
const isSocketFolder = (path: unknown) => typeof path === 'string' && basename(path).startsWith(SOCKET_PREFIX)

/** The socket's folder of a server that uses this data folder on this machine: pg's `host`; undefined: none does. */
export function runningHost(dataDir: string): string | undefined {
  const holder = readLockHolder(join(dataDir, LOCK_FILE))
  return holder && findProcessState(holder) === 'running' ? holder.socket : undefined
}

/** Takes the data folder, ending what a killed server left behind there. Throws DatabaseBusy. */
async function takeFolder(dataDir: string, folder: string, socket: string): Promise<FolderLock> {
  const file = join(dataDir, LOCK_FILE)
  const began = performance.now()
  for (;;) {
    const holder = readLockHolder(file)
    const lock = tryLock(file, socket)
    if (lock) {
      // Left by a kill; of another container, the path means something else here.
      if (holder && findProcessState(holder) === 'gone' && isSocketFolder(holder.socket))
        rmSync(holder.socket, { recursive: true, force: true })
      return lock
    }
    const state = holder && findProcessState(holder)
    if (state === 'running')
      throw new DatabaseBusy(
        `The database in this data folder is in use by process ${holder?.pid}. Stop the server first.`,
      )
    // The server is gone: what holds the lock is its PostgreSQL.
    if (state === 'gone') await endLeftovers(folder)
    const patience = state === 'gone' ? LEFTOVERS_PATIENCE_MS : OTHERS_PATIENCE_MS
    if (performance.now() - began > patience)
      throw new DatabaseBusy(
        'The database in this data folder is in use by a server in another container or on another machine. Stop that server first.',
      )
    await wait(LOCK_AGAIN_MS)
  }
}

/** The preview's database was another program's: its files are left alone, and this says where they are. */
function tellOfPreview(dataDir: string, folder: string, log: Log): void {
  const preview = join(dataDir, 'database')
  if (existsSync(join(preview, 'PG_VERSION')) && !existsSync(folder))
    log.warn(
      `The rows of the preview are in ${preview}, untouched. To carry them over: stop the server, npm run carry-over.`,
    )
}

const isFull = (words: string) => /No space left on device|Disk quota exceeded/.test(words)

/** For everybody who asks, so without paths: those are in the log. */
const describe = (words: string) =>
  isFull(words)
    ? 'The disk is full. The database restarts automatically once there is space.'
    : 'The database stopped and is restarting.'

/** Keeps PostgreSQL running until it is stopped: whenever it ends, it is started again, with growing rests between. */
class Supervisor {
  #launch: Launch
  #log: Log
  #current: Postmaster
  #trouble: string | undefined
  #stopping = new AbortController()
  #over: Promise<void>

  constructor(launch: Launch, first: Postmaster, log: Log) {
    this.#launch = launch
    this.#log = log
    this.#current = first
    this.#over = this.#watch()
  }

  trouble = () => this.#trouble

  async #watch(): Promise<void> {
    let rest = FIRST_REST_MS
    let remindAt = 0
    for (;;) {
      const since = performance.now()
      await this.#current.ended
      if (this.#stopping.signal.aborted) return
      if (performance.now() - since > SOUND_MS) rest = FIRST_REST_MS
      const said = this.#current.lastWords()
      const trouble = describe(said)
      if (trouble !== this.#trouble || performance.now() >= remindAt) {
        this.#log.error({ folder: this.#launch.folder, said }, trouble)
        remindAt = performance.now() + REMIND_MS
      }
      this.#trouble = trouble
      await wait(rest, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      rest = Math.min(rest * 2, MAX_REST_MS)
      await this.#startAgain()
    }
  }

  async #startAgain(): Promise<void> {
    try {
      await clear(this.#launch.folder)
    } catch (error) {
      this.#log.error({ err: error }, 'what is left of PostgreSQL could not be ended')
    }
    if (this.#stopping.signal.aborted) return
    this.#current = startPostmaster(this.#launch, this.#log, true)
    void this.#current.ready.then((ready) => {
      if (!ready) return
      this.#trouble = undefined
      this.#log.warn('PostgreSQL runs again')
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    const current = this.#current
    const isGone = (milliseconds: number) =>
      Promise.race([current.ended.then(() => true), wait(milliseconds, false, { ref: false })])
    current.signal('SIGINT')
    if (!(await isGone(FAST_MS))) {
      this.#log.warn('PostgreSQL does not end; ending it at once')
      current.signal('SIGQUIT')
      if (!(await isGone(IMMEDIATE_MS))) current.signal('SIGKILL')
    }
    await this.#over
  }
}

/** What a PostgreSQL that was killed left: its processes, and the file by which it would take another process for itself. */
async function clear(folder: string): Promise<void> {
  await endLeftovers(folder)
  forgetPostmaster(folder)
}

/**
 * Starts PostgreSQL on the data folder, made where it is missing. Resolves when it accepts connections. Throws
 * DatabaseBusy where another server uses the folder, and DatabaseStartError with PostgreSQL's own last words otherwise.
 */
export async function startEmbedded(dataDir: string, log: Log, options: EmbeddedOptions = {}): Promise<Embedded> {
  const { postgresBin, settings = {} } = options
  mkdirSync(dataDir, { recursive: true })
  const folder = join(dataDir, 'postgres')
  const programs = findPrograms(postgresBin, join(dataDir, 'postgres-libraries'))
  const socket = socketFolder()
  let lock: FolderLock | undefined
  const release = () => {
    rmSync(socket, { recursive: true, force: true })
    lock?.release()
  }
  try {
    lock = await takeFolder(dataDir, folder, socket)
    tellOfPreview(dataDir, folder, log)
    const identity = await prepareCluster(programs, folder, lock.fd, settings.fsync !== 'off')
    await clear(folder)
    own(socket, identity)
    const launch: Launch = { programs, identity, folder, socket, lock: lock.fd, settings }
    const first = startPostmaster(launch, log)
    if (!(await first.ready))
      throw new DatabaseStartError(`PostgreSQL could not start in ${folder}:\n${first.lastWords()}`)
    const supervisor = new Supervisor(launch, first, log)
    return {
      host: socket,
      trouble: supervisor.trouble,
      async stop() {
        await supervisor.stop()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}
