import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

async function suppressFile({ api }: Person, rows: string[], reason?: string) {
  const form = new FormData()
  form.set('file', new Blob([rows.join('\n')]), 'gone.csv')
  if (reason) form.set('reason', reason)
  const { importId } = await api(suppressions.import, { form })
  return until(async () => {
    const job = await api(imports.get, { params: { id: importId } })
    return job.state === 'done' || job.state === 'failed' ? job : undefined
  }, 'the end of an import')
}

test('suppressions: a file of them is imported with bad rows listed, adds no contact, and exports as it is', async () => {
  const person = await t.person()
  const { api } = person
  const list = await api(lists.create, { body: { name: 'News' } })
  const ann = await api(contacts.create, { body: { email: 'ann@example.com', lists: [list.id] } })
  await api(suppressions.create, { body: { address: 'known@example.com' } })
  const rows = ['Email,Phone,City', 'Ann@Example.com,,Bonn', 'known@example.com,,', ',+4930123456,', 'nonsense,,']
  const job = await suppressFile(person, rows, 'unsubscribe')
  expect(job).toMatchObject({ state: 'done', target: 'suppressions', imported: 2, updated: 1, errors: [{ row: 5 }] })
  expect((await api(contacts.list, { query: {} })).items).toHaveLength(1)
  // What the person said elsewhere holds for every list here.
  expect(await api(contacts.get, { params: { id: ann.id } })).toMatchObject({ status: 'unsubscribed', lists: [] })
  const csv = await (await api(suppressions.export)).text()
  const lines = csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').slice(0, 3).join())
  expect(lines.slice(1).sort()).toEqual([
    // With the mark that keeps a spreadsheet from computing it; an import takes it away again.
    `"'+4930123456","whatsapp","unsubscribe"`,
    '"Ann@example.com","email","unsubscribe"',
    // The person's own word, where the workspace could have lifted its block.
    '"known@example.com","email","unsubscribe"',
  ])
  expect(await suppressFile(person, rows)).toMatchObject({ imported: 0, updated: 3 })
})

test('suppressions: an export is imported elsewhere with its domains and numbers', async () => {
  const { api } = await t.person()
  for (const body of [{ domain: 'rival.example' }, { phone: '+4930123456' }, { phone: '+4930123457' }])
    await api(suppressions.create, { body })
  await api(suppressions.create, { body: { address: 'ann@example.com' } })
  const exported = (await (await api(suppressions.export)).text()).trim().split('\r\n')
  const other = await t.person()
  const rows = [...exported, '@nonsense,email', '+49 12,whatsapp']
  expect(await suppressFile(other, rows)).toMatchObject({
    imported: 4,
    errors: [
      { row: 6, reason: 'the part after the @ is not a domain such as example.com' },
      { row: 7, reason: 'the email address has no @' },
    ],
  })
  const shown = (await other.api(suppressions.list, { query: {} })).items
  expect(shown.map(({ address, channel, reason }) => `${address} ${channel} ${reason}`).sort()).toEqual([
    '+4930123456 whatsapp import',
    '+4930123457 whatsapp import',
    '@rival.example email import',
    'ann@example.com email import',
  ])
  // A whole domain neither unsubscribed nor complained.
  const wrong = { imported: 0, errors: [{ row: 2, reason: 'a whole domain is not suppressed as complaint' }] }
  expect(await suppressFile(other, ['address', '@other.example'], 'complaint')).toMatchObject(wrong)
  // And no contact has a domain for its address.
  const form = new FormData()
  form.set('file', new Blob(['email\n@rival.example\nbob@example.com']), 'people.csv')
  const { importId } = await other.api(contacts.import, { form })
  const job = await until(async () => {
    const job = await other.api(imports.get, { params: { id: importId } })
    return job.state === 'done' ? job : undefined
  }, 'the end of an import')
  expect(job).toMatchObject({ imported: 1, errors: [{ row: 2 }] })
})

test('suppressions: a file without addresses, and an unknown reason, are refused', async () => {
  const person = await t.person()
  const refused = (field: string) =>
    expect.objectContaining({ status: 400, details: [expect.objectContaining({ field })] })
  await expect(suppressFile(person, ['City', 'Bonn'])).rejects.toEqual(refused('mapping'))
  await expect(suppressFile(person, ['Email', 'a@example.com'], 'because')).rejects.toEqual(refused('reason'))
  expect((await person.api(suppressions.list, { query: {} })).items).toEqual([])
})
