import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { type Outcome, openJournal } from '#server/engine/index.ts'
import { sharedApp } from '#server/testing/app.ts'
import { draftTo, listWith } from '#server/testing/campaign.ts'
import { untilPasses } from '#server/testing/until.ts'
import { endOwnClaim } from './claims.ts'
import { ClaimLeases } from './lease.ts'
import { recover } from './recover.ts'

const outcome = (kind: Outcome['kind'], response: string): Outcome => ({
  kind,
  code: Number(response.slice(0, 3)),
  enhanced: null,
  response,
  class: kind === 'failed' ? 'hard' : null,
  at: new Date().toISOString(),
})

/** Loses a worker amid a campaign, and has its journal return. Returns how to expect what becomes of its messages. */
async function loseWorker(t: Awaited<ReturnType<typeof sharedApp>>, hasEnded: boolean): Promise<() => Promise<void>> {
  const ada = await t.person()
  const { db } = t.services
  // It rests, so that nobody else sends these.
  await sql`update senders set rest_until = now() + interval '1 hour' where workspace_id = ${ada.workspaceId}`.execute(
    db,
  )
  const { id } = await draftTo(ada, await listWith(t.services, ada, 4))
  await ada.api(campaigns.send, { params: { id }, body: {} })
  const messages = () =>
    db
      .selectFrom('messages')
      .where('campaignId', '=', id)
      .select(['id', 'state', 'response', 'attempts'])
      .orderBy('id')
      .execute()
  await untilPasses(async () => expect((await messages()).length).toBe(4))
  const ids = (await messages()).map((message) => message.id)
  const { id: claimId } = await db
    .insertInto('claims')
    .values({
      workspaceId: ada.workspaceId,
      campaignId: id,
      worker: 'lost',
      journalHome: 'another machine',
      messageIds: ids,
      aliveAt: sql<Date>`now() - interval '91 seconds'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('messages').set({ state: 'claimed', claimId, dueAt: null }).where('id', 'in', ids).execute()

  const folder = mkdtempSync(join(tmpdir(), 'postlark-given-up-'))
  const claims = new ClaimLeases('w')
  const { log } = t.services
  await recover({ db, folder, home: 'this machine', claims, alone: false, isGone: () => false, log })
  rmSync(folder, { recursive: true })
  // The server looks for lost claims too, and may have taken it over first.
  await untilPasses(async () =>
    expect(await messages()).toMatchObject(ids.map(() => ({ state: 'unconfirmed', attempts: 1 }))),
  )

  if (hasEnded) await sql`update campaigns set state = 'sent', finished_at = now() where id = ${id}`.execute(db)
  // Its worker was only cut off: back, it leaves the claim to its journal, with what that says of those that never left.
  expect(await endOwnClaim(db, { id: claimId, workspaceId: ada.workspaceId }, true)).toBe(false)
  // The journal of a thread that does not send any more.
  const journal = openJournal(join(t.dataDir, 'journal'), claimId)
  const [first = '', second = '', third = ''] = ids
  for (const each of [first, second, third]) await journal.handing(each)
  journal.replied(first, outcome('sent', '250 taken'))
  journal.replied(second, outcome('failed', '550 No such user'))
  journal.close()
  return async () => {
    await untilPasses(async () =>
      expect(await messages()).toMatchObject([
        { state: 'sent', response: '250 taken', attempts: 1 },
        { state: 'failed', response: '550 No such user', attempts: 1 },
        { state: 'unconfirmed' },
        // While the campaign goes on it does so with those that never left; afterwards a person decides.
        hasEnded
          ? { state: 'failed', response: expect.stringContaining('was not sent. Retry to send it.') }
          : { state: 'queued', response: '', attempts: 0 },
      ]),
    )
    const { counts } = await ada.api(campaigns.get, { params: { id } })
    const last = hasEnded ? { failed: 2, queued: 0 } : { failed: 1, queued: 1 }
    expect(counts).toMatchObject({ recipients: 4, sent: 1, unconfirmed: 1, ...last })
  }
}

test('sending: messages of a lost worker are unconfirmed, and its journal settles them, before and after the end of a campaign', async () => {
  const t = await sharedApp()
  // Both wait for the same look of the sending thread.
  for (const settled of [await loseWorker(t, false), await loseWorker(t, true)]) await settled()
})
