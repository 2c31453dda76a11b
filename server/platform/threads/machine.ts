/** What the machine has left for another thread. */
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** Bytes the process may have: a container's limit counts, where there is one. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

/** What /proc counts processor time in. */
const TICK_MS = 10

/**
 * Milliseconds all cores together were idle since the machine started. In a container they are the machine's. Read from /proc where there
 * is one: `os.cpus` asks each core for its frequency, which blocks for milliseconds a core.
 */
export function idleMs(): number {
  try {
    const [, , , , idle, wait] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 6).map(Number)
    return ((idle ?? 0) + (wait ?? 0)) * TICK_MS
  } catch {
    return cpus().reduce((sum, { times }) => sum + times.idle, 0)
  }
}
