/** Who holds a journal, told so exactly that a reused process id is never taken for the owner. */
import { readFileSync, readlinkSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import type { JournalOwner } from './types.ts'

const STALE_MS = 60_000

function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Start time in clock ticks since boot, field 22 of /proc/<pid>/stat; empty where there is no such process or no /proc. */
function startTime(pid: number): string {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The command name in parentheses may hold spaces and parentheses itself.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

const bootId = () => attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const pidNamespace = () => attempt(() => readlinkSync('/proc/self/ns/pid'))

export function thisOwner(): JournalOwner {
  return {
    pid: process.pid,
    thread: threadId,
    start: startTime(process.pid),
    boot: bootId(),
    namespace: pidNamespace(),
  }
}

/** Whether the owner still runs; `touched` is when its journal last changed (ms). */
export function isAlive(owner: JournalOwner, touched: number): boolean {
  const comparable = owner.boot !== '' && owner.boot === bootId() && owner.namespace === pidNamespace()
  if (comparable && owner.start) return startTime(owner.pid) === owner.start
  if (owner.boot === '' && !exists(owner.pid)) return false
  return Date.now() - touched < STALE_MS
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
