import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { isSpread } from '#server/platform/db/spread.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { clearEvents, deleteMessageEvents } from '../events-store.ts'
import { mergeEvents } from '../retention/retention-store.ts'
import { sentCampaign } from '../testing.ts'
import { checkRollups } from './check.ts'
import { rollWorkspace } from './roller.ts'
import { lockRollups, rollBatch } from './rollups-store.ts'
import { countRaw, readReported } from './testing.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await sharedApp()
  person = await t.person()
})

/** A sent campaign of five people and five links, of which two lead to the same page. */
async function addCampaign() {
  const campaign = await sentCampaign(t.services, person, { people: 5 })
  await sql`update campaign_links set url = 'https://example.com/one'
    where workspace_id = ${person.workspaceId} and campaign_id = ${campaign.id} and link = 3`.execute(t.services.db)
  return campaign
}

/** Both at one moment. */
const compare = (campaignId: string) =>
  t.services.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      const reported = await readReported(db, person.workspaceId, campaignId)
      expect(reported).toEqual(await countRaw(db, person.workspaceId, campaignId))
      return reported
    })

const BEGAN = Date.UTC(2026, 0, 5, 8)
const event = fc.record({
  kind: fc.constantFrom('open', 'open', 'click', 'click', 'unsubscribe', 'complaint', 'view'),
  class: fc.constantFrom('human', 'human', 'machine'),
  link: fc.integer({ min: 0, max: 4 }),
  message: fc.nat(4),
  minute: fc.integer({ min: 0, max: 180 }),
  times: fc.integer({ min: 1, max: 3 }),
  agent: fc.constantFrom('', 'A', 'B'),
})
const messages = fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 })
const state = fc.constantFrom('queued', 'claimed', 'sent', 'deferred', 'failed', 'bounced', 'unconfirmed', 'suppressed')
const reason = fc.constantFrom('', 'block', 'hard', 'soft', 'other')
const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(event, { minLength: 1, maxLength: 8 }).map((events) => ({ what: 'add' as const, events })),
  },
  { weight: 2, arbitrary: messages.map((places) => ({ what: 'judge' as const, places })) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('settle' as const), places: messages, state, reason }) },
  ...(['count', 'merge', 'clear', 'delete'] as const).map((what) => ({
    weight: 1,
    arbitrary: messages.map((places) => ({ what, places })),
  })),
  { weight: 3, arbitrary: fc.constant({ what: 'roll' as const }) },
)

async function apply(
  campaign: { id: string; messages: { id: string }[] },
  given: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
): Promise<unknown> {
  const { db } = t.services
  const { workspaceId } = person
  if (given.what === 'roll') return rollWorkspace(db, workspaceId)
  if (given.what === 'add')
    return db
      .insertInto('events')
      .values(
        given.events.map(({ message, minute, agent, link, ...rest }) => ({
          ...rest,
          ...{
            workspaceId,
            campaignId: campaign.id,
            messageId: campaign.messages[message]?.id ?? '',
            userAgent: agent,
          },
          ...{ link: rest.kind === 'click' ? link : null, at: new Date(BEGAN + minute * 60_000) },
        })),
      )
      .execute()
  const ids = given.places.map((place) => campaign.messages[place]?.id ?? '')
  const these = sql`workspace_id = ${workspaceId} and id in (
    select id from events where workspace_id = ${workspaceId} and message_id = any(${ids}::bigint[]) and kind in ('open', 'click') order by id for update)`
  switch (given.what) {
    case 'judge':
      return sql`update events set class = case class when 'human' then 'machine' else 'human' end where ${these}`.execute(
        db,
      )
    case 'count':
      return sql`update events set times = times + 1 where ${these}`.execute(db)
    case 'settle':
      return db
        .updateTable('messages')
        .set({ state: given.state, reason: given.reason })
        .where('workspaceId', '=', workspaceId)
        .where('id', 'in', ids)
        .execute()
    case 'merge':
      return mergeEvents(db, workspaceId, ids, '2026-02-01T00:00:00Z')
    case 'clear':
      return db.transaction().execute(async (db) => {
        await sql`update messages set address = 'erased-' || id where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`.execute(
          db,
        )
        await clearEvents(db, workspaceId, ids)
      })
    case 'delete':
      return deleteMessageEvents(db, workspaceId, ids)
  }
}

