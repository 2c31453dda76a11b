import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planLimits } from '#contracts/billing/plans.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { draftTo, launchInSlices, listWith, untilState } from '#server/testing/campaign.ts'
import { until, untilPasses } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
})

const LOCK = 7_003
const NONE = { recipients: 0, queued: 0, sent: 0, deferred: 0, failed: 0, bounced: 0, suppressed: 0, unconfirmed: 0 }

const show = ({ api }: Person, id: string) => api(campaigns.get, { params: { id } })
const countRows = async (id: string) =>
  (await t.services.db.selectFrom('messages').where('campaignId', '=', id).select('id').execute()).length
const mailsTo = (domain: string) =>
  t.sink.received.flatMap(({ to }) => to.filter((one) => one.endsWith(`@${domain}`))).sort()

/** Who waits for advisory locks of this database. */
const waiting = async (which: RawBuilder<unknown>) =>
  (
    await sql`select from pg_locks where locktype = 'advisory' and not granted and ${which}
      and database = (select oid from pg_database where datname = current_database())`.execute(t.services.db)
  ).rows

/** A draft to seven contacts of a domain. */
async function draftToSeven(person: Person, domain: string) {
  const listId = await listWith(t.services, person, 7, (n) => `r${n}@${domain}`)
  return { listId, ...(await draftTo(person, listId)) }
}

/** Launches in slices of one, and does something while four recipients are written and the launch waits in the slices of two others. */
async function launchMeanwhile(
  person: Person,
  id: string,
  meanwhile: () => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = t.services
  await sql`create function hold() returns trigger language plpgsql as $$ begin
    if exists (select 1 from new_rows where address ~ '^r[567]@') then
      perform pg_advisory_xact_lock_shared(${sql.lit(LOCK)}); end if; return null; end $$`.execute(db)
  await sql`create trigger hold after insert on messages referencing new table as new_rows for each statement execute function hold()`.execute(
    db,
  )
  let launched: Promise<void> = Promise.resolve()
  await db.connection().execute(async (held) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(held)
    launched = launchInSlices(t.services, person, id, 1, signal)
    const areWaiting = async () => (await waiting(sql`objid = ${LOCK}`)).length === 2
    await until(areWaiting, 'a launch in the middle')
    expect(await countRows(id)).toBe(4)
    await meanwhile()
    await sql`select pg_advisory_unlock(${LOCK})`.execute(held)
  })
  await launched.finally(async () => {
    await sql`drop trigger hold on messages`.execute(db)
    await sql`drop function hold`.execute(db)
  })
}

test('launch: while recipients are written a pause holds at once, who is erased is in no slice, and the others get one email', async () => {
  const ada = await t.person()
  const { id, listId } = await draftToSeven(ada, 'slices.example')
  await launchMeanwhile(ada, id, async () => {
    expect((await show(ada, id)).counts).toEqual(NONE)
    expect((await ada.api(campaigns.messages, { params: { id }, query: {} })).items).toEqual([])
    expect((await ada.api(campaigns.pause, { params: { id } })).state).toBe('paused')
    await ada.api(contacts.create, { body: { email: 'late@slices.example', lists: [listId] } })
    // The slice that is not committed yet has them already.
    const [gone] = (await ada.api(contacts.list, { query: { q: 'r5@slices.example' } })).items
    await ada.api(contacts.erase, { params: { id: gone?.id ?? '' } })
    const isErasureWaiting = async () => (await waiting(sql`objid <> ${LOCK}`)).length > 0
    await until(isErasureWaiting, 'an erasure that waits for the slice')
  })
  expect(await show(ada, id)).toMatchObject({ state: 'paused', counts: { ...NONE, recipients: 7, queued: 7 } })
  const addresses = () => t.services.db.selectFrom('messages').where('campaignId', '=', id).select('address').execute()
  await untilPasses(async () => expect(JSON.stringify(await addresses())).not.toContain('r5@slices.example'))
  await ada.api(campaigns.resume, { params: { id } })
  const { counts } = await untilState(ada, id, ['sent'])
  expect(counts).toEqual({ ...NONE, recipients: 7, sent: 6, suppressed: 1 })
  expect(mailsTo('slices.example')).toEqual([1, 2, 3, 4, 6, 7].map((n) => `r${n}@slices.example`))
})

