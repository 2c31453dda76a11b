import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { contactTimeline, type TimelineEntry } from '#contracts/contacts/timeline.ts'
import { sentCampaign } from '#server/features/tracking/testing.ts'
import { type Person, sharedApp } from '#server/testing/app.ts'

/** The whole timeline, so many entries at a time. */
async function readAll(person: Person, id: string, limit: number) {
  const entries: TimelineEntry[] = []
  let cursor: string | undefined
  let pages = 0
  for (;;) {
    const page = await person.api(contactTimeline.show, { params: { id }, query: { limit, ...(cursor && { cursor }) } })
    entries.push(...page.items)
    pages++
    if (!page.nextCursor) return { entries, pages }
    cursor = page.nextCursor
  }
}

test('timeline: messages, opens by people and bots, lists and suppressions are listed, newest first', async () => {
  const t = await sharedApp()
  const [person, other] = [await t.person(), await t.person()]
  const sent = await sentCampaign(t.services, person, { people: 1 })
  const { id: messageId = '', contactId = '' } = sent.messages[0] ?? {}
  const list = await person.api(lists.create, { body: { name: 'Readers of <news>' } })
  await person.api(contacts.update, { params: { id: contactId }, body: { lists: [list.id] } })
  const values = { workspaceId: person.workspaceId, campaignId: sent.id, messageId }
  await t.services.db
    .insertInto('events')
    .values([
      { ...values, kind: 'open', class: 'machine', at: new Date('2026-01-02T10:00:00Z') },
      { ...values, kind: 'click', class: 'human', link: 0, times: 2, at: new Date('2026-01-02T11:00:00Z') },
    ])
    .execute()
  const { entries } = await readAll(person, contactId, 50)
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  const find = (kind: TimelineEntry['kind']) => entries.find((entry) => entry.kind === kind)
  expect(find('message')).toMatchObject({
    state: 'sent',
    campaign: { id: sent.id, name: 'News', channel: 'email', step: 1 },
  })
  expect(find('open')).toMatchObject({ isBot: true })
  expect(find('click')).toMatchObject({ isBot: false, times: 2, url: 'https://example.com/one' })
  expect(entries.find(({ detail }) => detail === 'Readers of <news>')).toMatchObject({ kind: 'list_joined' })
  expect(find('added')).toMatchObject({ isBot: null, campaign: null })
  const foreign = { params: { id: contactId }, query: {} }
  await expect(other.api(contactTimeline.show, foreign)).rejects.toMatchObject({ status: 404 })
  await expect(
    person.api(contactTimeline.show, { ...foreign, query: { cursor: 'bm9uc2Vuc2U' } }),
  ).rejects.toMatchObject({ status: 400 })
})

test('timeline: edits name their fields, values and editor, and merges and confirmations are listed', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const { api } = person
  const tag = await api(tags.create, { body: { name: 'VIP' } })
  const list = await api(lists.create, { body: { name: 'Garden news', optin: 'double' } })
  const early = await api(tags.create, { body: { name: 'Early' } })
  const { id } = await api(contacts.create, {
    body: { email: 'ann@edits.example', attributes: { city: 'Bonn' }, tags: [early.id] },
  })
  const params = { id }
  await api(contacts.update, {
    params,
    body: {
      name: 'Ann',
      attributes: { city: `${'K'.repeat(98)}😀${'K'.repeat(50)}`, plan: 'gold' },
      tags: [early.id, tag.id],
    },
  })
  await api(contacts.update, { params, body: { name: 'Ann', tags: [early.id, tag.id] } })
  await api(contacts.upsert, { params: { address: 'ann@edits.example' }, body: { phone: '+491701234567' } })
  await api(contacts.update, { params, body: { lists: [list.id] } })
  const link = /\/c\/\S+/.exec((await t.sink.mailTo('ann@edits.example')).text ?? '')?.[0] ?? ''
  await t.inject({ method: 'POST', url: link, headers: { 'user-agent': 'Reader/1' } })
  const other = await api(contacts.create, { body: { email: 'anne@edits.example' } })
  await api(contacts.update, { params: { id: other.id }, body: { name: 'Anne' } })
  const { mergeId } = await api(contactMerges.merge, { params, body: { otherId: other.id } })
  const find = async (kind: TimelineEntry['kind']) =>
    (await readAll(person, id, 50)).entries.filter((entry) => entry.kind === kind).map(({ detail }) => detail)
  expect((await find('edited')).toSorted()).toEqual(['name', 'name, city, plan, tags', 'phone'])
  expect((await readAll(person, id, 50)).entries.find(({ detail }) => detail.startsWith('name, city'))).toMatchObject({
    editor: expect.stringMatching(/./),
    changes: [
      { field: 'name', from: null, to: 'Ann' },
      { field: 'city', from: 'Bonn', to: `${'K'.repeat(98)}\ufffd…` },
      { field: 'plan', from: null, to: 'gold' },
      { field: 'tags', from: 'Early', to: 'Early, VIP' },
    ],
  })
  expect(await find('tagged')).toEqual(['Early'])
  expect(await find('merged')).toEqual(['anne@edits.example'])
  expect((await readAll(person, id, 50)).entries.find(({ kind }) => kind === 'confirmed')).toMatchObject({
    detail: 'Garden news',
    visitor: { userAgent: 'Reader/1' },
  })
  await api(contactMerges.undo, { params, body: { mergeId } })
  expect([await find('merged'), (await find('edited')).includes('name')]).toEqual([[], false])
})

test('timeline: 5,000 events at a few moments are paged, each once', async () => {
  const t = await sharedApp()
  const person = await t.person()
  const sent = await sentCampaign(t.services, person, { people: 1 })
  const { id: messageId, contactId = '' } = sent.messages[0] ?? {}
  await t.services.pool.query(
    `insert into events (workspace_id, campaign_id, message_id, kind, class, at)
      select $1, $2, $3, 'open', 'human', timestamptz '2026-01-01' + make_interval(mins => n / 700) from generate_series(1, 5000) n`,
    [person.workspaceId, sent.id, messageId],
  )
  const { entries, pages } = await readAll(person, contactId, 200)
  const opens = entries.filter(({ kind }) => kind === 'open')
  expect([opens.length, new Set(opens.map(({ key }) => key)).size, pages]).toEqual([5_000, 5_000, 26])
})
