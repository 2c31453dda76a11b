import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { openDatabase } from '../db/database.ts'
import { createLog } from '../log.ts'
import { Live } from './live.ts'
import { relayLive } from './relay.ts'

const log = createLog({ logLevel: 'fatal' })

/** A process on the database, and what it has heard. */
async function startProcess(url: string, hears: boolean) {
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  const live = new Live()
  const heard: string[] = []
  for (const topic of ['launching', 'sending', 'senders']) live.subscribe(topic, (id) => heard.push(`${topic} ${id}`))
  const stop = await relayLive(database, live, log, hears)
  return { database, live, heard, stop }
}
type Process = Awaited<ReturnType<typeof startProcess>>

let [web, first, second]: Process[] = []
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await testDatabase()
  drop = made.drop
  web = await startProcess(made.url, false)
  first = await startProcess(made.url, true)
  second = await startProcess(made.url, true)
})
beforeEach(() => {
  for (const process of [web, first, second]) process?.heard.splice(0)
})
afterAll(async () => {
  for (const process of [web, first, second]) {
    process?.stop()
    await process?.database.close()
  }
  await drop()
})

test('live events: a campaign to be sent is told to every process that works, and nothing else is', async () => {
  web?.live.publish('senders', '1')
  web?.live.publish('launching', '7')
  web?.live.publish('sending', '7')
  const told = ['launching 7', 'sending 7']
  // Each goes by a connection of its own.
  await untilPasses(async () => {
    expect(first?.heard.toSorted()).toEqual(told)
    expect(second?.heard.toSorted()).toEqual(told)
  })
  first?.live.publish('sending', '8')
  await untilPasses(async () => expect(second?.heard.toSorted()).toEqual([...told, 'sending 8']))
  // Nobody hears twice what they told themselves, and who only tells hears nothing.
  expect(first?.heard.toSorted()).toEqual([...told, 'sending 8'])
  expect(web?.heard).toEqual(['senders 1', ...told])
})

test('live events: processes whose connections were lost hear again', async () => {
  const listening = async () => {
    const pids = await web?.database.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
    )
    return (pids?.rows ?? []).map(({ pid }) => pid)
  }
  const lost = await listening()
  expect(lost).toHaveLength(2)
  await web?.database.pool.query('select pg_terminate_backend(pid::int) from unnest($1::int[]) as lost (pid)', [lost])
  await until(async () => {
    const found = await listening()
    return found.length === 2 && !found.some((pid) => lost.includes(pid))
  }, 'new connections')
  web?.live.publish('sending', '9')
  await untilPasses(async () => {
    expect(first?.heard).toEqual(['sending 9'])
    expect(second?.heard).toEqual(['sending 9'])
  })
})
