import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { RecipientCursor, type RecipientQuery } from '#contracts/campaigns/report/messages.ts'
import { sharedApp } from '#server/testing/app.ts'
import { CHROME, GMAIL, sentCampaign } from '../testing.ts'
import { checkRollups } from './check.ts'
import { rollWorkspace } from './roller.ts'

const PEOPLE = 12

interface Listed {
  query: Partial<z.input<typeof RecipientQuery>>
  /** The events `e` whose last time is compared. */
  did: RawBuilder<unknown>
  isDone?: boolean
  /** What else must hold of the message `m`. */
  and?: RawBuilder<unknown>
}
const by = (kind: string, reader = 'human') => sql`kind = ${kind} and class = ${reader}`
const anything = sql`kind in ('open', 'click', 'unsubscribe') and class = 'human'`
/** With one of these events in Chrome. */
const inChrome = sql`d.in_chrome`
const isSent = sql`m.state = 'sent'`
const LISTS: Listed[] = [
  { query: { event: 'opened' }, did: by('open'), isDone: true },
  { query: { event: 'clicked' }, did: by('click'), isDone: true },
  { query: { event: 'unsubscribed' }, did: by('unsubscribe'), isDone: true },
  { query: { event: 'opened', machine: 'true' }, did: by('open', 'machine'), isDone: true },
  { query: { event: 'clicked', machine: 'true' }, did: by('click', 'machine'), isDone: true },
  // Links 1 and 2 lead to the same page.
  { query: { link: 0 }, did: sql`${by('click')} and link = 0`, isDone: true },
  { query: { link: 2 }, did: sql`${by('click')} and link in (1, 2)`, isDone: true },
  { query: { link: 2, machine: 'true' }, did: sql`${by('click', 'machine')} and link in (1, 2)`, isDone: true },
  { query: { client: 'Web mail in Chrome' }, did: by('open'), isDone: true, and: inChrome },
  { query: { event: 'not_opened' }, did: by('open'), isDone: false, and: isSent },
  { query: { event: 'no_response' }, did: anything, isDone: false, and: isSent },
  { query: {}, did: anything },
  { query: { state: 'sent' }, did: anything, and: isSent },
  { query: { state: 'bounced' }, did: anything, and: sql`m.state = 'bounced'` },
  { query: { event: 'bounced' }, did: anything, and: sql`(m.state = 'bounced' or m.reason = 'hard')` },
  { query: { event: 'bounced', state: 'failed' }, did: anything, and: sql`m.reason = 'hard'` },
  { query: { event: 'opened', state: 'failed' }, did: by('open'), isDone: true, and: sql`m.state = 'failed'` },
  { query: { event: 'not_opened', state: 'failed' }, did: by('open'), isDone: false, and: sql`false` },
  {
    query: { link: 2, state: 'failed' },
    did: sql`${by('click')} and link in (1, 2)`,
    isDone: true,
    and: sql`m.state = 'failed'`,
  },
  { query: { event: 'opened', state: 'bounced' }, did: by('open'), isDone: true, and: sql`m.state = 'bounced'` },
  { query: { link: 2, state: 'sent' }, did: sql`${by('click')} and link in (1, 2)`, isDone: true, and: isSent },
]

