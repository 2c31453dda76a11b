/** What the machine has left for another thread. */
import { cpus, totalmem } from 'node:os'

/** Bytes the process may have: a container's limit counts, where there is one. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

/** Milliseconds all cores together were idle since the machine started. In a container they are the machine's. */
export const idleMs = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0)
