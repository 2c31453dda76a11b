import fc from 'fast-check'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { events } from '#contracts/contacts/events.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import type { JourneyTrigger } from '#contracts/journeys/definition.ts'
import { journeys } from '#contracts/journeys/journeys.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { isSpread } from '#server/testing/database.ts'
import { activeJourney, manual } from '#server/testing/journey.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { enterContacts } from '../people.ts'
import { FAILED } from '../runner.ts'
import { holdJourney, listDue } from '../store.ts'
import { type Candidate, findOccurrences, listDueLooks, nextOccurrences, readTimes } from './triggers-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

test('journey triggers: contacts who join, are tagged, do something or get into a segment enter once', async () => {
  const person = await t.person()
  const { api } = person
  const list = await api(lists.create, { body: { name: 'News' } })
  const tag = await api(tags.create, { body: { name: 'VIP' } })
  const filter = { op: 'and' as const, items: [{ field: 'attributes.plan', is: 'equal', value: 'gold' }] }
  const segment = await api(segments.create, { body: { name: 'Gold', filter } })
  const all = { lists: [list.id], tags: [tag.id], attributes: { plan: 'gold' } }
  // Of what was before the activation, the segment alone counts.
  const early = await api(contacts.create, { body: { email: 'early@trigger.example', ...all } })
  await api(events.record, { body: { name: 'Bought', contactId: early.id } })
  const start = async (trigger: JourneyTrigger, entryFilter: typeof filter | null = null) =>
    (
      await activeJourney(person, {
        ...{
          trigger,
          entryFilter,
          goal: null,
          steps: entryFilter
            ? [{ id: 'leave', kind: 'exit' }]
            : [{ id: 'stay', kind: 'wait', amount: 1, unit: 'days' }],
        },
      })
    ).id
  const ids = [
    await start({ kind: 'joined_list', listId: list.id }),
    await start({ kind: 'tagged', tagId: tag.id }),
    await start(
      { kind: 'event', name: 'Bought' },
      { op: 'and', items: [{ field: 'name', is: 'equal', value: 'Ann' }] },
    ),
    await start({ kind: 'segment', segmentId: segment.id }),
  ]
  const [, ann = ''] = [
    early.id,
    (await api(contacts.create, { body: { email: 'ann@trigger.example', name: 'Ann' } })).id,
  ]
  await api(contacts.update, { params: { id: ann }, body: { lists: [list.id], tags: [tag.id] } })
  await api(contacts.update, { params: { id: early.id }, body: { name: 'Early' } })
  const ben = await api(contacts.create, { body: { email: 'ben@trigger.example', name: 'Ben' } })
  for (const contactId of [ben.id, ann, ann]) await api(events.record, { body: { name: 'Bought', contactId } })
  // What happened before, and is told now.
  const at = new Date(Date.now() - 86_400_000).toISOString()
  await api(events.record, { body: { name: 'Bought', contactId: early.id, at } })
  const entered = () =>
    Promise.all(
      ids.map(async (id) =>
        (await api(journeys.people, { params: { id }, query: {} })).items.map(({ email }) => email),
      ),
    )
  const expected = [['ann'], ['ann'], ['ann'], ['early']].map((some) => some.map((name) => `${name}@trigger.example`))
  await untilPasses(async () => expect(await entered()).toEqual(expected))
  await untilPasses(async () => {
    const { items } = await api(contactTimeline.show, { params: { id: ann }, query: {} })
    const found = items.flatMap(({ kind, state, detail }) =>
      kind.startsWith('journey') ? [`${kind} ${state} ${detail}`] : [],
    )
    expect(found.toSorted()).toEqual([...Array(3).fill('journey_entered  Journey'), 'journey_left exited Journey'])
  })
  // A segment is looked up every hour.
  await api(contacts.update, { params: { id: ben.id }, body: { attributes: { plan: 'gold' } } })
  await t.services.db
    .updateTable('journeys')
    .set({ lookedUntil: sql<Date>`now() - interval '61 minutes'`, activatedAt: sql<Date>`now() - interval '2 hours'` })
    .where('id', '=', ids[3] ?? '')
    .execute()
  await untilPasses(async () => expect((await entered())[3]).toEqual(['ben@trigger.example', 'early@trigger.example']))
  // Paused, nobody enters.
  await api(journeys.pause, { params: { id: ids[1] ?? '' } })
  await api(contacts.update, { params: { id: ben.id }, body: { tags: [tag.id], lists: [list.id] } })
  await untilPasses(async () => expect((await entered())[0]).toEqual(['ben@trigger.example', 'ann@trigger.example']))
  expect((await entered())[1]).toEqual(['ann@trigger.example'])
})

