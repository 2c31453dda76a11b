import { beforeAll, expect, test } from 'vitest'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { tags } from '#contracts/contacts/tags.ts'
import type { Input } from '#contracts/endpoint.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const refused = (status: number, code: string) => expect.objectContaining({ status, code })

async function change({ api }: Person, body: Input<typeof contactsBulk.start>['body']) {
  const { jobId } = await api(contactsBulk.start, { body })
  return until(async () => {
    const job = await api(jobs.get, { params: { id: jobId } })
    return job.state === 'done' || job.state === 'failed' ? job : undefined
  }, 'the end of a change')
}

test('tag: it is created, renamed, counted, filtered by and removed, and its contacts stay', async () => {
  const { api } = await t.person()
  const vip = await api(tags.create, { body: { name: ' VIP ' } })
  const other = await api(tags.create, { body: { name: 'Press' } })
  const ann = await api(contacts.create, { body: { email: 'ann@example.com', tags: [vip.id, other.id] } })
  await api(contacts.create, { body: { email: 'ben@example.com' } })
  expect(ann.tags).toEqual([vip.id, other.id])
  await expect(api(tags.create, { body: { name: 'vip' } })).rejects.toEqual(refused(409, 'name_taken'))
  const renaming = { params: { id: other.id }, body: { name: 'Vip' } }
  await expect(api(tags.update, renaming)).rejects.toEqual(refused(409, 'name_taken'))
  expect(await api(tags.update, { params: { id: vip.id }, body: { name: 'Best' } })).toMatchObject({
    name: 'Best',
    contacts: 1,
  })
  const found = await api(contacts.list, { query: { tag: vip.id } })
  expect([found.items.map(({ email }) => email), found.total]).toEqual([['ann@example.com'], 1])
  expect((await api(contacts.list, { query: { tag: 'best' } })).items).toMatchObject([{ email: 'ann@example.com' }])
  expect((await api(contacts.list, { query: { tag: 'worst' } })).items).toEqual([])
  const csv = await (await api(contacts.export, { query: { tag: vip.id } })).text()
  expect(csv.trim().split('\r\n')[1]).toBe('"ann@example.com","","","subscribed","Best, Press"')
  await api(tags.remove, { params: { id: vip.id } })
  await expect(api(tags.get, { params: { id: vip.id } })).rejects.toEqual(refused(404, 'not_found'))
  expect(await api(contacts.get, { params: { id: ann.id } })).toMatchObject({ tags: [other.id] })
  expect(await api(contacts.update, { params: { id: ann.id }, body: { tags: [] } })).toMatchObject({ tags: [] })
})

test('tag: many contacts get it and lose it, by their ids and by a filter', async () => {
  const person = await t.person()
  const { api } = person
  const tag = await api(tags.create, { body: { name: 'VIP' } })
  const ann = await api(contacts.create, { body: { email: 'ann@example.com' } })
  await api(contacts.create, { body: { email: 'ben@example.com' } })
  expect(await change(person, { ids: [ann.id], action: 'tag', value: tag.id })).toMatchObject({ changed: 1 })
  const everyone = { op: 'and' as const, items: [] }
  expect(await change(person, { filter: everyone, action: 'tag', value: 'vip' })).toMatchObject({ changed: 1 })
  const tagged = { op: 'and' as const, items: [{ field: 'tag' as const, is: 'equal' as const, value: tag.id }] }
  expect(await change(person, { filter: tagged, action: 'untag', value: tag.id })).toMatchObject({ changed: 2 })
  expect(await api(tags.get, { params: { id: tag.id } })).toMatchObject({ contacts: 0 })
})

test('tag: one of another workspace is refused and not told from one that does not exist', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const theirs = await other.api(tags.create, { body: { name: 'Secret' } })
  const mine = await person.api(contacts.create, { body: { email: 'mine@example.com' } })
  const { api } = person
  await expect(api(tags.get, { params: { id: theirs.id } })).rejects.toEqual(refused(404, 'not_found'))
  const named = (field: string) =>
    expect.objectContaining({ status: 400, details: [expect.objectContaining({ field })] })
  const tagging = { ids: [mine.id], action: 'tag' as const, value: theirs.id }
  await expect(api(contactsBulk.start, { body: tagging })).rejects.toEqual(named('value'))
  await expect(api(contactsBulk.start, { body: { ...tagging, value: 'Secret' } })).rejects.toEqual(named('value'))
  const body = { tags: [theirs.id] }
  await expect(api(contacts.update, { params: { id: mine.id }, body })).rejects.toEqual(named('tags'))
  expect((await api(contacts.list, { query: { tag: theirs.id } })).items).toEqual([])
})

test('tag: a column of an import makes the missing ones and puts them on new and known contacts', async () => {
  const { api } = await t.person()
  await api(tags.create, { body: { name: 'VIP' } })
  await api(contacts.create, { body: { email: 'ann@example.com' } })
  const form = new FormData()
  const long = 'x'.repeat(61)
  const rows = [
    'Email,Phone,Tags',
    'ann@example.com,,"vip, Press; Press"',
    ',+4930123456,Press',
    `bad@example.com,,${long}`,
  ]
  form.set('file', new Blob([rows.join('\n')]), 'people.csv')
  const { importId } = await api(contacts.import, { form })
  const job = await until(async () => {
    const now = await api(imports.get, { params: { id: importId } })
    return now.state === 'done' || now.state === 'failed' ? now : undefined
  }, 'the end of an import')
  expect(job).toMatchObject({ state: 'done', imported: 1, updated: 1, errors: [{ row: 4 }] })
  expect((await api(tags.list, { query: {} })).items).toMatchObject([
    { name: 'VIP', contacts: 1 },
    { name: 'Press', contacts: 2 },
  ])
})