test('launch: a cancellation while recipients are written leaves none of them', async () => {
  const ada = await t.person()
  const { id } = await draftToSeven(ada, 'canceled.example')
  await launchMeanwhile(ada, id, async () => {
    expect((await ada.api(campaigns.cancel, { params: { id } })).state).toBe('cancelled')
  })
  expect(await countRows(id)).toBe(0)
  expect(await show(ada, id)).toMatchObject({ state: 'cancelled', counts: NONE })
  expect(mailsTo('canceled.example')).toEqual([])
})

test('launch: one that the plan has no room for is a draft without recipients, and can be sent later', async () => {
  const ada = await t.person({ plan: 'free' })
  const { db } = t.services
  const { id } = await draftToSeven(ada, 'refused.example')
  const use = (emails: number) =>
    sql`insert into usage_months (workspace_id, month, emails)
      values (${ada.workspaceId}, date_trunc('month', now() at time zone 'utc')::date, ${emails})
      on conflict (workspace_id, month) do update set emails = excluded.emails`.execute(db)
  await launchMeanwhile(ada, id, () => use(planLimits('free').emails))
  const refused = await show(ada, id)
  expect(refused).toMatchObject({ state: 'draft', counts: NONE })
  expect(refused.stateText).toMatch(/^The campaign did not start\. /)
  expect(await countRows(id)).toBe(0)
  await use(0)
  await ada.api(campaigns.send, { params: { id }, body: {} })
  expect((await untilState(ada, id, ['sent'])).counts).toEqual({ ...NONE, recipients: 7, sent: 7 })
})

test('launch: one that was cut off goes on when it is tried again, and each recipient gets one email', async () => {
  const ada = await t.person()
  const { id } = await draftToSeven(ada, 'cut.example')
  const cut = new AbortController()
  const launched = launchMeanwhile(ada, id, async () => cut.abort(), cut.signal)
  await expect(launched).rejects.toThrow('aborted')
  // What was being written is whole, and nothing came after it.
  expect(await countRows(id)).toBe(6)
  await launchInSlices(t.services, ada, id, 3)
  expect((await untilState(ada, id, ['sent'])).counts).toEqual({ ...NONE, recipients: 7, sent: 7 })
  expect(mailsTo('cut.example')).toHaveLength(7)
})

test('launch: what one left that was canceled after it was lost is removed', async () => {
  const ada = await t.person()
  const { id } = await draftToSeven(ada, 'left.example')
  const cut = new AbortController()
  await expect(launchMeanwhile(ada, id, async () => cut.abort(), cut.signal)).rejects.toThrow('aborted')
  await ada.api(campaigns.cancel, { params: { id } })
  await t.services.db
    .updateTable('campaigns')
    .set({ startedAt: sql<Date>`now() - interval '1 minute'` })
    .where('id', '=', id)
    .execute()
  await untilPasses(async () => expect(await countRows(id)).toBe(0))
})

test('launch: a campaign ends as failed when every attempt fails or its processes died', async () => {
  const { db } = t.services
  const ada = await t.person()
  const listId = await listWith(t.services, ada, 3, (n) => `r${n}@failing.example`)
  const [failing, lost] = [await draftTo(ada, listId), await draftTo(ada, listId)]
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`.execute(
    db,
  )
  await sql`create trigger refuse before insert on messages execute function refuse()`.execute(db)

  await ada.api(campaigns.send, { params: { id: failing.id }, body: {} })
  const lastTry = () =>
    sql`update pgboss.job set retry_limit = retry_count + 1, start_after = now()
      where singleton_key = ${failing.id} and state = 'retry'`.execute(db)
  await untilPasses(async () => expect((await lastTry()).numAffectedRows).toBe(1n))
  await db
    .updateTable('campaigns')
    .set({ state: 'sending', startedAt: sql<Date>`now() - interval '1 minute'` })
    .where('id', '=', lost.id)
    .execute()

  for (const { id } of [failing, lost]) {
    const { state, stateText, counts } = await untilState(ada, id, ['failed'])
    expect(state).toBe('failed')
    expect(stateText).toMatch(/^The campaign could not start: the server failed each time/)
    expect(counts.recipients).toBe(0)
  }
  expect(mailsTo('failing.example')).toEqual([])
})
