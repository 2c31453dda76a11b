import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { draftTo, untilState } from '#server/testing/campaign.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const refused = (status: number, code: string) => expect.objectContaining({ status, code })
const named = (field: string) => expect.objectContaining({ status: 400, details: [expect.objectContaining({ field })] })

test('merge: one contact has what both had, and undone both have what was theirs', async () => {
  const person = await t.person()
  const { api } = person
  const [shared, theirs] = [
    await api(lists.create, { body: { name: 'Both' } }),
    await api(lists.create, { body: { name: 'Theirs' } }),
  ]
  const vip = await api(tags.create, { body: { name: 'VIP' } })
  const kept = await api(contacts.create, {
    body: { email: 'ann@example.com', attributes: { city: 'Bonn' }, lists: [shared.id] },
  })
  const other = await api(contacts.create, {
    body: {
      email: 'ann.reed@example.com',
      phone: '+4930123456',
      name: 'Ann Reed',
      attributes: { city: 'Kiel', plan: 'Gold' },
      lists: [shared.id, theirs.id],
      tags: [vip.id],
    },
  })
  const draft = await draftTo(person, theirs.id)
  await api(campaigns.send, { params: { id: draft.id }, body: {} })
  await untilState(person, draft.id, ['sent'])
  const merged = await api(contactMerges.merge, { params: { id: kept.id }, body: { otherId: other.id } })
  expect(merged).toMatchObject({
    email: 'ann@example.com',
    phone: '+4930123456',
    name: 'Ann Reed',
    attributes: { city: 'Bonn', plan: 'Gold' },
    lists: [shared.id, theirs.id],
    tags: [vip.id],
    conflicts: [
      { field: 'email', kept: 'ann@example.com', dropped: 'ann.reed@example.com' },
      { field: 'attributes.city', kept: 'Bonn', dropped: 'Kiel' },
    ],
  })
  await expect(api(contacts.get, { params: { id: other.id } })).rejects.toEqual(refused(404, 'not_found'))
  const known = await (await api(contactTimeline.export, { params: { id: kept.id } })).text()
  expect(JSON.parse(known)).toMatchObject({
    contact: { email: 'ann@example.com' },
    lists: ['Both', 'Theirs'],
    tags: ['VIP'],
    isTimelineComplete: true,
    timeline: expect.arrayContaining([expect.objectContaining({ kind: 'message' })]),
  })
  await expect(api(contactTimeline.export, { params: { id: other.id } })).rejects.toEqual(refused(404, 'not_found'))
  const kinds = async (id: string) =>
    (await api(contactTimeline.show, { params: { id }, query: {} })).items.map(({ kind }) => kind)
  expect(await kinds(kept.id)).toContain('message')
  expect((await api(contactMerges.list, { params: { id: kept.id } })).items).toMatchObject([
    { id: merged.mergeId, other: 'ann.reed@example.com' },
  ])
  await api(contacts.update, { params: { id: kept.id }, body: { attributes: { plan: 'Silver' } } })
  const undone = await api(contactMerges.undo, { params: { id: kept.id }, body: { mergeId: merged.mergeId } })
  // What was changed in the meantime stays.
  expect(undone).toMatchObject({ phone: null, name: '', attributes: { city: 'Bonn', plan: 'Silver' }, tags: [] })
  expect(undone.lists).toEqual([shared.id])
  expect(await api(contacts.get, { params: { id: other.id } })).toMatchObject({
    email: 'ann.reed@example.com',
    phone: '+4930123456',
    attributes: { city: 'Kiel', plan: 'Gold' },
    lists: [shared.id, theirs.id],
    tags: [vip.id],
  })
  expect([(await kinds(kept.id)).includes('message'), (await kinds(other.id)).includes('message')]).toEqual([
    false,
    true,
  ])
  expect((await api(contactMerges.list, { params: { id: kept.id } })).items).toEqual([])
})

test('merge: who unsubscribed under one address is not written to under the other', async () => {
  const { api } = await t.person()
  const kept = await api(contacts.create, { body: { email: 'new@example.com' } })
  const other = await api(contacts.create, { body: { email: 'old@example.com' } })
  await api(suppressions.create, { body: { address: 'old@example.com', reason: 'unsubscribe' } })
  const merge = { params: { id: kept.id }, body: { otherId: other.id } }
  const { mergeId, status } = await api(contactMerges.merge, merge)
  expect(status).toBe('unsubscribed')
  expect(await api(contactMerges.undo, { params: { id: kept.id }, body: { mergeId } })).toMatchObject({
    status: 'subscribed',
  })
})

