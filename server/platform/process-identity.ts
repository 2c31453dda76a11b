/** Who a process is, told so exactly that a process id the system gave out again is never taken for its former owner. */
import { readFileSync, readlinkSync } from 'node:fs'

export interface ProcessIdentity {
  pid: number
  /** Start time in clock ticks since boot; empty where the system has no /proc. */
  start: string
  /** Changes with every boot of the machine; empty where the system has no /proc. */
  boot: string
  /** Process ids mean something only inside it: each container has its own. Empty where the system has none. */
  namespace: string
}

function attempt(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Field 22 of /proc/<pid>/stat; empty where there is no such process, it has ended and is not buried yet, or there is no /proc. */
function startTime(pid: number): string {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The command name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? '' : (fields[19] ?? '')
}

/** Changes with every start of the machine; empty where the system has no /proc. */
export const bootId = () => attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const pidNamespace = () => attempt(() => readlinkSync('/proc/self/ns/pid'))

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, start: startTime(process.pid), boot: bootId(), namespace: pidNamespace() }
}

/** Whether a process id is in use, by whomever. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process runs: 'unknown' when it belongs to another machine, boot or container, so that its id says nothing here. */
export function findProcessState(identity: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (identity.boot !== bootId() || identity.namespace !== pidNamespace()) return 'unknown'
  if (identity.start) return startTime(identity.pid) === identity.start ? 'running' : 'gone'
  return exists(identity.pid) ? 'running' : 'gone'
}
