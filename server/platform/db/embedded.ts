import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

/** Another process uses this data folder. */
export class DatabaseBusy extends Error {}

export interface Embedded {
  /** Folder of the Unix socket: pg's `host`. */
  host: string
  stop(): Promise<void>
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A process id may be used again by another program: its start time tells them apart where the system shows it. */
function startTime(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Takes the data folder for this process. A lock left by a process that is gone is taken over. */
function lock(file: string): void {
  const mine = `${process.pid} ${startTime(process.pid)}`
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const [pid = '0', started = ''] = readFileSync(file, 'utf8').split(' ')
    const alive = Number(pid) > 0 && isRunning(Number(pid)) && startTime(Number(pid)) === started
    if (alive)
      throw new DatabaseBusy(`The database in this data folder is in use by process ${pid}. Stop the server first.`)
    rmSync(file, { force: true })
  }
}

/** Starts PGlite in a thread; it answers PostgreSQL's protocol on a Unix socket in `host`. Throws DatabaseBusy. */
export async function startEmbedded(dataDir: string): Promise<Embedded> {
  // Freeing WebAssembly code ends the whole process now and then: a check of V8 fails where threads share wrappers
  // (https://github.com/nodejs/node/issues/64500). What is kept instead are some hundred kilobytes.
  setFlagsFromString('--no-wasm-code-gc')
  mkdirSync(dataDir, { recursive: true })
  const lockFile = join(dataDir, 'database.lock')
  lock(lockFile)
  // Not in the data folder: a socket's path may have 107 bytes at most.
  const host = mkdtempSync(join(tmpdir(), 'postlark-'))
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { dataDir: join(dataDir, 'database'), socketPath: join(host, '.s.PGSQL.5432') },
  })
  const message = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the embedded database ended unexpectedly')))
      worker.on('message', (text) => text === wanted && resolve())
    })
  const release = () => {
    rmSync(host, { recursive: true, force: true })
    rmSync(lockFile, { force: true })
  }
  try {
    await message('ready')
  } catch (error) {
    release()
    throw error
  }
  return {
    host,
    async stop() {
      const closed = message('closed')
      worker.postMessage('close')
      await closed
      await worker.terminate()
      release()
    },
  }
}
