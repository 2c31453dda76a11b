import { readFileSync } from 'node:fs'
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
