/** PostgreSQL's processes that outlived their server: found by the folder they work in, and ended. */
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { exists } from '#server/platform/process-identity.ts'

const POLL_INTERVAL_MS = 20
// PostgreSQL itself gives its processes five seconds in an immediate shutdown.
const PATIENCE_MS = 6_000

/** Ids of the processes whose working directory is this folder: the postmaster and all it started. */
function processesIn(folder: string): number[] {
  const real = realpathSync(folder)
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === real
    } catch {
      return false
    }
  })
}

/** The postmaster's id as PostgreSQL wrote it down, which is what is left to go by where there is no /proc. */
function readPostmasterPid(folder: string): number[] {
  try {
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    return pid > 0 && exists(pid) ? [pid] : []
  } catch {
    return []
  }
}

function left(folder: string): number[] {
  try {
    return processesIn(folder)
  } catch {
    return readPostmasterPid(folder)
  }
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended meanwhile, or belongs to another user: then the start says so.
    }
  }
}

/**
 * Ends what still works on a folder that no living server uses, and returns how many processes that were. First as an
 * immediate shutdown, then by force: whatever was acknowledged is in the log.
 */
export async function endLeftovers(folder: string): Promise<number> {
  const found = left(folder)
  signal(found, 'SIGQUIT')
  const until = performance.now() + PATIENCE_MS
  for (let pids = found; pids.length > 0; pids = left(folder)) {
    if (performance.now() > until) signal(pids, 'SIGKILL')
    await wait(POLL_INTERVAL_MS)
  }
  return found.length
}

/**
 * Removes the file by which PostgreSQL knows that a folder is in use. It names a process by an id that means nothing in
 * another container or after a restart of the machine, where any other process may have it. Only for the holder of the
 * folder's lock, after endLeftovers.
 */
export function forgetPostmaster(folder: string): void {
  rmSync(join(folder, 'postmaster.pid'), { force: true })
}
