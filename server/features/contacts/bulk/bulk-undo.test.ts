import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type ContactJob, contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { Input } from '#contracts/endpoint.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { sentCampaign } from '#server/features/tracking/testing.ts'
import { isSpread } from '#server/platform/db/spread.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { listWith } from '#server/testing/campaign.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { suppress, unsubscribe } from '../suppressions/suppressions-store.ts'
import { forgetChanges } from './bulk-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const CONSENT = {
  ...{ how: 'paper' as const, purpose: 'news', covers: ['marketing' as const] },
  givenAt: '2026-01-02T10:00:00Z',
}
type Change = Input<typeof contactsBulk.start>['body']

const untilEnded = (person: Person, jobId: string): Promise<ContactJob> =>
  until(async () => {
    const job = await person.api(jobs.get, { params: { id: jobId } })
    return job.state === 'done' || job.state === 'failed' ? job : undefined
  }, 'the end of a change')

const run = async (person: Person, body: Change) =>
  untilEnded(person, (await person.api(contactsBulk.start, { body })).jobId)
const undo = async (person: Person, { id }: ContactJob) =>
  untilEnded(person, (await person.api(jobs.undo, { params: { id } })).jobId)

test('bulk undo: contacts are as they were, but for what was changed since', async () => {
  const person = await t.person()
  const { api } = person
  const list = (await api(lists.create, { body: { name: 'Friends' } })).id
  const other = (await api(lists.create, { body: { name: 'Readers' } })).id
  const vip = (await api(tags.create, { body: { name: 'VIP' } })).id
  const add = (name: string, more: object) => api(contacts.create, { body: { email: `${name}@undo.example`, ...more } })
  const made = [
    await add('ann', { name: 'Ann', attributes: { city: 'Bonn', first_job: 'cook' }, lists: [other], tags: [vip] }),
    await add('ben', { name: 'Ben', phone: '+491701234567', lists: [list] }),
    await add('cem', { attributes: { city: 'Kiel' } }),
  ]
  const ids = made.map(({ id }) => id)
  const [ann = '', ben = '', cem = ''] = ids
  const showAll = async () => {
    const all = await Promise.all(ids.map((id) => api(contacts.get, { params: { id } })))
    return all.map(({ updatedAt: _, ...rest }) => rest)
  }
  const before = await showAll()
  const changes: Change[] = [
    { ids, action: 'addToList', value: list },
    { ids, action: 'removeFromList', value: other },
    { ids, action: 'tag', value: vip },
    { ids, action: 'untag', value: vip },
    { ids, action: 'setField', value: { name: 'Same', attributes: { city: 'Rome', first_job: null, plan: 'gold' } } },
    { ids, action: 'suppress' },
    { ids, action: 'unsubscribe' },
    { ids, action: 'recordConsent', value: CONSENT },
    { ids, action: 'delete' },
  ]
  for (const change of changes) {
    const done = await run(person, change)
    expect([change.action, done.changed > 0, done.canUndo]).toEqual([change.action, true, true])
    if (change.action !== 'recordConsent') expect(await showAll().catch(() => 'removed')).not.toEqual(before)
    const undone = await undo(person, done)
    expect(undone).toMatchObject({ action: 'undo', state: 'done', total: done.changed, changed: done.changed })
    expect(await showAll()).toEqual(before)
  }
  expect((await api(whatsappConsents.list, { query: {} })).items).toEqual([])

  // What somebody changed since stays: a value, a list that was left, a reason that is another one by now.
  const fields = await run(person, { ids, action: 'setField', value: { attributes: { city: 'Rome', plan: 'gold' } } })
  await api(contacts.update, { params: { id: ann }, body: { attributes: { city: 'Oslo', plan: 'gold' } } })
  const added = await run(person, { ids, action: 'addToList', value: list })
  await sql`update list_members set status = 'unsubscribed', at = now() where list_id = ${list} and contact_id = ${cem}`.execute(
    t.services.db,
  )
  const removed = await run(person, { ids: [ben], action: 'removeFromList', value: list })
  const barred = await run(person, { ids, action: 'suppress' })
  await sql`update suppressions set reason = 'complaint' where workspace_id = ${person.workspaceId} and address_key = 'ann@undo.example'`.execute(
    t.services.db,
  )
  for (const change of [fields, added, removed, barred]) await undo(person, change)
  expect(await showAll()).toMatchObject([
    { attributes: { city: 'Oslo' }, lists: [other], suppressed: 'complaint' },
    { attributes: {}, lists: [list], suppressed: null },
    { attributes: { city: 'Kiel' }, lists: [], suppressed: null },
  ])
  expect((await api(suppressions.list, { query: {} })).items).toHaveLength(1)
})

