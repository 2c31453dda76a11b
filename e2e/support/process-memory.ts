import { readdirSync, readFileSync } from 'node:fs'

/** What one process takes of the machine at this moment (Linux). */
export interface ProcessFootprint {
  pid: number
  /** Its command line; PostgreSQL's processes say there what they do. */
  command: string
  /** Its memory in KiB, shared pages divided by those who share them (Pss), and the part of it that no file is behind. */
  pss: number
  anonymous: number
  /** Processor time used until now in seconds, with that of its children that ended. */
  processor: number
  threads: number
}

/** Of a second: what /proc counts processor time in on every Linux. */
const CLOCK_TICKS = 100

const read = (path: string) => readFileSync(path, 'utf8')

function readProcess(pid: number): ProcessFootprint {
  const rollup = read(`/proc/${pid}/smaps_rollup`)
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0)
  // The name in parentheses may contain spaces.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return {
    pid,
    command: read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim(),
    pss: kibibytes('Pss'),
    anonymous: kibibytes('Pss_Anon'),
    processor: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / CLOCK_TICKS,
    threads: Number(fields[17]),
  }
}

/** A process and all that it started, parents first. One that ends meanwhile is skipped. */
export function readTree(pid: number): ProcessFootprint[] {
  try {
    const own = readProcess(pid)
    const threads = readdirSync(`/proc/${pid}/task`)
    const children = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).trim().split(' '))
    return [own, ...children.filter(Boolean).flatMap((child) => readTree(Number(child)))]
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** Memory of all these processes together, in MiB. */
export const sumMemory = (tree: ProcessFootprint[]): number => tree.reduce((sum, { pss }) => sum + pss, 0) / 1024
