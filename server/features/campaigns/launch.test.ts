import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'

test('launch: a campaign ends as failed when every attempt fails or its processes died', async () => {
  await using t = await testApp()
  const { db } = t.services
  const ada = await t.person()
  const listId = await listWith(t.services, ada, 3)
  const [failing, lost] = [await draftTo(ada, listId), await draftTo(ada, listId)]
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`.execute(
    db,
  )
  await sql`create trigger refuse before insert on messages execute function refuse()`.execute(db)

  await ada.api(campaigns.send, { params: { id: failing.id }, body: {} })
  const lastTry = () =>
    sql`update pgboss.job set retry_limit = retry_count + 1, start_after = now()
      where singleton_key = ${failing.id} and state = 'retry'`.execute(db)
  await untilPasses(async () => expect((await lastTry()).numAffectedRows).toBe(1n))
  await db
    .updateTable('campaigns')
    .set({ state: 'sending', startedAt: sql<Date>`now() - interval '1 minute'` })
    .where('id', '=', lost.id)
    .execute()

  for (const { id } of [failing, lost]) {
    const { state, stateText, counts } = await untilState(ada, id, ['failed'])
    expect(state).toBe('failed')
    expect(stateText).toMatch(/^The campaign could not start: the server failed each time/)
    expect(counts.recipients).toBe(0)
  }
  expect(t.sink.received).toEqual([])
})
