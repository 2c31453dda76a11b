/** One data folder is never used by two servers, in two containers neither. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { findProcessState, type ProcessIdentity, thisProcess } from '#server/platform/process-identity.ts'

/** What the holder tells about itself. */
export interface Holder extends ProcessIdentity {
  /** Folder of its socket. */
  socket: string
}

export interface FolderLock {
  /**
   * The open file that holds an operating system's lock; undefined where there is none. PostgreSQL inherits it, so the
   * lock is held until the last of its processes is gone.
   */
  fd: number | undefined
  release(): void
}

const HEARTBEAT_MS = 5_000
const STALE_MS = 30_000
// util-linux and busybox both leave with 1 and without a word where somebody else holds the lock.
const HELD_BY_OTHER = 1

const told = (holder: Holder) => `${JSON.stringify(holder)}\n`

/** Who holds the lock, or held it last; undefined where nobody did, or at this moment the file is written. */
export function readLockHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Takes the lock, or returns undefined while another process has it. By flock(2), which knows no containers and ends with
 * its holders; where there is no such program, by a file that is touched every five seconds.
 */
export function tryLock(file: string, socket: string): FolderLock | undefined {
  const holder: Holder = { ...thisProcess(), socket }
  // Not truncated: until the lock is ours, the file tells who holds it.
  const fd = openSync(file, 'a+', 0o600)
  const { status, stderr, error } = spawnSync('flock', ['-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  })
  if (status === 0) {
    ftruncateSync(fd)
    writeSync(fd, told(holder))
    return { fd, release: () => closeSync(fd) }
  }
  closeSync(fd)
  if (!error && status === HELD_BY_OTHER && stderr === '') return undefined
  return lockByHeartbeat(file, holder)
}

function lockByHeartbeat(file: string, holder: Holder): FolderLock | undefined {
  const other = readLockHolder(file)
  const state = other ? findProcessState(other) : 'unknown'
  const isHeld = state === 'running' || (state === 'unknown' && Date.now() - statSync(file).mtimeMs < STALE_MS)
  if (other && isHeld) return undefined
  // The process that moves the old file away may write the new one, unless what was moved is already another one's.
  const old = `${file}.${process.pid}`
  try {
    renameSync(file, old)
    if (JSON.stringify(readLockHolder(old)) !== JSON.stringify(other)) {
      renameSync(old, file)
      return undefined
    }
    rmSync(old)
    writeFileSync(file, told(holder), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  const beating = openSync(file, 'r+')
  const timer = setInterval(() => futimesSync(beating, new Date(), new Date()), HEARTBEAT_MS).unref()
  return {
    fd: undefined,
    release() {
      clearInterval(timer)
      closeSync(beating)
      rmSync(file, { force: true })
    },
  }
}
