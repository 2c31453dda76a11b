import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { campaignReports } from '#contracts/campaigns/report/report.ts'
import type { ContactFilter } from '#contracts/contacts/conditions.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { evaluate, type PlainContact } from '#server/features/contacts/segments/evaluate.fixture.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { HTML, launchInSlices, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(async () => {
  await t[Symbol.asyncDispose]()
})

const CONTENT = { name: 'News', subject: 'News', html: HTML }
const send = (person: Person, id: string, body = {}) => person.api(campaigns.send, { params: { id }, body })
const count = (person: Person, id: string) => person.api(campaigns.audience, { params: { id } })
const check = (person: Person, id: string) => person.api(campaigns.check, { params: { id } })
const codes = async (person: Person, id: string) =>
  (await check(person, id)).problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)
const filter = (field: string, value: string, is = 'equal'): ContactFilter => ({
  op: 'and',
  items: [{ field, is, value }],
})
const mailsTo = (domain: string) =>
  t.sink.received.flatMap(({ to }) => to.filter((one) => one.endsWith(`@${domain}`))).sort()

/** Why a plain contact gets no email of a campaign; undefined: they get it, null: they are not in its audience. */
function judge(
  contact: PlainContact,
  choice: { lists: string[]; excluded: string[] },
  filters: { included: ContactFilter[]; excluded: ContactFilter[] },
): string | null | undefined {
  const [now, memberships] = [new Date(), Object.values(contact.lists)]
  const isIn = (some: ContactFilter[]) => some.some((one) => evaluate(contact, one, now))
  const isMember = choice.lists.some((id) => contact.lists[id] === 'confirmed')
  if (!isMember && !isIn(filters.included)) return null
  const isExcluded = choice.excluded.some((id) => ['confirmed', 'pending'].includes(contact.lists[id] ?? ''))
  if (contact.email === null) return 'no_email'
  if (isExcluded || isIn(filters.excluded)) return 'excluded'
  if (contact.suppressed === 'unsubscribe') return 'unsubscribed'
  if (contact.suppressed === 'hard_bounce') return 'bounced'
  if (contact.suppressed !== null) return 'suppressed'
  if (isMember || memberships.length === 0 || memberships.includes('confirmed')) return undefined
  return memberships.includes('pending') ? 'pending' : 'unsubscribed'
}

