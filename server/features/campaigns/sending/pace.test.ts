import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'

const PER_SECOND = 20
const COUNT = 160

test('pace: two campaigns through one sender never exceed its limit per second', async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  await ada.api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond: PER_SECOND } } })
  const ids = []
  for (const name of ['first', 'second']) {
    const list = await listWith(t.services, ada, COUNT / 2, (n) => `${name}${n}@example.com`)
    ids.push((await draftTo(ada, list)).id)
  }
  for (const id of ids) await ada.api(campaigns.send, { params: { id }, body: {} })
  for (const id of ids) await untilState(ada, id, ['sent'])
  const { rows } = await t.services.pool.query(
    'select extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds, count(*)::int from messages where campaign_id = any($1)',
    [ids],
  )
  const [{ seconds, count }] = rows
  expect(count).toBe(COUNT)
  // Not one more than a limit of any second allows. How much of it is used is shown on a virtual clock (permits.test.ts).
  expect(COUNT / seconds).toBeLessThanOrEqual((PER_SECOND * COUNT) / (COUNT - PER_SECOND))
})
