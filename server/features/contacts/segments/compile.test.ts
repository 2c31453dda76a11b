import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import {
  CONDITIONS,
  type Condition,
  ContactFilter,
  countLookups,
  findOperators,
  MAX_LOOKUPS,
} from '#contracts/contacts/conditions.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { Services } from '#server/services.ts'
import { type Person, sharedApp } from '#server/testing/app.ts'
import { compileFilter } from './compile.ts'
import { evaluate, type PlainContact } from './evaluate.fixture.ts'

const NOW = new Date('2027-02-20T12:00:00Z')
const DAY_MS = 86_400_000
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS)
const TEXTS = [
  '',
  'Ada',
  'ada lovelace',
  '50%',
  '5_0',
  '5x0',
  'a\\b',
  'Ünal',
  '12',
  '12.5',
  '-3',
  '2026-05-01',
  '1988-02-29',
  '2027-03-05',
  'x',
]
const URLS = ['https://example.com/a', 'https://example.com/sale_1', 'https://other.example/A']
const DAYS = [1, 9, 31, 400]

interface Ids {
  lists: string[]
  tags: string[]
  campaigns: string[]
}

const text = fc.constantFrom(...TEXTS)
const days = fc.constantFrom(0, 2, 10, 100).map((n) => before(n + 0.5))
const arbitraryContact = (ids: Ids): fc.Arbitrary<PlainContact> =>
  fc.record({
    email: fc.constantFrom('person@example.com', 'PERSON_2@example.org'),
    phone: fc.constantFrom(null, '+4930123456'),
    name: text,
    source: fc.constantFrom('manual', 'api', 'import'),
    createdAt: days,
    attributes: fc.dictionary(
      fc.constantFrom('plan', 'born'),
      fc.oneof(text.filter(Boolean), fc.integer({ min: -20, max: 20 }), fc.boolean()),
    ),
    lists: fc.dictionary(fc.constantFrom(...ids.lists), fc.constantFrom('confirmed', 'pending', 'unsubscribed')),
    since: fc
      .tuple(...ids.lists.map(() => days))
      .map((at) => Object.fromEntries(ids.lists.map((id, i) => [id, at[i] ?? NOW]))),
    tags: fc.subarray(ids.tags),
    suppressed: fc.option(fc.constantFrom('unsubscribe', 'hard_bounce', 'complaint'), { freq: 3 }),
    events: fc.array(fc.record({ name: fc.constantFrom('Order paid', 'order paid'), at: days }), { maxLength: 2 }),
    messages: fc.uniqueArray(
      fc.record({
        campaignId: fc.constantFrom(...ids.campaigns),
        sentAt: days,
        isBounced: fc.boolean(),
        repliedAt: fc.option(days),
        events: fc.array(
          fc.oneof(
            fc.record({ kind: fc.constant('open' as const), at: days, isHuman: fc.boolean() }),
            fc.record({
              kind: fc.constant('click' as const),
              at: days,
              isHuman: fc.boolean(),
              url: fc.constantFrom(...URLS),
            }),
          ),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 2, selector: ({ campaignId }) => campaignId },
    ),
  })

/** Values that an operator of a field takes, most of which some contact has. */
function valueFor(field: string, is: string, ids: Ids): fc.Arbitrary<string | number | undefined> {
  if (['empty', 'notEmpty', 'ever', 'never'].includes(is)) return fc.constant(undefined)
  if (/ampaign$/.test(is)) return fc.constantFrom(...ids.campaigns)
  if (/^(in|notIn)(Last|Next)$|^yearlyIn$/.test(is)) return fc.constantFrom(...(is === 'yearlyIn' ? [0, 8, 300] : DAYS))
  if (is === 'before' || is === 'after') return fc.constantFrom('2026-05-01', '2027-02-18', '1988-02-29')
  if (['above', 'below', 'atLeast', 'atMost'].includes(is)) return fc.constantFrom(12, 12.5, -3, 0)
  if (field === 'list') return fc.constantFrom(...ids.lists)
  if (field === 'tag') return fc.constantFrom(...ids.tags)
  if (field === 'status') return fc.constantFrom('subscribed', 'pending', 'unsubscribed', 'bounced', 'suppressed')
  if (field === 'source') return fc.constantFrom('manual', 'api')
  if (field === 'channel') return fc.constantFrom('email', 'whatsapp')
  if (field === 'clickedLink') return fc.constantFrom(...URLS)
  return fc.constantFrom('ada', 'Ada', '%', '_', '5_0', 'a\\b', '\\', 'ünal', '12', 'person_', 'example.com', 'true')
}

const FIELDS = [
  ...Object.keys(CONDITIONS).filter((field) => field !== 'search' && field !== 'consent'),
  'attributes.plan',
  'attributes.born',
  'event.Order paid',
]

const arbitraryFilter = (ids: Ids): fc.Arbitrary<ContactFilter> => {
  const condition = fc
    .constantFrom(
      ...FIELDS.flatMap((field) => Object.keys(findOperators(field) ?? {}).map((is) => [field, is] as const)),
    )
    .chain(([field, is]) =>
      valueFor(field, is, ids).map((value): Condition => ({ field, is, ...(value !== undefined && { value }) })),
    )
  return fc.letrec<{ group: ContactFilter; item: ContactFilter | Condition }>((tie) => ({
    group: fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      items: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
    }),
    item: fc.oneof({ maxDepth: 3, withCrossShrink: true }, condition, tie('group')),
  })).group
}

