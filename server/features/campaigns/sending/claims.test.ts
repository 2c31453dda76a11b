import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { isSpread } from '#server/testing/database.ts'
import { emailReach } from '../channels/email/slice.ts'
import { claimMessages, deleteClaim } from './claims.ts'

const PEOPLE = 1_000

/** A campaign with messages that are due. It is paused, so that nobody else claims these. */
async function queueMessages() {
  const t = await sharedApp()
  const person = await t.person()
  const { db } = t.services
  const { id } = await draftTo(person, await listWith(t.services, person, PEOPLE))
  const { workspaceId } = person
  await sql`update campaigns set state = 'paused', audience_at = now(), plan = '{}' where id = ${id}`.execute(db)
  await sql`insert into messages (workspace_id, campaign_id, contact_id, address)
    select workspace_id, ${id}, id, email from contacts where workspace_id = ${workspaceId} order by id`.execute(db)
  return { db, id, workspaceId }
}

test('claims: messages that others change meanwhile are claimed once each, and no claim names another one', async () => {
  const { db, id, workspaceId } = await queueMessages()
  const countDue = async () => {
    const { rows } = await sql<{ due: number }>`
      select count(*)::int as due from messages where campaign_id = ${id} and due_at is not null`.execute(db)
    return rows[0]?.due ?? 0
  }

  const claimed: string[] = []
  const named: string[] = []
  const claimAll = async () => {
    const campaign = { id, workspaceId, tellsOrigins: false }
    while ((await countDue()) > 0) {
      const claim = await claimMessages({ db, worker: 'test', home: 'test' }, campaign, {
        reach: emailReach,
        limit: 10,
      })
      claimed.push(...(claim?.messages ?? []).map((message) => message.id))
    }
  }
  const changeDue = async () => {
    while ((await countDue()) > 0)
      await sql`update messages set reason = reason where id in (
        select id from messages where campaign_id = ${id} and due_at is not null order by due_at, id limit 40)`.execute(
        db,
      )
  }
  await Promise.all([claimAll(), claimAll(), changeDue()])

  const claims = await db.selectFrom('claims').where('campaignId', '=', id).select(['id', 'messageIds']).execute()
  for (const claim of claims) {
    named.push(...claim.messageIds)
    await deleteClaim(db, { id: claim.id, workspaceId })
  }
  expect(new Set(claimed).size).toBe(PEOPLE)
  expect(claimed.length).toBe(PEOPLE)
  expect(named.toSorted()).toEqual(claimed.toSorted())
})

// On a node of a cluster the planner has its own mind.
test.skipIf(isSpread)(
  'claims: a small one reads a few of the messages that are due, in a table that nobody analyzed',
  async () => {
    const { db, id, workspaceId } = await queueMessages()
    // Of a connection, its earlier transactions included.
    const countRead = async (on: typeof db) => {
      const { rows } = await sql<{ read: number }>`
      select pg_stat_get_xact_tuples_returned('messages_due'::regclass)::int as read`.execute(on)
      return rows[0]?.read ?? 0
    }
    await db.transaction().execute(async (db) => {
      const before = await countRead(db)
      const campaign = { id, workspaceId, tellsOrigins: false }
      const claim = await claimMessages({ db, worker: 'test', home: 'test' }, campaign, {
        reach: emailReach,
        limit: 10,
      })
      expect(claim?.messages).toHaveLength(10)
      expect((await countRead(db)) - before).toBeLessThan(100)
      if (claim) await deleteClaim(db, claim)
    })
  },
)
