import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { senders } from '#contracts/senders/senders.ts'
import { pauseReceiver } from '#server/features/senders/index.ts'
import { sharedApp, testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'

const PER_SECOND = 15

test('single emails: confirmations and a campaign together never exceed the limits of their sender', async () => {
  await using t = await testApp()
  const ada = await t.person()
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const limits = { perSecond: PER_SECOND, connections: 2 }
  await ada.api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits } })
  const { id } = await draftTo(ada, await listWith(t.services, ada, 4 * PER_SECOND))
  const double = await ada.api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
  const members = await listWith(t.services, ada, PER_SECOND, (n) => `c${n}@example.com`)
  const begun = performance.now()
  // Confirmations are looked for now and then: they are due before the campaign begins, and not once it is over.
  await sql`insert into list_members (workspace_id, list_id, contact_id, status)
    select workspace_id, ${double.id}::bigint, contact_id, 'pending' from list_members where list_id = ${members}`.execute(
    t.services.db,
  )
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await untilState(ada, id, ['sent'])
  await t.sink.waitForCount(5 * PER_SECOND)
  const times = t.sink.received.map(({ at }) => at).toSorted((a, b) => a - b)
  const isOfCampaign = t.sink.received.map(({ to }) => to[0]?.startsWith('r') ?? false)
  // They left beside each other.
  expect(isOfCampaign.lastIndexOf(true)).toBeGreaterThan(isOfCampaign.indexOf(false))
  // A busy machine may bring each of them later, so arrivals come closer together than they left, but none comes too early.
  const tooEarly = times.filter((at, n) => at < begun + 1_000 * Math.floor(n / PER_SECOND))
  expect(tooEarly).toEqual([])
  expect(t.sink.mostConnections()).toBeLessThanOrEqual(2)
})

test('single emails: a receiver with a limit, and one that refuses the sender, hold up their own confirmations only', async () => {
  const t = await sharedApp()
  const ada = await t.person()
  const { workspaceId } = ada
  const senderId = (await ada.api(senders.list, { query: {} })).items[0]?.id ?? ''
  const limit = { receiver: 'slow.example', connections: null, perSecond: null, perHour: 10 }
  await ada.api(senders.update, { params: { id: senderId }, body: { receiverLimits: [limit] } })
  await pauseReceiver(t.services.db, { workspaceId, senderId, receiver: 'shut.example', response: '5.7.1 go away' })
  const { id } = await ada.api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
  for (const email of ['a@slow.example', 'b@slow.example', 'c@shut.example', 'd@free.example'])
    await ada.api(contacts.create, { body: { email, lists: [id] } })
  await t.sink.mailTo('d@free.example')
  await untilPasses(async () => {
    const { rows } = await sql<{ email: string; problem: string; wait: number }>`
      select email, problem, extract(epoch from due_at - now())::float8 as wait from confirmations
      where workspace_id = ${workspaceId} and mails = 0 order by email`.execute(t.services.db)
    expect(rows.map(({ problem }) => problem)).toEqual([
      'The limit of the sender for slow.example is used up for now.',
      'shut.example refuses emails: 5.7.1 go away',
    ])
    // Six minutes between two, and the first pause is ten.
    for (const { wait } of rows) expect(wait).toBeGreaterThan(300)
  })
  const mailed = t.sink.received.flatMap(({ to }) => to).filter((to) => /@(slow|shut)\.example$/.test(to))
  expect(mailed).toHaveLength(1)
})
