import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { emailReach } from '../channels/email/slice.ts'
import { claimMessages, deleteClaim } from './claims.ts'

const PEOPLE = 1_000

test('claims: messages that others change meanwhile are claimed once each, and no claim names another one', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const { db } = t.services
  const { id } = await draftTo(person, await listWith(t.services, person, PEOPLE))
  const { workspaceId } = person
  // Paused, so that nobody else claims these.
  await sql`update campaigns set state = 'paused', audience_at = now(), plan = '{}' where id = ${id}`.execute(db)
  await sql`insert into messages (workspace_id, campaign_id, contact_id, address)
    select workspace_id, ${id}, id, email from contacts where workspace_id = ${workspaceId} order by id`.execute(db)
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
