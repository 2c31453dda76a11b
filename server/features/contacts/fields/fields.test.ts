import { beforeAll, expect, test } from 'vitest'
import { contactsBulk } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { fields } from '#contracts/contacts/fields.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const refused = (status: number, code: string) => expect.objectContaining({ status, code })
const named = (field: string) => expect.objectContaining({ status: 400, details: [expect.objectContaining({ field })] })

const showAll = async ({ api }: Person) => (await api(fields.list, { query: {} })).items

test('field: it is created with a type, shown, relabelled, renamed while nothing uses it, and refused twice', async () => {
  const person = await t.person()
  const { api } = person
  const plan = await api(fields.create, {
    body: { name: 'plan', label: 'Plan', type: 'choice', choices: ['Gold', 'Silver'], default: 'Silver' },
  })
  expect(plan).toMatchObject({ name: 'plan', label: 'Plan', type: 'choice', default: 'Silver' })
  await expect(api(fields.create, { body: { name: 'plan' } })).rejects.toEqual(refused(409, 'name_taken'))
  await expect(api(fields.create, { body: { name: 'email' } })).rejects.toEqual(named('name'))
  await expect(api(fields.create, { body: { name: 'x', type: 'choice' } })).rejects.toEqual(named('choices'))
  await expect(api(fields.create, { body: { name: 'x', choices: ['A'] } })).rejects.toEqual(named('choices'))
  const wrongDefault = { name: 'age', type: 'number' as const, default: 'old' }
  await expect(api(fields.create, { body: wrongDefault })).rejects.toEqual(named('default'))
  const change = { params: { id: plan.id }, body: { label: 'Tariff', type: 'text' as const } }
  expect(await api(fields.update, change)).toMatchObject({ label: 'Tariff', type: 'text', choices: [], name: 'plan' })
  // What knows it by its name keeps the name; without that, values go with it.
  const ann = await api(contacts.create, {
    body: { email: 'ann@rename.example', attributes: { plan: 'Gold', city: 'Bonn' } },
  })
  const rename = (name: string) => api(fields.update, { params: { id: plan.id }, body: { name } })
  const filter = { op: 'and' as const, items: [{ field: 'attributes.plan', is: 'equal' as const, value: 'Gold' }] }
  const users = [
    [
      'template',
      templates,
      await api(templates.create, { body: { name: 'News', html: '<p>{{ attributes.plan }}</p>' } }),
    ],
    ['segment', segments, await api(segments.create, { body: { name: 'Golden', filter } })],
  ] as const
  await api(templates.create, { body: { name: 'Other', html: '<p>{{ attributes.planet }}</p>' } })
  await expect(rename('tariff')).rejects.toMatchObject({
    ...{ status: 409, code: 'field_in_use' },
    details: [{ field: 'name', message: expect.stringContaining('the template “News” and the segment “Golden”') }],
  })
  expect((await api(fields.uses, { params: { id: plan.id } })).items).toEqual(
    users.map(([kind, , { id, name }]) => ({ kind, id, name, campaign: null })),
  )
  for (const [, calls, { id }] of users) await api(calls.remove, { params: { id } })
  await expect(rename('city')).rejects.toEqual(refused(409, 'name_taken'))
  expect(await rename('tariff')).toMatchObject({ name: 'tariff', label: 'Tariff' })
  expect((await api(contacts.get, { params: { id: ann.id } })).attributes).toEqual({ tariff: 'Gold', city: 'Bonn' })
  await api(contacts.remove, { params: { id: ann.id } })
  const [, city] = await showAll(person)
  await api(fields.remove, { params: { id: city?.id ?? '' } })
  const other = await t.person()
  await expect(other.api(fields.get, { params: { id: plan.id } })).rejects.toEqual(refused(404, 'not_found'))
  await expect(other.api(fields.update, change)).rejects.toEqual(refused(404, 'not_found'))
  expect(await showAll(person)).toHaveLength(1)
  expect(await showAll(other)).toEqual([])
})

