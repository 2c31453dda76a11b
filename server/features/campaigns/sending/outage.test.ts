import pg from 'pg'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { ApiError } from '#contracts/client.ts'
import { senders } from '#contracts/senders/senders.ts'
import { scriptedServer } from '#server/engine/smtp/mail-server.fixture.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
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

test('outage: a mail server that takes messages and replies to none pauses the campaign, and a resume sends the others', async () => {
  let isSilent = true
  const server = await scriptedServer({ reply: (line) => (isSilent && line === '.' ? 'drop' : null) })
  await using t = await testApp({ environment: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } })
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  await ada.api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { connections: 3 } } })
  const { id } = await draftTo(ada, await listWith(t.services, ada, COUNT))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  const paused = await untilState(ada, id, ['paused'])
  expect(paused.stateText).toMatch(/^Paused: The mail server did not reply to \d\d messages in a row/)
  expect(paused.stateText).toMatch(/They are unconfirmed, and the others wait\./)
  // Ten, what three connections had in flight before and after, and one of each other lane of the campaign.
  expect(paused.counts.unconfirmed).toBeLessThanOrEqual(17)
  expect(paused.counts.queued).toBe(COUNT - paused.counts.unconfirmed)
  isSilent = false
  await ada.api(campaigns.resume, { params: { id } })
  const { counts } = await untilState(ada, id, ['sent'])
  expect(counts).toMatchObject({ sent: paused.counts.queued, unconfirmed: paused.counts.unconfirmed })
  await server.close()
})