test('audience: for random lists, segments, exclusions and suppressions, those are sent to whom the plain evaluator names', async () => {
  const person = await t.person()
  const { api, workspaceId } = person
  const { db } = t.services
  const ids: { lists: string[]; tags: string[] } = { lists: [], tags: [] }
  for (const name of ['One', 'Two', 'Three']) ids.lists.push((await api(lists.create, { body: { name } })).id)
  for (const name of ['Red', 'Blue']) ids.tags.push((await api(tags.create, { body: { name } })).id)
  const people = fc.sample(
    fc.record({
      email: fc.option(fc.constant('person@property.example'), { freq: 8 }),
      lists: fc.dictionary(fc.constantFrom(...ids.lists), fc.constantFrom('confirmed', 'pending', 'unsubscribed')),
      tags: fc.subarray(ids.tags),
      suppressed: fc.option(fc.constantFrom('unsubscribe', 'hard_bounce', 'complaint', 'manual'), { freq: 3 }),
    }),
    { numRuns: 40, seed: 20_261_125 },
  )
  const plain: (PlainContact & { id: string })[] = []
  for (const [index, { email, suppressed, ...rest }] of people.entries()) {
    const address = email && `${index}.${email}`
    const given = { email: address, phone: address ? null : `+4930${1_000_000 + index}`, name: '', source: 'manual' }
    const { id } = await db
      .insertInto('contacts')
      .values({ workspaceId, emailKey: address, ...given })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [listId, status] of Object.entries(rest.lists))
      await db.insertInto('listMembers').values({ workspaceId, listId, contactId: id, status }).execute()
    for (const tagId of rest.tags)
      await db.insertInto('contactTags').values({ workspaceId, tagId, contactId: id }).execute()
    if (suppressed && address)
      await db
        .insertInto('suppressions')
        .values({ workspaceId, address, addressKey: address, reason: suppressed })
        .execute()
    const isSuppressed = address ? suppressed : null
    const unasked = { createdAt: new Date(), since: {}, attributes: {}, messages: [], events: [] }
    plain.push({ id, ...given, ...rest, suppressed: isSuppressed, ...unasked })
  }
  const filters: ContactFilter[] = [
    filter('tag', ids.tags[0] ?? ''),
    filter('tag', ids.tags[1] ?? '', 'notEqual'),
    filter('list', ids.lists[0] ?? '', 'notEqual'),
    { op: 'or', items: [{ field: 'status', is: 'equal', value: 'pending' }, filter('list', ids.lists[2] ?? '')] },
  ]
  const stored: string[] = []
  for (const [at, one] of filters.entries())
    stored.push((await api(segments.create, { body: { name: `S${at}`, filter: one } })).id)
  const some = fc.subarray([0, 1, 2, 3])
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(ids.lists),
      some,
      fc.subarray(ids.lists),
      some,
      async (on, included, off, excluded) => {
        fc.pre(on.length + included.length > 0)
        const pick = (at: number[]) => at.map((index) => stored[index] ?? '')
        const { id } = await api(campaigns.create, {
          body: {
            ...{ ...CONTENT, listIds: on, segmentIds: pick(included) },
            ...{ excludeListIds: off, excludeSegmentIds: pick(excluded) },
          },
        })
        const expected = new Map<string, number>()
        const chosen = {
          included: included.flatMap((at) => filters[at] ?? []),
          excluded: excluded.flatMap((at) => filters[at] ?? []),
        }
        const verdicts = plain.map((one) => ({ ...one, why: judge(one, { lists: on, excluded: off }, chosen) }))
        for (const { why } of verdicts) if (why) expected.set(why, (expected.get(why) ?? 0) + 1)
        const told = await count(person, id)
        const recipients = verdicts.filter(({ why }) => why === undefined)
        expect(new Map(told.excluded.map(({ reason, people }) => [reason as string, people]))).toEqual(expected)
        expect(told).toMatchObject({ problems: [], recipients: recipients.length })
        if (recipients.length === 0) return
        await launchInSlices(t.services, person, id, 12)
        await untilState(person, id, ['sent'])
        const rows = await db
          .selectFrom('messages')
          .where('campaignId', '=', id)
          .select(['contactId', 'state'])
          .execute()
        const shown = verdicts.filter(({ why }) => why !== null && why !== 'no_email')
        expect(rows.map(({ contactId }) => contactId).sort()).toEqual(shown.map((one) => one.id).sort())
        const sent = rows.filter(({ state }) => state === 'sent').map(({ contactId }) => contactId)
        expect(sent.sort()).toEqual(recipients.map((one) => one.id).sort())
      },
    ),
    { numRuns: 12 },
  )
})