type Op = { does: 'begin' | 'end'; slot: number } | { does: 'look' }
const slot = fc.nat(2)
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ does: fc.constantFrom('begin' as const, 'end' as const), slot }),
  fc.record({ does: fc.constant('look' as const) }),
)

test('journey triggers: whenever transactions are committed, each look finds the new ones and none is missed', async () => {
  const { workspaceId } = await t.person()
  const { db, pool } = t.services
  const [listId, tagId] = ['777001', '777002']
  const triggers: JourneyTrigger[] = [
    { kind: 'joined_list', listId },
    { kind: 'tagged', tagId },
    { kind: 'event', name: 'Bought' },
  ]
  const clients: PoolClient[] = []
  for (let n = 0; n < 3; n++) clients.push(await pool.connect())
  let contactId = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { maxLength: 12 }), async (ops) => {
        const begun = (await readTimes(db, '0 seconds')).now
        const open: (string | undefined)[] = []
        const [committed, found] = [new Set<string>(), triggers.map(() => new Set<string>())]
        let since = begun
        const look = async () => {
          const { settled } = await readTimes(db, '0 seconds')
          for (const [index, trigger] of triggers.entries()) {
            const occurrences = findOccurrences(workspaceId, trigger, { since, activated: begun })
            let after: Candidate | undefined
            while (occurrences) {
              const page = await nextOccurrences(db, { workspaceId, id: '0' }, occurrences, after, 2)
              for (const one of page) found[index]?.add(one.contactId)
              after = page.at(-1)
              if (!after) break
            }
          }
          since = settled
        }
        const end = async (slot: number) => {
          const id = open[slot]
          open[slot] = undefined
          await clients[slot]?.query('commit')
          if (id) committed.add(id)
        }
        for (const one of ops) {
          if (one.does === 'look') await look()
          else if (one.does === 'end') await end(one.slot)
          else if (open[one.slot] === undefined) {
            const id = String(++contactId)
            open[one.slot] = id
            await clients[one.slot]?.query(`begin; insert into list_members (workspace_id, list_id, contact_id, status)
              values (${workspaceId}, ${listId}, ${id}, 'confirmed');
              insert into contact_tags (workspace_id, tag_id, contact_id) values (${workspaceId}, ${tagId}, ${id});
              insert into contact_events (workspace_id, contact_id, name, at) values (${workspaceId}, ${id}, 'Bought', now())`)
          }
        }
        for (const slot of open.keys()) await end(slot)
        await look()
        for (const ids of found) expect([...ids].toSorted()).toEqual([...committed].toSorted())
      }),
      { numRuns: 20 },
    )
  } finally {
    for (const client of clients) client.release()
  }
})

test('journeys: of those that are due each workspace has one before another has its second', async () => {
  const [many, one] = [await t.person(), await t.person()]
  const transaction = await t.services.db.startTransaction().execute()
  try {
    await sql`insert into journeys (workspace_id, name, state, definition, next_due, looked_until, activated_at)
      select workspace, 'J', 'active', '{"trigger":{"kind":"segment","segmentId":"1"},"steps":[]}', at, at, at
      from unnest(${[many, many, many, one].map(({ workspaceId }) => workspaceId)}::bigint[],
        ${[1, 2, 3, 4].map((day) => `2000-01-0${day}`)}::timestamptz[]) given (workspace, at)`.execute(transaction)
    const workspaces = [many.workspaceId, one.workspaceId]
    expect((await listDue(transaction, 2)).map(({ workspaceId }) => workspaceId)).toEqual(workspaces)
    const looks = await listDueLooks(transaction, 1, 2)
    expect(looks.map(({ workspaceId }) => workspaceId)).toEqual(workspaces)
    const failed = looks.map(({ id }) => id)
    expect((await listDueLooks(transaction, 1, 1, failed))[0]).toMatchObject({ workspaceId: many.workspaceId })
  } finally {
    await transaction.rollback().execute()
  }
})