test('merge: itself, strangers, a second undo and a taken address are refused, and nothing is changed', async () => {
  const [{ api }, eve] = [await t.person(), await t.person()]
  const kept = await api(contacts.create, { body: { email: 'ann@example.com' } })
  const other = await api(contacts.create, { body: { email: 'ben@example.com' } })
  const stranger = await eve.api(contacts.create, { body: { email: 'eve@example.com' } })
  const merge = (otherId: string) => api(contactMerges.merge, { params: { id: kept.id }, body: { otherId } })
  await expect(merge(kept.id)).rejects.toEqual(named('otherId'))
  await expect(merge(stranger.id)).rejects.toEqual(named('otherId'))
  const foreign = { params: { id: stranger.id }, body: { otherId: other.id } }
  await expect(api(contactMerges.merge, foreign)).rejects.toEqual(refused(404, 'not_found'))
  const { mergeId } = await merge(other.id)
  const undo = () => api(contactMerges.undo, { params: { id: kept.id }, body: { mergeId } })
  await expect(eve.api(contactMerges.undo, { params: { id: stranger.id }, body: { mergeId } })).rejects.toEqual(
    named('mergeId'),
  )
  const again = await api(contacts.create, { body: { email: 'ben@example.com' } })
  await expect(undo()).rejects.toEqual(refused(409, 'address_taken'))
  await api(contacts.remove, { params: { id: again.id } })
  await undo()
  await expect(undo()).rejects.toEqual(named('mergeId'))
})

test('merge: merges one after the other are undone in turn, and erasing forgets them all', async () => {
  const { api } = await t.person()
  const make = (name: string) =>
    api(contacts.create, { body: { email: `${name}@example.com`, attributes: { [name]: name } } })
  const [one, two, three] = [await make('one'), await make('two'), await make('three')]
  const merge = (id: string, otherId: string) => api(contactMerges.merge, { params: { id }, body: { otherId } })
  const undo = (id: string, mergeId: string) => api(contactMerges.undo, { params: { id }, body: { mergeId } })
  const first = (await merge(two.id, one.id)).mergeId
  const second = (await merge(three.id, two.id)).mergeId
  await expect(undo(three.id, first)).rejects.toEqual(named('mergeId'))
  expect((await undo(three.id, second)).attributes).toEqual({ three: 'three' })
  expect((await undo(two.id, first)).attributes).toEqual({ two: 'two' })
  expect(await api(contacts.get, { params: { id: one.id } })).toMatchObject({
    email: 'one@example.com',
    attributes: { one: 'one' },
  })
  await merge(two.id, one.id)
  await merge(three.id, two.id)
  await api(contacts.remove, { params: { id: three.id } })
  const left = t.services.db.selectFrom('contactMerges').where('contactId', 'in', [two.id, three.id]).select('id')
  expect(await left.execute()).toEqual([])
})

test('merge: of changes at the same moment none is undone, and no list has a contact that is gone', async () => {
  const { api, workspaceId } = await t.person()
  const made = await Promise.all(['One', 'Two', 'Three'].map((name) => api(lists.create, { body: { name } })))
  const ids = made.map(({ id }) => id)
  const kept = await api(contacts.create, { body: { email: 'kept@example.com' } })
  const other = await api(contacts.create, { body: { email: 'other@example.com' } })
  const change = (id: string, i: number) => api(contacts.update, { params: { id }, body: { lists: ids.slice(i % 3) } })
  await Promise.all(Array.from({ length: 12 }, (_, i) => change(kept.id, i)))
  const results = await Promise.allSettled([
    ...Array.from({ length: 12 }, (_, i) => change(other.id, i)),
    api(contactMerges.merge, { params: { id: kept.id }, body: { otherId: other.id } }),
  ])
  for (const one of results) if (one.status === 'rejected') expect(one.reason).toEqual(refused(404, 'not_found'))
  const members = t.services.db.selectFrom('listMembers').where('workspaceId', '=', workspaceId).select('contactId')
  expect(new Set((await members.execute()).map(({ contactId }) => contactId))).toEqual(new Set([kept.id]))
})
