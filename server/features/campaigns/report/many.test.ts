import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports as reports } from '#contracts/campaigns/report/report.ts'
import { sentCampaign } from '#server/features/tracking/testing.ts'
import { sharedApp } from '#server/testing/app.ts'

test('recipients: of ten thousand each is listed once, searched for or not', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const { db } = t.services
  const { id, messages } = await sentCampaign(t.services, person, { people: 10_000 })
  await sql`insert into events (workspace_id, campaign_id, message_id, kind, class, at)
    select workspace_id, campaign_id, id, 'open', 'human', date_trunc('minute', now()) from messages
    where workspace_id = ${person.workspaceId} and campaign_id = ${id} and id % 2 = 0`.execute(db)
  const params = { id }
  const found = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const query = { event: 'opened' as const, sort: 'activity' as const, limit: 200, ...(cursor && { cursor }) }
    const page = await person.api(campaigns.messages, { params, query })
    expect(page.total).toBe(5_000)
    for (const { address } of page.items) found.add(address)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  expect(found.size).toBe(5_000)
  expect(await person.api(reports.toList, { params, body: { name: 'Half', event: 'not_opened' } })).toMatchObject({
    people: 5_000,
  })

  // Names are Person 1 to Person 10000, addresses C….r1@example.com and on.
  const search = async (q: string, sort: 'added' | 'activity', more: { cursor?: string; event?: 'opened' } = {}) => {
    const { items, nextCursor } = await person.api(campaigns.messages, {
      params,
      query: { q, sort, limit: 7, ...more },
    })
    return { ids: items.map((item) => item.id), nextCursor }
  }
  const opened = (wanted: boolean) => messages.filter(({ id }) => (Number(id) % 2 === 0) === wanted).map(({ id }) => id)
  const named = messages.filter((_, n) => `${n + 1}`.startsWith('777')).map(({ id }) => id)
  const [first, second] = [await search('person 777', 'added'), await search('r777', 'added')]
  expect([first.ids, second.ids]).toEqual([named.slice(0, 7), named.slice(0, 7)])
  expect(await search('PERSON 777', 'added', { cursor: first.nextCursor ?? '' })).toEqual({
    ids: named.slice(7),
    nextCursor: null,
  })
  const byTime = [
    ...named.filter((id) => opened(true).includes(id)),
    ...named.filter((id) => opened(false).includes(id)),
  ]
  const latest = await search('person 777', 'activity')
  expect(latest.ids).toEqual(byTime.slice(0, 7))
  const earlier = await search('person 777', 'activity', { cursor: latest.nextCursor ?? '' })
  expect(earlier.ids).toEqual(byTime.slice(7))
  expect((await search('person', 'activity')).ids).toEqual(opened(true).slice(0, 7))
  expect((await search('person 777', 'added', { event: 'opened' })).ids).toEqual(
    byTime.filter((id) => opened(true).includes(id)).slice(0, 7),
  )
  const address = messages[776]?.address ?? ''
  expect((await search(` ${address.toUpperCase()}`, 'activity')).ids).toEqual([messages[776]?.id])
})
