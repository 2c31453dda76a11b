import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { openDatabase } from '../db/database.ts'
import { createLog } from '../log.ts'
import { Live } from './live.ts'
import { relayLive } from './relay.ts'

const log = createLog({ logLevel: 'fatal' })

/** Processes on one database: what each has heard, and those that only tell. */
async function testProcesses(...hearing: boolean[]) {
  const { url, drop } = await testDatabase()
  const processes = await Promise.all(
    hearing.map(async (hears) => {
      const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
      const live = new Live()
      const heard: unknown[] = []
      for (const topic of ['launching', 'sending', 'senders'])
        live.subscribe(topic, (value) => heard.push(`${topic} ${value}`))
      const stop = await relayLive(database, live, log, hears)
      return { database, live, heard, stop }
    }),
  )
  return {
    processes,
    async [Symbol.asyncDispose]() {
      for (const { database, stop } of processes) {
        stop()
        await database.close()
      }
      await drop()
    },
  }
}

test('live events: a campaign to be sent is told to every process that works, and nothing else is', async () => {
  await using t = await testProcesses(false, true, true)
  const [web, first, second] = t.processes
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

test('live events: a process whose connection was lost hears again', async () => {
  await using t = await testProcesses(false, true)
  const [web, worker] = t.processes
  const listening = async () =>
    (
      await web?.database.pool.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
      )
    )?.rows[0]?.pid
  const lost = await listening()
  await web?.database.pool.query('select pg_terminate_backend($1)', [lost])
  await until(async () => {
    const pid = await listening()
    return pid !== undefined && pid !== lost
  }, 'a new connection')
  web?.live.publish('sending', '9')
  await untilPasses(async () => expect(worker?.heard).toEqual(['sending 9']))
})
