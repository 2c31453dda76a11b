import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sharedApp } from '#server/testing/app.ts'
import { sentCampaign } from '../testing.ts'
import { readFigures } from './counts-store.ts'
import { rollWorkspace } from './roller.ts'
import { lockRollups, rollBatch } from './rollups-store.ts'

async function prepare() {
  const t = await sharedApp()
  const person = await t.person()
  const { db } = t.services
  const { workspaceId } = person
  const { id, messages } = await sentCampaign(t.services, person, { people: 2 })
  const ids = messages.map((message) => message.id)
  const event = { workspaceId, campaignId: id, class: 'human' }
  return {
    db,
    workspaceId,
    ids,
    add: (db: Db, kind: 'open' | 'click', { messageId = ids[0] ?? '', at = new Date() } = {}) =>
      db
        .insertInto('events')
        .values({ ...event, messageId, kind, link: kind === 'click' ? 0 : null, at })
        .execute(),
    /** Who clicked the link, the last one first. */
    async clicked() {
      const query = { link: 0, sort: 'activity' } as const
      const page = await person.api(campaigns.messages, { params: { id }, query })
      return page.items.map((item) => item.id)
    },
    async read(from: Db = db) {
      const figures = await readFigures(from, workspaceId, [id], ['kinds'])
      return Object.fromEntries(figures.map(({ dimension, total, messages }) => [dimension, [total, messages]]))
    },
    isNamed: async (from: Db) =>
      (await from.selectFrom('eventChanges').where('campaignId', '=', id).select('eventIds').execute()).map(
        (row) => row.eventIds !== null,
      ),
    /** Does the work while nobody else counts this workspace: the roller of the app runs beside the test. */
    alone: (work: (db: Db) => Promise<void>) =>
      db.transaction().execute(async (db) => {
        await lockRollups(db, workspaceId, true)
        await work(db)
      }),
  }
}

test('figures: an open that was stored before a counted one, and seen later, is counted once', async () => {
  const { db, workspaceId, add, read } = await prepare()
  await db.transaction().execute(async (early) => {
    await add(early, 'open')
    await add(db, 'open')
    await rollWorkspace(db, workspaceId)
    expect(await read()).toEqual({ open: [1, 1], engaged: [0, 1] })
  })
  const both = { open: [2, 1], engaged: [0, 1] }
  expect(await read()).toEqual(both)
  await rollWorkspace(db, workspaceId)
  expect(await read()).toEqual(both)
})

test('figures: the click of somebody who opened is added to what is stored, and is no further recipient', async () => {
  const { db, workspaceId, add, read, isNamed, alone } = await prepare()
  await add(db, 'open')
  await rollWorkspace(db, workspaceId)
  await alone(async (held) => {
    await add(db, 'click')
    await add(db, 'open')
    expect(await isNamed(held)).toEqual([true, true])
    expect(await read(held)).toEqual({ open: [2, 1], click: [1, 1], engaged: [0, 1] })
  })
})

test('figures: an event that was counted before its mark was worked off is counted once', async () => {
  const { db, workspaceId, add, read, isNamed, alone } = await prepare()
  await alone(async (held) => {
    // One more than the marks of a batch.
    for (let n = 0; n <= 250; n++) await add(db, 'open')
    await rollBatch(held, workspaceId)
    expect(await isNamed(held)).toEqual([true])
    expect(await read(held)).toEqual({ open: [251, 1], engaged: [0, 1] })
  })
})

test('lists: who clicks a link again comes first, and an older click that is added changes nothing', async () => {
  const { db, workspaceId, ids, add, clicked, alone } = await prepare()
  const [one = '', two = ''] = ids
  await add(db, 'click', { messageId: two, at: new Date('2026-01-05T08:00:00Z') })
  await add(db, 'click', { messageId: one, at: new Date('2026-01-05T09:00:00Z') })
  await rollWorkspace(db, workspaceId)
  for (const [at, order] of [
    ['2026-01-05T07:00:00Z', [one, two]],
    ['2026-01-05T10:00:00Z', [two, one]],
    ['2026-01-05T06:00:00Z', [two, one]],
  ] as const) {
    await alone(async (held) => {
      await add(db, 'click', { messageId: two, at: new Date(at) })
      await rollBatch(held, workspaceId)
    })
    expect(await clicked()).toEqual(order)
  }
})
