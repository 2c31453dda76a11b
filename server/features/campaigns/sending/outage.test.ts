import pg from 'pg'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { ApiError } from '#contracts/client.ts'
import { senders } from '#contracts/senders/senders.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'

const COUNT = 60

test('outage: if the database ends all connections, every message is sent, and the sender stays working', async () => {
  await using t = await testApp()
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const params = { id: sender?.id ?? '' }
  await ada.api(senders.update, { params, body: { limits: { perSecond: 20 } } })
  const { id } = await draftTo(ada, await listWith(t.services, ada, COUNT))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await t.sink.waitForCount(10)
  const operator = new pg.Client({ ...t.services.connection })
  await operator.connect()
  await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  await operator.end()
  // A request that meets an ended connection first is answered 503, as it should be; nothing else is accepted.
  const shown = () =>
    ada.api(campaigns.get, { params: { id } }).catch((error) => {
      if (error instanceof ApiError && error.status === 503) return undefined
      throw error
    })
  const isSent = async () => {
    const campaign = await shown()
    return campaign?.state === 'sent' && campaign
  }
  const { counts } = await until(isSent, 'the campaign is sent')
  expect(counts).toMatchObject({ sent: COUNT, unconfirmed: 0 })
  expect(new Set(t.sink.received.map(({ to }) => to[0])).size).toBe(t.sink.received.length)
  const row = t.services.db.selectFrom('senders').where('id', '=', params.id).select(['troubles', 'restUntil'])
  expect(await row.executeTakeFirst()).toEqual({ troubles: 0, restUntil: null })
})