/** A transaction, whether another one waits for it, and whether it waits for another one. */
async function beginHolding() {
  const db = await t.services.db.startTransaction().execute()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const pid = rows[0]?.pid ?? 0
  const isWaitedFor = async () => {
    // On a cluster the row is locked on its node.
    const waiting = isSpread
      ? sql`select from citus_lock_waits w join citus_stat_activity a on a.global_pid = w.waiting_gpid
          where a.datname = current_database()`
      : sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`
    return (await waiting.execute(t.services.db)).rows.length > 0
  }
  const isWaiting = async () => {
    const { rows } = await sql`select where pg_blocking_pids(${pid}) <> '{}'`.execute(t.services.db)
    return rows.length > 0
  }
  return { db, isWaitedFor, isWaiting }
}

test('journey triggers: who gets due during a long look joins in and does not wait for its end', async () => {
  const [many, one] = [await t.person(), await t.person()]
  const start = async (person: Person, journeysOfList: number) => {
    const { api } = person
    const list = await api(lists.create, { body: { name: 'News' } })
    const definition = manual([{ id: 'leave', kind: 'exit' }], { trigger: { kind: 'joined_list', listId: list.id } })
    const ids: string[] = []
    while (ids.length < journeysOfList) ids.push((await activeJourney(person, definition)).id)
    const join = () => api(contacts.create, { body: { email: 'ann@join.example', lists: [list.id] } })
    const entered = async (id = '') => (await api(journeys.people, { params: { id }, query: {} })).items.length
    return { ids, join, entered }
  }
  const [long, late] = [await start(many, 3), await start(one, 1)]
  const [first, last] = [await beginHolding(), await beginHolding()]
  try {
    await holdJourney(first.db, many.workspaceId, long.ids[0] ?? '')
    await holdJourney(last.db, many.workspaceId, long.ids[2] ?? '')
    await long.join()
    await until(first.isWaitedFor, 'the look at the first journey')
    await late.join()
    await first.db.commit().execute()
    await untilPasses(async () => expect(await late.entered(late.ids[0])).toBe(1))
    await until(last.isWaitedFor, 'the look at the last journey')
    const { stateText } = await many.api(journeys.get, { params: { id: long.ids[2] ?? '' } })
    expect([await long.entered(long.ids[0]), await long.entered(long.ids[1]), stateText]).toEqual([1, 1, ''])
  } finally {
    if (!first.db.isCommitted) await first.db.rollback().execute()
    await last.db.rollback().execute()
  }
  await untilPasses(async () => expect(await long.entered(long.ids[2])).toBe(1))
})

/** Has the batches of a journey fail that find nobody left, once the transaction `db` lets them. Returns how to end that. */
async function failBatches(db: Db, journeyId: string) {
  await sql`select pg_advisory_xact_lock(777, ${journeyId}::int)`.execute(db)
  const name = sql.raw(`fail_batches_${journeyId}`)
  await sql`
    create function ${name}() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(777, new.id::int); raise 'a batch that fails'; end $$;
    create trigger ${name} before update on journeys for each row
      when (new.id = ${sql.raw(journeyId)} and new.next_due is null and new.state_text = '') execute function ${name}()`.execute(
    t.services.db,
  )
  return () => sql`drop trigger ${name} on journeys; drop function ${name}()`.execute(t.services.db)
}

// On a cluster a trigger like that is one of its nodes.
test.skipIf(isSpread)('journeys: a contact who enters while a failed batch is noted goes on', async () => {
  const person = await t.person()
  const { api, workspaceId } = person
  const { id } = await activeJourney(person, manual([{ id: 'leave', kind: 'exit' }]))
  const ann = await api(contacts.create, { body: { email: 'ann@enter.example' } })
  const { db } = t.services
  const [failing, entering] = [await beginHolding(), await beginHolding()]
  const endFailing = await failBatches(failing.db, id)
  const setDue = () =>
    sql`update journeys set next_due = now() where id = ${id} and (next_due is not null or entered = 0)`.execute(db)
  const of = { params: { id } }
  const isNoted = async () => (await api(journeys.get, of)).stateText === FAILED
  try {
    await setDue()
    const free = sql`select from journeys where id = ${id} for no key update skip locked`
    await until(async () => (await free.execute(db)).rows.length === 0, 'a batch that holds the journey')
    const held = holdJourney(entering.db, workspaceId, id)
    await until(entering.isWaiting, 'the contact who waits for the batch')
    await failing.db.commit().execute()
    await held
    await enterContacts(entering.db, { workspaceId, id }, [ann.id])
    // It waits for the contact who entered, unless it came before: of a row that was let go the first to ask has it.
    await until(async () => (await entering.isWaitedFor()) || (await isNoted()), 'the failure that is noted')
    await entering.db.commit().execute()
    await until(isNoted, 'the noted failure')
  } finally {
    for (const one of [failing, entering])
      if (!one.db.isCommitted && !one.db.isRolledBack) await one.db.rollback().execute()
    await endFailing()
  }
  await setDue()
  await untilPasses(async () => expect(await api(journeys.get, of)).toMatchObject({ ended: 1, stateText: '' }))
})