test('rollups: whatever happens to events, the figures of a report are a plain count of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
      const campaign = await addCampaign()
      for (const one of changes) {
        await apply(campaign, one)
        await compare(campaign.id)
      }
    }),
    { numRuns: 8 },
  )
})

test('rollups: two processes that count and many that write leave exact figures, at every moment', async () => {
  const campaign = await addCampaign()
  const changes = fc.sample(change, { numRuns: 60, seed: 7 }).filter(({ what }) => what !== 'merge')
  let isOver = false
  const until = async (run: () => Promise<unknown>) => {
    while (!isOver) await run()
  }
  const write = async (lane: number) => {
    for (const [n, one] of changes.entries()) if (n % 3 === lane) await apply(campaign, one)
  }
  const writes = Promise.all([0, 1, 2].map(write)).finally(() => {
    isOver = true
  })
  const roll = () => rollWorkspace(t.services.db, person.workspaceId)
  await Promise.all([writes, until(roll), until(roll), until(() => compare(campaign.id))])
  await compare(campaign.id)
})

test('rollups: a process that is killed while it counts counts nothing twice, and the figures of a deleted campaign go', async () => {
  const { db } = t.services
  const { workspaceId } = person
  const campaign = await addCampaign()
  let before: Awaited<ReturnType<typeof compare>> = {}
  // The roller of the app counts beside the test, so the events come while the lock is held.
  const killed = db.transaction().execute(async (db) => {
    await lockRollups(db, workspaceId, true)
    await apply(campaign, { what: 'add', events: fc.sample(event, { numRuns: 20, seed: 3 }) })
    before = await compare(campaign.id)
    expect((await rollBatch(db, workspaceId)).messages).toBeGreaterThan(0)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
  })
  await expect(killed).rejects.toThrow(/terminat/)
  expect(await compare(campaign.id)).toEqual(before)
  await rollWorkspace(db, workspaceId)
  const counted = await db
    .selectFrom('messageRollups')
    .where('campaignId', '=', campaign.id)
    .select('messageId')
    .execute()
  expect(counted.length).toBeGreaterThan(0)
  expect(await compare(campaign.id)).toEqual(before)
  const { opens } = await person.api(campaigns.stats, { params: { id: campaign.id } })
  expect([opens.human, opens.unique]).toEqual(before.open)

  await db.deleteFrom('messages').where('workspaceId', '=', workspaceId).where('campaignId', '=', campaign.id).execute()
  await deleteMessageEvents(
    db,
    workspaceId,
    campaign.messages.map(({ id }) => id),
  )
  await rollWorkspace(db, workspaceId)
  const left = await sql`select 1 from event_counts where campaign_id = ${campaign.id}
    union all select 1 from message_rollups where campaign_id = ${campaign.id}`.execute(db)
  expect(left.rows).toHaveLength(0)
})

test('rollups: a check finds figures that differ from their events, and corrects them', async () => {
  const { db } = t.services
  const campaign = await addCampaign()
  await apply(campaign, { what: 'add', events: fc.sample(event, { numRuns: 20, seed: 5 }) })
  await rollWorkspace(db, person.workspaceId)
  const right = await compare(campaign.id)
  const these = sql`workspace_id = ${person.workspaceId} and campaign_id = ${campaign.id}`
  expect(await checkRollups(db)).toMatchObject({ wrongMessages: 0, wrongFigures: [] })

  // A message that was not counted, figures that were counted twice, and one that is gone.
  await db.transaction().execute(async (db) => {
    if (isSpread()) await sql`set local citus.propagate_set_commands = 'local'`.execute(db)
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`update events set times = times + 1 where ${these} and message_id = ${campaign.messages[0]?.id ?? ''}`.execute(
      db,
    )
  })
  await sql`update event_counts set messages = messages + 2 where ${these} and dimension = 'domain-sent'`.execute(db)
  const { wrongMessages, wrongFigures } = await checkRollups(db)
  expect(wrongMessages).toBe(1)
  expect(wrongFigures).toEqual([{ campaignId: campaign.id, dimension: 'domain-sent', total: 0, messages: -2 }])
  expect(await compare(campaign.id)).not.toEqual(right)

  await sql`delete from event_counts where ${these} and dimension = 'agent'`.execute(db)
  expect((await checkRollups(db)).wrongFigures.length).toBeGreaterThan(0)
  await compare(campaign.id)
  await rollWorkspace(db, person.workspaceId)
  await compare(campaign.id)
  expect(await checkRollups(db)).toMatchObject({ wrongMessages: 0, wrongFigures: [] })
})
