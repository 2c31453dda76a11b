import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { RecipientCursor, type RecipientEvent } from '#contracts/campaigns/report/messages.ts'
import { sharedApp } from '#server/testing/app.ts'
import { sentCampaign } from '../testing.ts'
import { rollWorkspace } from './roller.ts'

const PEOPLE = 12
const FILTERS = [
  { event: 'opened', kind: 'open', by: 'human' },
  { event: 'clicked', kind: 'click', by: 'human' },
  { event: 'unsubscribed', kind: 'unsubscribe', by: 'human' },
  { event: 'opened', kind: 'open', by: 'machine' },
  { event: 'clicked', kind: 'click', by: 'machine' },
] as const

const MISSING = [
  ['not_opened', ['open']],
  ['no_response', ['open', 'click', 'unsubscribe']],
] as const

test('recipients: those who did something are listed in order, counted or not yet', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const { db } = t.services
  const { workspaceId } = person
  const { id } = await sentCampaign(t.services, person, { people: PEOPLE })
  const ofCampaign = sql`workspace_id = ${workspaceId} and campaign_id = ${id}`
  // Every third message of a kind that goes by its place, some of them at the same time.
  const addEvents = (offset: number) =>
    sql`insert into events (workspace_id, campaign_id, message_id, kind, class, link, at)
      select workspace_id, campaign_id, id, (array['open', 'click', 'unsubscribe', 'open'])[1 + (place * 5 + ${offset}::int) % 4],
        (array['human', 'human', 'machine'])[1 + (place * 7 + ${offset}::int) % 3], 0, now() - (place * 11 + ${offset}::int) % 4 * interval '1 hour'
      from (select *, row_number() over (order by id)::int as place from messages where ${ofCampaign}) m where (place + ${offset}::int) % 3 <> 0`.execute(
      db,
    )
  const listed = async (
    { event, by }: { event: RecipientEvent; by: 'human' | 'machine' },
    sort: 'added' | 'activity',
  ) => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const query = {
        event,
        sort,
        limit: 4,
        ...(by === 'machine' && { machine: 'true' as const }),
        ...(cursor && { cursor }),
      }
      const page = await person.api(campaigns.messages, { params: { id }, query })
      found.push(...page.items.map((item) => item.id))
      cursor = page.nextCursor ?? undefined
      if (cursor) expect(page.total).toBeGreaterThan(found.length)
      else expect(page.total).toBe(found.length)
    } while (cursor)
    return found
  }
  const check = async () => {
    for (const filter of FILTERS)
      for (const sort of ['added', 'activity'] as const) {
        const order = sort === 'activity' ? sql`max(at) desc, contact_id` : sql`contact_id`
        const { rows } = await sql<{
          id: string
        }>`select m.id from messages m join events e on e.workspace_id = m.workspace_id and e.message_id = m.id
          where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and kind = ${filter.kind} and class = ${filter.by} group by m.id, contact_id order by ${order}`.execute(
          db,
        )
        expect(await listed(filter, sort), `${filter.event} ${filter.by} ${sort}`).toEqual(rows.map((row) => row.id))
      }
    for (const [event, kinds] of MISSING) {
      const { rows } = await sql<{
        id: string
      }>`select id from messages m where workspace_id = ${workspaceId} and campaign_id = ${id} and state = 'sent'
        and not exists (select from events e where e.workspace_id = m.workspace_id and e.message_id = m.id and kind = any(${kinds}::text[]) and class = 'human')
        order by contact_id`.execute(db)
      expect(await listed({ event, by: 'human' }, 'added'), event).toEqual(rows.map((row) => row.id))
    }
  }
  await addEvents(0)
  await rollWorkspace(db, workspaceId)
  await check()
  await sql`update messages set state = 'bounced' where ${ofCampaign} and id in (select max(message_id) from events where ${ofCampaign} and kind = 'open' and class = 'human')`.execute(
    db,
  )
  await addEvents(1)
  await sql`update events set class = 'machine' where ${ofCampaign} and kind = 'open' and message_id in (select min(message_id) from events where ${ofCampaign})`.execute(
    db,
  )
  await check()
  await rollWorkspace(db, workspaceId)
  await check()
  // A cursor is text that anybody can write.
  for (const key of ['x', '99999999999999999999']) {
    const cursor = z.encode(RecipientCursor, { sort: 'activity', key, place: '1' })
    const refused = person.api(campaigns.messages, {
      params: { id },
      query: { event: 'opened', sort: 'activity', cursor },
    })
    await expect(refused).rejects.toMatchObject({ status: 400 })
  }
})
