import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { exists } from '#server/platform/process-identity.ts'
import { until } from '#server/testing/until.ts'

/** The processes of a product's embedded PostgreSQL: the postmaster, and one backend for each connection. */
export function findPostgres(dataDir: string): { postmaster: number; backends: number[] } {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  const isBackend = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('[local]')
    } catch {
      // It has ended since.
      return false
    }
  }
  return { postmaster, backends: children.filter(isBackend) }
}

/** All processes that work in the folder of a product's embedded PostgreSQL, children of its server or not. */
export function findProcesses(dataDir: string): number[] {
  const isThere = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(join(dataDir, 'postgres'))
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isThere(name))
    .map(Number)
}

/** Waits until no process works in that folder. */
export const untilEmpty = (dataDir: string) =>
  until(async () => findProcesses(dataDir).length === 0, 'the end of PostgreSQL')

/** A connection of the test's own to a product's embedded PostgreSQL; it ends with the server. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const socketFolder = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[4]
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Waits until none of these connections' processes is left: when one is killed, PostgreSQL ends all of them and recovers. */
export async function untilGone(pids: number[]): Promise<void> {
  await until(async () => !pids.some(exists), 'the end of the connections', 100, 10)
}

/** Waits until a server and its database answer. */
export async function untilReady(url: string): Promise<void> {
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200
  await until(isReady, `a server that is ready at ${url}`)
}

/** What a test kills with SIGKILL. */
export const VICTIMS = ['server', 'postmaster', 'backend', 'everything'] as const

/** Kills one process of a running product, or all of them together, and waits until what that ends is gone. */
export async function killOne(victim: (typeof VICTIMS)[number], dataDir: string, server: number): Promise<void> {
  const { postmaster, backends } = findPostgres(dataDir)
  const pids = {
    server: [server],
    postmaster: [postmaster],
    // Right after the end of another one there may be none.
    backend: [backends.at(Math.floor(Math.random() * backends.length)) ?? postmaster],
    everything: [server, postmaster, ...backends],
  }[victim]
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // PostgreSQL ends with its server, and may be quicker than this.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  await untilGone(backends)
}