test('bulk undo: what people did themselves since is not undone, nor a removal of who was added or erased since', async () => {
  const person = await t.person()
  const { api, workspaceId } = person
  const { db } = t.services
  const list = (await api(lists.create, { body: { name: 'Friends' } })).id
  const add = (name: string) => api(contacts.create, { body: { email: `${name}@own.example`, lists: [list] } })
  const [ann, ben, cem, dan, eve, fay] = [
    await add('ann'),
    await add('ben'),
    await add('cem'),
    await add('dan'),
    await add('eve'),
    await add('fay'),
  ]
  const ids = [ann.id, ben.id, cem.id, dan.id, eve.id, fay.id]
  const show = async (id: string) => {
    const { lists, suppressed } = await api(contacts.get, { params: { id } })
    return { lists, suppressed }
  }
  const leave = (name: string) =>
    unsubscribe(db, workspaceId, { address: `${name}@own.example`, key: `${name}@own.example`, campaignId: null })
  const left = await run(person, { ids: [ann.id, ben.id], action: 'unsubscribe' })
  await leave('ann')
  expect(await undo(person, left)).toMatchObject({ processed: 2, changed: 1 })
  expect([await show(ann.id), await show(ben.id)]).toEqual([
    { lists: [], suppressed: 'unsubscribe' },
    { lists: [list], suppressed: null },
  ])
  // An unsubscribe that begins before the removal and ends after it.
  const removed = await db.transaction().execute(async (slow) => {
    await sql`select now()`.execute(slow)
    const removed = await run(person, { ids, action: 'delete' })
    await unsubscribe(slow, workspaceId, { address: 'ben@own.example', key: 'ben@own.example', campaignId: null })
    return removed
  })
  const again = await add('cem')
  // Added anew, left the list, and was removed a second time.
  const brief = (await add('fay')).id
  await sql`update list_members set status = 'unsubscribed', at = now() where list_id = ${list} and contact_id = ${brief}`.execute(
    db,
  )
  await api(contacts.remove, { params: { id: brief } })
  await api(contacts.erase, { params: { id: (await add('dan')).id } })
  await api(contacts.erase, { params: { id: eve.id } })
  await expect(api(contacts.erase, { params: { id: eve.id } })).rejects.toMatchObject({ status: 404 })
  await untilPasses(async () => {
    const { rows } = await sql`select from contact_job_slices where changes::text ~ '(dan|eve)@own.example'`.execute(db)
    expect(rows).toEqual([])
  })
  expect(await undo(person, removed)).toMatchObject({ processed: 4, changed: 3 })
  expect(await show(ben.id)).toEqual({ lists: [], suppressed: 'unsubscribe' })
  expect(await show(fay.id)).toEqual({ lists: [], suppressed: null })
  const items = (await api(contacts.list, { query: {} })).items.map(({ id }) => id)
  expect(items.toSorted()).toEqual([ann.id, ben.id, fay.id, again.id].toSorted())
})

test('bulk undo: who leaves by a link or over WhatsApp after the workspace took or blocked them stays out', async () => {
  const person = await t.person()
  const { api, workspaceId } = person
  const sent = await sentCampaign(t.services, person, { people: 3 })
  const [ann = '', ben = '', cem = ''] = sent.messages.map(({ contactId }) => contactId)
  const ids = [ann, ben]
  const show = (id: string) => api(contacts.get, { params: { id } })
  const follow = async (page: 'u' | 'p', payload: string, who = 0) => {
    const token = sent.tokens.sign(page === 'u' ? 'unsubscribe' : 'preferences', sent.messages[who]?.id ?? '')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { statusCode } = await t.inject({ method: 'POST', url: `/${page}/${token}`, payload, headers })
    expect(statusCode).toBeLessThan(400)
  }
  const removed = await run(person, { ids, action: 'removeFromList', value: sent.listId })
  await follow('u', 'choice=list')
  expect(await undo(person, removed)).toMatchObject({ processed: 2, changed: 1 })
  expect([(await show(ann)).lists, (await show(ben)).lists]).toEqual([[], [sent.listId]])

  await api(contacts.update, { params: { id: ben }, body: { phone: '+447400300009' } })
  const barred = await run(person, { ids, action: 'suppress' })
  await follow('p', 'action=unsubscribe')
  const stop = { channel: 'whatsapp' as const, address: '+447400300009', key: '+447400300009', note: 'STOP' }
  await suppress(t.services.db, workspaceId, { ...stop, reason: 'unsubscribe' })
  await undo(person, barred)
  const { items } = await api(suppressions.list, { query: {} })
  expect(items.map(({ address, reason }) => [address, reason]).toSorted()).toEqual([
    ['+447400300009', 'unsubscribe'],
    [sent.messages[0]?.address, 'unsubscribe'],
  ])

  // Who leaves one list while they are removed waits for that, and has unsubscribed from everything then.
  const { db } = t.services
  const [leaving] = await db.transaction().execute(async (slow) => {
    await sql`select from contacts where workspace_id = ${workspaceId} and id = ${cem} for update`.execute(slow)
    const leaving = follow('u', 'choice=list', 2)
    await until(async () => {
      // On a cluster the row is locked on its node.
      const waiting = isSpread()
        ? sql`select from citus_lock_waits where blocked_statement like '%contacts%for share%'`
        : sql`select from pg_locks where not granted and pid in (
            select pid from pg_stat_activity where query like '%contacts%for share%')`
      return (await waiting.execute(db)).rows.length > 0 || undefined
    }, 'the unsubscribe that waits')
    await sql`delete from contacts where workspace_id = ${workspaceId} and id = ${cem}`.execute(slow)
    return [leaving]
  })
  await leaving
  const left = (await api(suppressions.list, { query: { q: sent.messages[2]?.address ?? '' } })).items
  expect(left).toMatchObject([{ reason: 'unsubscribe' }])
})

