import { createHash, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Where the emulator of a data folder listens, for the next start and for other processes; more than the port tells it from a stranger. */
export interface SandboxPlace {
  port: number
}

/** A service on this machine of which a data folder has one, whichever of its processes runs it. */
interface Emulator<P extends SandboxPlace, S> {
  /** The file of the data folder that holds its place. */
  file: string
  /** Its place as the file has it; undefined where something of it is missing or wrong. */
  read(kept: Record<string, unknown>, port: number): P | undefined
  /** A first place, with keys of its own. */
  fresh(port: number): P
  /** Whether it, and not another program, responds there. */
  responds(place: P): Promise<boolean>
  /** Starts it there; port 0 takes any free one. Refuses with EADDRINUSE. Returns where it came to be. */
  start(place: P): Promise<{ place: P; running: S }>
  /** Milliseconds in which another process is let begin it: a worker shows no pages, and leaves it to a web process beside it. */
  patience?: number
}

/** For workers. */
export const WORKER_WAITS_MS = 10_000
/** Milliseconds for a process that just took the port to answer there. */
const RESPONSE_TIMEOUT_MS = 5_000
const RECHECK_INTERVAL_MS = 100

/**
 * Finds the emulator that another process on this folder runs, or starts it where it was last; `running` is undefined when
 * found. The place is written before anybody listens there, so that of processes that start at once one gets the port and
 * the others find it.
 */
export async function findOrStart<P extends SandboxPlace, S>(
  emulator: Emulator<P, S>,
): Promise<{ place: P; running?: S }> {
  const { file, start, patience = 0 } = emulator
  mkdirSync(dirname(file), { recursive: true })
  const found = patience > 0 ? await lookFor(emulator, patience) : undefined
  if (found) return { place: found }
  const known = placeIn(emulator) ?? (await claim(emulator))
  const started = await start(known).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    const other = await lookFor(emulator, RESPONSE_TIMEOUT_MS)
    return other ? { place: other } : start({ ...known, port: 0 })
  })
  if ('running' in started) renameSync(written(file, started.place), file)
  return started
}

/** The one another process runs, if it responds in this time. */
async function lookFor<P extends SandboxPlace, S>(emulator: Emulator<P, S>, patience: number): Promise<P | undefined> {
  const until = performance.now() + patience
  for (;;) {
    const place = placeIn(emulator)
    if (place && (await emulator.responds(place))) return place
    if (performance.now() >= until) return undefined
    await setTimeout(RECHECK_INTERVAL_MS)
  }
}

function placeIn<P extends SandboxPlace, S>({ file, read }: Emulator<P, S>): P | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    return isPort(kept.port) ? read(kept, kept.port) : undefined
  } catch {
    return undefined
  }
}

/** Writes a first place, unless another process was quicker: then that one's. */
async function claim<P extends SandboxPlace, S>(emulator: Emulator<P, S>): Promise<P> {
  const place = emulator.fresh(await freePort())
  const whole = written(emulator.file, place)
  try {
    linkSync(whole, emulator.file)
    return place
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A broken file is replaced once a port is taken.
    return placeIn(emulator) ?? place
  } finally {
    rmSync(whole)
  }
}

/** Written beside it whole, so that nobody reads half a place. Returns the path. */
function written(file: string, place: SandboxPlace): string {
  const path = `${file}.${process.pid}.${randomUUID()}`
  writeFileSync(path, JSON.stringify(place), { mode: 0o600 })
  return path
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Whether a value is a port one can listen on. */
export const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536

/** Where an emulator over HTTP shows that it knows its key, without telling it. */
export const PROOF_PATH = '/.well-known/postlark-sandbox'
export const computeProof = (key: string) => createHash('sha256').update(`postlark sandbox ${key}`).digest('hex')

/** What the emulator with this key returns at PROOF_PATH with its proof; undefined where nothing or another program responds. */
export async function toldBy(port: number, key: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${PROOF_PATH}`, { signal: AbortSignal.timeout(2_000) })
    const told = (await response.json()) as Record<string, unknown>
    return told.proof === computeProof(key) ? told : undefined
  } catch {
    return undefined
  }
}
