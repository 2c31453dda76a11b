import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lists } from '#contracts/contacts/lists.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { listWith } from '#server/testing/campaign.ts'
import { testDatabase } from '#server/testing/database.ts'
import { isLong } from '#server/testing/long.ts'
import { startMailSink } from '#server/testing/mail-sink.ts'
import { untilPasses } from '#server/testing/until.ts'

test.runIf(isLong)(
  'confirmation: asking many goes on where a stopped process left off, a few at a time, and asks each once',
  async () => {
    const database = await testDatabase()
    const sink = await startMailSink()
    const environment = { DATABASE_URL: database.url, SECRET_KEY: 'a key that both processes of the test have' }
    const count = 300
    const openRequests = async (app: TestApp) => {
      const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from confirmations where next_mail = 'first'`.execute(app.services.db)
      return rows[0]?.n ?? 0
    }
    const first = await testApp({ sink, environment })
    try {
      const person = await first.person()
      const { id } = await person.api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
      const members = await listWith(first.services, person, count, (n) => `m${n}@many.example`)
      await sql`insert into list_members (workspace_id, list_id, contact_id, status)
      select workspace_id, ${id}::bigint, contact_id, 'pending' from list_members where list_id = ${members}`.execute(
        first.services.db,
      )
      await sink.waitForCount(20)
      expect(await openRequests(first)).toBeLessThanOrEqual(10)
    } finally {
      await first[Symbol.asyncDispose]()
    }
    const before = sink.received.length
    expect(before).toBeLessThan(count)
    const second = await testApp({ sink, environment })
    await sink.waitForCount(count)
    await untilPasses(async () => expect(await openRequests(second)).toBe(0))
    expect(new Set(sink.received.map(({ to }) => to[0])).size).toBe(count)
    expect(sink.received).toHaveLength(count)
    await second[Symbol.asyncDispose]()
    await sink.stop()
    await database.drop()
  },
)