test('bulk undo: one of thousands is undone part by part, once, within a day, and knows no erased contact', async () => {
  const person = await t.person()
  const { api } = person
  const count = 4_100
  const from = await listWith(t.services, person, count, (n) => `part${n}@undo.example`)
  const vip = (await api(tags.create, { body: { name: 'VIP' } })).id
  const filter = { op: 'and' as const, items: [{ field: 'list' as const, is: 'equal' as const, value: from }] }
  const tagged = await run(person, { filter, action: 'tag', value: vip })
  const [one] = (await api(contacts.list, { query: { tag: vip, limit: 1 } })).items
  await api(contacts.erase, { params: { id: one?.id ?? '' } })
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from contact_job_slices
    where workspace_id = ${person.workspaceId} and changes ? ${one?.id ?? ''}`.execute(t.services.db)
  expect(rows[0]?.n).toBe(0)
  const refused = (job: ContactJob, who = person) => who.api(jobs.undo, { params: { id: job.id } })
  const atOnce = await Promise.allSettled([refused(tagged), refused(tagged), refused(tagged)])
  const begun = atOnce.flatMap((one) => (one.status === 'fulfilled' ? [one.value.jobId] : []))
  const codes = atOnce.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect([begun.length, codes]).toEqual([1, ['already_undone', 'already_undone']])
  expect(await untilEnded(person, begun[0] ?? '')).toMatchObject({ processed: count - 1, changed: count - 1 })
  expect((await api(contacts.list, { query: { tag: vip } })).total).toBe(0)
  await expect(refused(tagged)).rejects.toMatchObject({ status: 409, code: 'already_undone' })
  await expect(refused(tagged, await t.person())).rejects.toMatchObject({ status: 404 })
  const undoing = await api(jobs.get, { params: { id: begun[0] ?? '' } })
  expect(undoing.canUndo).toBe(false)
  await expect(refused(undoing)).rejects.toMatchObject({ status: 409, code: 'not_undoable' })
  const gone = (await api(tags.create, { body: { name: 'Gone' } })).id
  const lost = await run(person, {
    ids: [(await api(contacts.list, { query: { limit: 1 } })).items[0]?.id ?? ''],
    action: 'tag',
    value: gone,
  })
  await api(tags.remove, { params: { id: gone } })
  await expect(refused(lost)).rejects.toMatchObject({ status: 409, code: 'target_deleted' })
  expect(await api(jobs.get, { params: { id: lost.id } })).toMatchObject({ canUndo: false, obstacle: 'target_deleted' })
  await sql`update contact_jobs set finished_at = now() - interval '91 days' where id = ${lost.id}`.execute(
    t.services.db,
  )
  const late = await run(person, { filter, action: 'tag', value: vip })
  await sql`update contact_job_slices set at = now() - interval '25 hours' where job_id = ${late.id}`.execute(
    t.services.db,
  )
  await forgetChanges(t.services.db, { undoHours: 24, days: 90 })
  await expect(refused(late)).rejects.toMatchObject({ status: 409, code: 'too_late' })
  await expect(refused(lost)).rejects.toMatchObject({ status: 404 })
  const about = { action: 'tag', names: ['VIP'], requestedBy: person.email, changed: count - 1, canUndo: false }
  expect(await api(jobs.list, { query: { limit: 1 } })).toMatchObject({
    items: [{ id: late.id, ...about, obstacle: 'too_late', undone: null }],
    nextCursor: late.id,
  })
  const first = { id: tagged.id, ...about, changed: count, obstacle: 'already_undone' }
  expect(await api(jobs.list, { query: { cursor: late.id } })).toMatchObject({
    items: [{ ...first, undone: { state: 'done', changed: count - 1 } }],
    nextCursor: null,
  })
  expect((await (await t.person()).api(jobs.list, { query: {} })).items).toEqual([])
  await sql`update contact_jobs set finished_at = now() - interval '25 hours' where id = ${tagged.id}`.execute(
    t.services.db,
  )
  expect((await api(jobs.list, { query: {} })).items.map(({ id }) => id)).toEqual([late.id])
})
