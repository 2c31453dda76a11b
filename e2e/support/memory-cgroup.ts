import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '#server/testing/until.ts'

/** A group of processes with a limit of memory that the kernel enforces. */
export interface MemoryCgroup {
  /** Goes before a command that is to run in it. */
  prefix: string[]
  /** Processes that were killed for their memory. */
  kills(): number
  /** The most memory it had, in MiB, with the files that were cached for it. */
  peak(): number
  /** Removes it, once its processes are gone. */
  remove(): Promise<void>
}

const ROOT = '/sys/fs/cgroup'
/** The names of one version's files. */
const FILES = {
  v2: { limit: 'memory.max', swap: 'memory.swap.max', events: 'memory.events', peak: 'memory.peak' },
  v1: {
    limit: 'memory.limit_in_bytes',
    swap: 'memory.memsw.limit_in_bytes',
    events: 'memory.oom_control',
    peak: 'memory.max_usage_in_bytes',
  },
}

/** Which groups this machine has, and where; undefined where it has none that limit memory. */
function findHierarchy(): { version: 'v1' | 'v2'; parent: string } | undefined {
  const controllers = join(ROOT, 'cgroup.controllers')
  if (existsSync(controllers) && /\bmemory\b/.test(readFileSync(controllers, 'utf8')))
    return { version: 'v2', parent: ROOT }
  const parent = join(ROOT, 'memory')
  return existsSync(join(parent, 'memory.limit_in_bytes')) ? { version: 'v1', parent } : undefined
}

/** Makes a group that may have so many MiB and no swap; returns why it cannot be made where this machine forbids it. */
export function makeMemoryCgroup(mebibytes: number): MemoryCgroup | string {
  const hierarchy = findHierarchy()
  if (!hierarchy) return 'this machine has no cgroups that limit memory'
  const { version, parent } = hierarchy
  const files = FILES[version]
  const folder = join(parent, `postlark-test-${process.pid}`)
  const bytes = String(mebibytes * 2 ** 20)
  try {
    if (version === 'v2') writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory')
    mkdirSync(folder)
    writeFileSync(join(folder, files.limit), bytes)
    // Where the kernel counts no swap there is no such file.
    if (existsSync(join(folder, files.swap))) writeFileSync(join(folder, files.swap), version === 'v2' ? '0' : bytes)
  } catch (error) {
    if (existsSync(folder)) rmdirSync(folder)
    return `cgroups cannot be changed here: ${(error as Error).message}`
  }
  const number = (file: string, pattern: RegExp) =>
    Number(pattern.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? Number.NaN)
  return {
    prefix: ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'],
    kills: () => number(files.events, /^oom_kill (\d+)/m),
    peak: () => Math.round(number(files.peak, /(\d+)/) / 2 ** 20),
    async remove() {
      const isEmpty = async () => readFileSync(join(folder, 'cgroup.procs'), 'utf8') === ''
      await until(isEmpty, 'the end of all processes of the cgroup')
      rmdirSync(folder)
    },
  }
}
