import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { senders } from '#contracts/senders/senders.ts'
import type { Db } from '#server/platform/db/database.ts'
import { testApp } from '#server/testing/app.ts'
import { draftTo, listWith, untilState } from '#server/testing/campaign.ts'
import { until } from '#server/testing/until.ts'
import { holdRestored } from './backup.ts'

const COUNT = 40
/** Some queued messages become those of a claim, as a sending thread makes them. */
async function claim(db: Db, campaignId: string, claimId: string, count: number): Promise<string[]> {
  const some = db.selectFrom('messages').where('campaignId', '=', campaignId).where('state', '=', 'queued')
  const rows = await db
    .updateTable('messages')
    .set({ state: 'claimed', claimId, dueAt: null })
    .where('id', 'in', some.select('id').orderBy('id').limit(count))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

const AT = new Date('2026-05-01T10:00:00Z')

test('restore: what was being sent is unconfirmed, running campaigns pause, and nobody is sent to twice on resuming', async () => {
  await using t = await testApp()
  const { db } = t.services
  const ada = await t.person()
  const listId = await listWith(t.services, ada, COUNT)
  const [sender] = (await ada.api(senders.list, { query: {} })).items
  const limitTo = (perSecond: number) =>
    ada.api(senders.update, { params: { id: sender?.id ?? '' }, body: { limits: { perSecond } } })
  await limitTo(5)
  const { id } = await draftTo(ada, listId)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  await t.sink.waitForCount(5)
  await ada.api(campaigns.pause, { params: { id } })
  const isStill = async () => {
    const claims = await db.selectFrom('claims').select('id').execute()
    const { counts } = await ada.api(campaigns.get, { params: { id } })
    return claims.length === 0 && counts.sent === t.sink.received.length && counts.queued
  }
  const queued = await until(isStill, 'the end of what was being sent')
  // As a backup finds it that is made amid the sending: of one claim the journal names one message, of the other it is gone.
  const rest = (until: Date | null) => db.updateTable('senders').set({ restUntil: until }).execute()
  await rest(new Date(Date.now() + 86_400_000))
  await db.updateTable('campaigns').set({ state: 'sending' }).where('id', '=', id).execute()
  const claimed = await claim(db, id, '101', 4)
  await claim(db, id, '102', 2)
  const note = { claims: { 101: claimed.slice(0, 1) } }
  const later = await draftTo(ada, listId, { name: 'Later' })
  await ada.api(campaigns.send, {
    params: { id: later.id },
    body: { at: new Date(Date.now() + 86_400_000).toISOString() },
  })
  const held = await holdRestored(db, AT, note)
  expect(held).toEqual({ paused: 1, unscheduled: 0, unconfirmed: 3 })
  const restored = await ada.api(campaigns.get, { params: { id } })
  expect(restored).toMatchObject({ state: 'paused', counts: { unconfirmed: 3, queued: queued - 3 } })
  expect(restored.stateText).toContain('restored from a backup of 1 May 2026, 10:00 UTC')
  // Its time has not come: it stays scheduled. Once it has passed, it is a draft.
  expect(await ada.api(campaigns.get, { params: { id: later.id } })).toMatchObject({ state: 'scheduled' })
  await rest(null)
  await limitTo(100)
  await ada.api(campaigns.resume, { params: { id } })
  const { counts } = await untilState(ada, id, ['sent'])
  expect(counts).toMatchObject({ sent: COUNT - 3, unconfirmed: 3 })
  const reached = t.sink.received.map(({ to }) => to[0])
  expect(new Set(reached).size).toBe(reached.length)
})