test('audience: a segment alone is sent to exactly once, and leaving or unsubscribing holds', async () => {
  const person = await t.person()
  const { api } = person
  const { id: tag } = await api(tags.create, { body: { name: 'VIP' } })
  const { id: listId } = await api(lists.create, { body: { name: 'News' } })
  const add = (name: string, on: string[] = []) =>
    api(contacts.create, { body: { email: `${name}@segment.example`, tags: [tag], lists: on } })
  await add('ada')
  await add('bo')
  const leaver = await add('cy', [listId])
  const { id: segmentId } = await api(segments.create, { body: { name: 'VIP', filter: filter('tag', tag) } })
  const { id } = await api(campaigns.create, { body: { ...CONTENT, segmentIds: [segmentId] } })
  // Nothing leaves before one of them left their only list.
  await sql`create function hold() returns trigger language plpgsql as
    'begin update list_members set status = ''unsubscribed'' where workspace_id = new.workspace_id and contact_id = new.contact_id;
      return null; end'`.execute(t.services.db)
  await sql`create trigger hold after insert on messages for each row execute function hold()`.execute(t.services.db)
  await send(person, id)
  const { counts } = await untilState(person, id, ['sent'])
  await sql`drop trigger hold on messages`.execute(t.services.db)
  expect(counts).toMatchObject({ recipients: 3, sent: 2, suppressed: 1 })
  expect(mailsTo('segment.example')).toEqual(['ada@segment.example', 'bo@segment.example'])
  const { items } = await api(campaigns.messages, { params: { id }, query: { state: 'suppressed' } })
  expect(items).toMatchObject([{ contactId: leaver.id, reason: 'left_list' }])

  // Who is on no list of it can leave none: whatever is asked for, all email ends.
  const html = (await t.sink.mailTo('ada@segment.example')).html || ''
  const path = /\/u\/[\w.-]+/.exec(html)?.[0] ?? ''
  expect((await t.inject(path)).body).not.toContain('Only the mailing list')
  await t.inject({
    method: 'POST',
    url: path,
    payload: 'choice=list',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect((await api(suppressions.list, { query: {} })).items).toMatchObject([
    { address: 'ada@segment.example', reason: 'unsubscribe' },
  ])
  const again = await api(campaignReports.duplicate, { params: { id } })
  expect(again).toMatchObject({ segmentIds: [segmentId], listIds: [] })
  expect(await count(person, again.id)).toMatchObject({
    recipients: 1,
    excluded: [{ reason: 'unsubscribed', people: 2 }],
  })
})

test('audience: what an exclusion names is not forgotten when it is deleted, and nothing is sent until it is edited', async () => {
  const person = await t.person()
  const { api } = person
  const { id: tag } = await api(tags.create, { body: { name: 'Old' } })
  const { id: listId } = await api(lists.create, { body: { name: 'All' } })
  const { id: otherId } = await api(lists.create, { body: { name: 'Customers' } })
  await api(contacts.create, { body: { email: 'ada@deleted.example', lists: [listId] } })
  await api(contacts.create, { body: { email: 'bo@deleted.example', lists: [listId, otherId], tags: [tag] } })
  const { id: segmentId } = await api(segments.create, { body: { name: 'Old', filter: filter('tag', tag) } })
  const body = { ...CONTENT, listIds: [listId], excludeSegmentIds: [segmentId], excludeListIds: [otherId] }
  const { id } = await api(campaigns.create, { body })
  const later = await api(campaigns.create, { body: { ...CONTENT, segmentIds: [segmentId], listIds: [listId] } })
  expect(await count(person, id)).toMatchObject({ recipients: 1, excluded: [{ reason: 'excluded', people: 1 }] })
  expect((await send(person, later.id, { at: new Date(Date.now() + 3_600_000).toISOString() })).state).toBe('scheduled')

  await api(lists.remove, { params: { id: otherId } })
  expect(await codes(person, id)).toEqual(['audience_deleted'])
  await api(campaigns.update, { params: { id }, body: { excludeListIds: [] } })
  expect(await codes(person, id)).toEqual([])
  await api(tags.remove, { params: { id: tag } })
  expect(await codes(person, id)).toEqual(['segment_incomplete'])
  expect(await count(person, id)).toMatchObject({ recipients: 0, problems: [{ code: 'segment_incomplete' }] })
  await api(segments.remove, { params: { id: segmentId } })
  await expect(send(person, id)).rejects.toMatchObject({ status: 409, code: 'not_ready' })
  // One that was scheduled is a draft again when its time comes.
  await t.services.db.updateTable('campaigns').set({ scheduledAt: new Date() }).where('id', '=', later.id).execute()
  const stopped = await untilState(person, later.id, ['draft'])
  expect(stopped.stateText).toMatch(/^The campaign did not start\. A segment that this campaign is sent to was deleted/)
  expect(stopped).toMatchObject({ segmentIds: [segmentId], counts: { recipients: 0 } })
  expect(mailsTo('deleted.example')).toEqual([])
  await api(campaigns.update, { params: { id }, body: { excludeSegmentIds: [] } })
  expect(await codes(person, id)).toEqual([])

  const stranger = await t.person()
  const { id: foreign } = await stranger.api(segments.create, { body: { name: 'X', filter: { op: 'and', items: [] } } })
  for (const field of ['segmentIds', 'excludeSegmentIds', 'excludeListIds'])
    await expect(api(campaigns.update, { params: { id }, body: { [field]: [foreign] } })).rejects.toMatchObject({
      status: 400,
      details: [{ field }],
    })
  await expect(count(stranger, id)).rejects.toMatchObject({ status: 404 })
})