test('recipients: every filter and order lists whom the events name, counted or not yet', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const { db } = t.services
  const { workspaceId } = person
  const { id } = await sentCampaign(t.services, person, { people: PEOPLE })
  const ofCampaign = sql`workspace_id = ${workspaceId} and campaign_id = ${id}`
  await sql`update campaign_links set url = 'https://example.com/same' where ${ofCampaign} and link in (1, 2)`.execute(
    db,
  )
  // Most messages have an event, of a kind that goes by its place; some of them at the same time.
  const addEvents = (offset: number) =>
    sql`insert into events (workspace_id, campaign_id, message_id, kind, class, link, user_agent, at)
      select workspace_id, campaign_id, id, kind, (array['human', 'human', 'machine'])[1 + (place * 7 + ${offset}::int) % 3],
        case kind when 'click' then place % 3 end, case when place % 2 = 0 then ${CHROME} else ${GMAIL} end,
        now() - (place * 11 + ${offset}::int) % 4 * interval '1 hour'
      from (
        select *, (array['open', 'click', 'unsubscribe', 'open', 'click'])[1 + (place * 5 + place / 5 + ${offset}::int) % 5] as kind
        from (select *, row_number() over (order by id)::int as place from messages where ${ofCampaign}) m
      ) m where (place + ${offset}::int) % 4 <> 0`.execute(db)
  const listed = async (given: Listed['query']) => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const query = { ...given, limit: 5, ...(cursor && { cursor }) }
      const page = await person.api(campaigns.messages, { params: { id }, query })
      found.push(...page.items.map((item) => item.id))
      cursor = page.nextCursor ?? undefined
      if (cursor) expect(page.total).toBeGreaterThan(found.length)
      else expect(page.total).toBe(found.length)
    } while (cursor)
    return found
  }
  const check = async (lists = LISTS) => {
    for (const { query, did, isDone, and = sql`true` } of lists)
      for (const sort of ['added', 'activity'] as const) {
        const when = isDone === undefined ? sql`true` : isDone ? sql`d.at is not null` : sql`d.at is null`
        const order = sort === 'activity' ? sql`d.at desc nulls last, contact_id` : sql`contact_id`
        const { rows } = await sql<{ id: string }>`
          select m.id from messages m cross join lateral (
            select max(at) as at, bool_or(user_agent = ${CHROME}) as in_chrome from events e
            where e.workspace_id = ${workspaceId} and e.message_id = m.id and ${did}) d
          where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and ${when} and ${and} order by ${order}`.execute(
          db,
        )
        const found = await listed({ ...query, sort })
        expect(found, JSON.stringify({ ...query, sort })).toEqual(rows.map((row) => row.id))
      }
  }

  await addEvents(0)
  await rollWorkspace(db, workspaceId)
  await sql`update messages set state = 'bounced' where ${ofCampaign} and id in (select max(message_id) from events where ${ofCampaign} and kind = 'open' and class = 'human')`.execute(
    db,
  )
  await sql`update messages set state = 'failed', reason = case when id % 2 = 0 then 'hard' else 'other' end where ${ofCampaign} and state = 'sent' and id % 3 = 0`.execute(
    db,
  )
  await addEvents(1)
  await sql`update events set class = 'machine' where ${ofCampaign} and kind = 'open' and message_id in (select min(message_id) from events where ${ofCampaign})`.execute(
    db,
  )
  await check()
  await rollWorkspace(db, workspaceId)
  await check()
  // More of them at one moment than a page has.
  await sql`insert into events (workspace_id, campaign_id, message_id, kind, class)
    select workspace_id, campaign_id, id, 'open', 'human' from messages where ${ofCampaign}`.execute(db)
  await check(LISTS.filter(({ query: { event, machine, state } }) => event === 'opened' && !machine && !state))
  // What a check finds missing, or too much, is corrected.
  const ofLink = await listed({ link: 2 })
  const { numAffectedRows: deleted = 0n } =
    await sql`delete from message_links where ${ofCampaign} and link = 1`.execute(db)
  await sql`insert into message_links (workspace_id, campaign_id, link, by_machine, message_id, clicked_at)
    select workspace_id, campaign_id, 4, false, id, now() from messages where ${ofCampaign} and id = any(${ofLink}::bigint[])`.execute(
    db,
  )
  const { wrongLinks } = await checkRollups(db)
  expect([ofLink.length > 0, wrongLinks]).toEqual([true, Number(deleted) + ofLink.length])
  expect([await listed({ link: 2 }), await listed({ link: 4 })]).toEqual([ofLink, []])
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