/** Stores contacts as other features store them. Returns their ids, in their order. */
async function store({ db }: Services, { workspaceId }: Person, contacts: PlainContact[]): Promise<string[]> {
  const stored: string[] = []
  const link = (url: string) => URLS.indexOf(url)
  for (const [index, contact] of contacts.entries()) {
    const { phone, name, source, createdAt } = contact
    const email = contact.email && `${index}.${contact.email}`
    contact.email = email
    const emailKey = email?.toLowerCase() ?? null
    const attributes = JSON.stringify(contact.attributes)
    const { id } = await db
      .insertInto('contacts')
      .values({ workspaceId, email, emailKey, phone, name, source, createdAt, attributes })
      .returning('id')
      .executeTakeFirstOrThrow()
    stored.push(id)
    for (const [listId, status] of Object.entries(contact.lists)) {
      const at = contact.since[listId] ?? NOW
      await db.insertInto('listMembers').values({ workspaceId, listId, contactId: id, status, at }).execute()
    }
    for (const tagId of contact.tags)
      await db.insertInto('contactTags').values({ workspaceId, tagId, contactId: id }).execute()
    for (const { name, at } of contact.events)
      await db.insertInto('contactEvents').values({ workspaceId, contactId: id, name, at, recordedAt: NOW }).execute()
    if (contact.suppressed && email && emailKey)
      await db
        .insertInto('suppressions')
        .values({ workspaceId, channel: 'email', address: email, addressKey: emailKey, reason: contact.suppressed })
        .execute()
    for (const { campaignId, sentAt, isBounced, repliedAt, events } of contact.messages) {
      const { id: messageId } = await db
        .insertInto('messages')
        .values({
          workspaceId,
          campaignId,
          contactId: id,
          address: email ?? '',
          state: isBounced ? 'bounced' : 'sent',
          sentAt,
          dueAt: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (repliedAt)
        await db
          .insertInto('gmailMessages')
          .values({ workspaceId, messageId, campaignId, senderId: '1', repliedAt })
          .execute()
      for (const { kind, at, isHuman, url } of events)
        await db
          .insertInto('events')
          .values({
            workspaceId,
            campaignId,
            messageId,
            kind,
            at,
            class: isHuman ? 'human' : 'machine',
            link: url ? link(url) : null,
          })
          .execute()
    }
  }
  return stored
}

test('segment: for random filters and contacts, its SQL finds whom the plain evaluator finds', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const { workspaceId, api } = person
  const { db } = t.services
  const ids: Ids = { lists: [], tags: [], campaigns: [] }
  for (const name of ['One', 'Two']) {
    ids.lists.push((await api(lists.create, { body: { name } })).id)
    ids.tags.push((await api(tags.create, { body: { name } })).id)
    const campaignId = (await api(campaigns.create, { body: { name } })).id
    ids.campaigns.push(campaignId)
    for (const [index, url] of URLS.entries())
      await db.insertInto('campaignLinks').values({ workspaceId, campaignId, link: index, url }).execute()
  }
  const contacts = fc.sample(arbitraryContact(ids), { numRuns: 40, seed: 20_261_125 })
  const stored = await store(t.services, person, contacts)
  await fc.assert(
    fc.asyncProperty(arbitraryFilter(ids), async (filter) => {
      fc.pre(countLookups(filter) <= MAX_LOOKUPS)
      expect(ContactFilter.safeParse(filter).error?.issues).toBeUndefined()
      const condition = compileFilter({ workspaceId, now: NOW }, filter)
      const { rows } = await sql<{ id: string }>`
        select c.id from contacts c where c.workspace_id = ${workspaceId} and (${condition}) order by c.id`.execute(db)
      const expected = stored.filter((_, index) => evaluate(contacts[index] as PlainContact, filter, NOW))
      expect(rows.map(({ id }) => id)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