test('field: contacts take only what its type holds, by hand, by API and many at once', async () => {
  const person = await t.person()
  const { api } = person
  await api(fields.create, { body: { name: 'age', type: 'number' } })
  await api(fields.create, { body: { name: 'born', type: 'date' } })
  const body = { email: 'ann@example.com', attributes: { age: '42', born: '1984-05-01', city: 'Bonn' } }
  const ann = await api(contacts.create, { body })
  expect(ann.attributes).toEqual({ age: 42, born: '1984-05-01', city: 'Bonn' })
  // A name nobody defined is a text field from now on.
  expect(await showAll(person)).toMatchObject([{ name: 'age' }, { name: 'born' }, { name: 'city', type: 'text' }])
  const refuse = (attributes: Record<string, string>) =>
    expect(api(contacts.update, { params: { id: ann.id }, body: { attributes } })).rejects
  await refuse({ age: 'old' }).toEqual(named('attributes.age'))
  await refuse({ born: '1984-13-01' }).toEqual(named('attributes.born'))
  const upsert = { params: { address: 'ann@example.com' }, body: { attributes: { age: 'x' } } }
  await expect(api(contacts.upsert, upsert)).rejects.toEqual(named('attributes.age'))
  const change = { ids: [ann.id], action: 'setField' as const, value: { attributes: { age: 'x' } } }
  await expect(api(contactsBulk.start, { body: change })).rejects.toEqual(named('value.attributes.age'))
  const cleared = await api(contacts.update, { params: { id: ann.id }, body: { attributes: { age: '' } } })
  expect(cleared.attributes).toEqual({ born: '1984-05-01', city: 'Bonn' })
})

test('field: an import makes unknown ones and lists the rows whose values do not fit', async () => {
  const person = await t.person()
  const { api } = person
  await api(fields.create, { body: { name: 'tariff', label: 'Plan', type: 'choice', choices: ['Gold'] } })
  const form = new FormData()
  form.set('file', new Blob(['Email,Plan,City\nann@example.com,gold,Bonn\nbad@example.com,Tin,Kiel\n']), 'people.csv')
  form.set('mapping', JSON.stringify({ Email: 'email', Plan: 'tariff', City: 'City' }))
  const preview = new FormData()
  preview.set('file', new Blob(['Email,Plan\nann@example.com,gold\n']), 'people.csv')
  expect((await api(contacts.importPreview, { form: preview })).mapping).toMatchObject({ Plan: 'tariff' })
  const { importId } = await api(contacts.import, { form })
  const job = await until(async () => {
    const now = await api(imports.get, { params: { id: importId } })
    return now.state === 'done' || now.state === 'failed' ? now : undefined
  }, 'the end of an import')
  expect(job).toMatchObject({ imported: 1, errors: [{ row: 3, reason: 'Tin in Plan is none of the choices: Gold' }] })
  const [ann] = (await api(contacts.list, { query: {} })).items
  expect(ann?.attributes).toEqual({ tariff: 'Gold', City: 'Bonn' })
  expect(await showAll(person)).toMatchObject([{ name: 'tariff' }, { name: 'City' }])
})

test('field: a deleted one goes from all contacts, its segment says so and finds nobody, and its name can be used again', async () => {
  const person = await t.person()
  const { api } = person
  const city = await api(fields.create, { body: { name: 'city' } })
  const ann = await api(contacts.create, { body: { email: 'ann@example.com', attributes: { city: 'Bonn', age: 4 } } })
  const filter = { op: 'and' as const, items: [{ field: 'attributes.city', is: 'notEqual', value: 'Kiel' }] }
  const segment = await api(segments.create, { body: { name: 'Not Kiel', filter } })
  const count = async () => (await api(contacts.list, { query: { segmentId: segment.id } })).items.length
  expect(await count()).toBe(1)
  await api(fields.remove, { params: { id: city.id } })
  await until(
    async () => !('city' in (await api(contacts.get, { params: { id: ann.id } })).attributes),
    'the values to be gone',
  )
  expect(await count()).toBe(0)
  expect((await api(segments.get, { params: { id: segment.id } })).problems).toMatchObject([{ field: 'items.0.field' }])
  await expect(api(segments.preview, { body: { filter } })).rejects.toEqual(named('filter.items.0.field'))
  expect(await api(contacts.get, { params: { id: ann.id } })).toMatchObject({ attributes: { age: 4 } })
  await api(fields.create, { body: { name: 'city' } })
  expect(await count()).toBe(1)
})
