import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { fields } from '#contracts/contacts/fields.ts'
import { imports } from '#contracts/contacts/imports.ts'
import type { Person } from '#server/testing/app.ts'
import { sharedApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { DateColumns, toDay } from './dates.ts'

/** A person with the custom fields `renewal` and `joined` of type date. */
async function personWithDates(): Promise<Person> {
  const person = await (await sharedApp()).person()
  for (const name of ['renewal', 'joined'])
    await person.api(fields.create, { body: { name, label: name, type: 'date', choices: [] } })
  return person
}

function buildForm(rows: string[], given: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(given)) form.append(name, value)
  form.append('file', new Blob([rows.join('\n')]), 'people.csv')
  return form
}

async function importing(person: Person, rows: string[], given: Record<string, string> = {}) {
  const { importId } = await person.api(contacts.import, { form: buildForm(rows, given) })
  return until(async () => {
    const job = await person.api(imports.get, { params: { id: importId } })
    return job.state === 'done' || job.state === 'failed' ? job : undefined
  }, 'the end of an import')
}

const findDates = async (person: Person) =>
  (await person.api(contacts.list, { query: { limit: 200 } })).items
    .map(({ email, attributes }) => [email, attributes.renewal, attributes.joined])
    .toSorted()

test('import dates: one value decides for its column, and what cannot be read is counted and listed', async () => {
  const person = await personWithDates()
  const rows = [
    'email,renewal,joined',
    'a@example.com,05/06/2026,2/28/2025 10:30',
    'b@example.com,31/12/2026,03/04/2025',
    'c@example.com,soon,02/30/2025',
    'd@example.com,2026-07-01,2025/1/9',
    'no address,31/31/2026,',
  ]
  const job = await importing(person, rows)
  expect(job).toMatchObject({
    ...{ state: 'done', total: 5, imported: 4, skipped: 1, invalidDates: 2, errorCount: 2 },
    dateFormats: { renewal: 'day_first', joined: 'month_first' },
    errors: [
      {
        row: 4,
        reason:
          'soon in renewal is not a date; 02/30/2025 in joined is not a date: the contact was imported without them',
      },
      { row: 6, reason: 'the email address has no @' },
    ],
  })
  expect(await findDates(person)).toEqual([
    ['a@example.com', '2026-06-05', '2025-02-28'],
    ['b@example.com', '2026-12-31', '2025-03-04'],
    ['c@example.com', undefined, undefined],
    ['d@example.com', '2026-07-01', '2025-01-09'],
  ])
  const csv = await (await person.api(imports.errors, { params: { id: job.id } })).text()
  expect(csv).toContain('soon in renewal is not a date')
})

test('import dates: where no value decides, the format that is given counts, and nothing is guessed without it', async () => {
  const person = await personWithDates()
  const rows = ['email,renewal', 'a@example.com,05/06/2026']
  const preview = await person.api(contacts.importPreview, { form: buildForm(rows) })
  expect(preview.dateFormats).toEqual({ renewal: null })
  expect(await importing(person, rows)).toMatchObject({
    ...{ imported: 1, skipped: 0, invalidDates: 1, dateFormats: {} },
    errors: [
      {
        row: 2,
        reason: '05/06/2026 in renewal may begin with the day or with the month: the contact was imported without it',
      },
    ],
  })
  for (const [format, day] of [
    ['month_first', '2026-05-06'],
    ['day_first', '2026-06-05'],
  ] as const) {
    const job = await importing(person, rows, { dateFormats: JSON.stringify({ Renewal: format }) })
    expect(job).toMatchObject({ updated: 1, invalidDates: 0, errorCount: 0, dateFormats: { renewal: format } })
    expect(await findDates(person)).toEqual([['a@example.com', day, undefined]])
  }
  await expect(importing(person, rows, { dateFormats: '{"Born":"day_first"}' })).rejects.toMatchObject({
    details: [{ field: 'dateFormats', message: expect.stringContaining('names the column "Born"') }],
  })
})

test('import dates: a value far down a file decides, and text columns are left as they are', async () => {
  const person = await personWithDates()
  const rows = Array.from({ length: 3_000 }, (_, at) => `p${at}@example.com,01/02/2026,01/02/2026`)
  const job = await importing(person, ['email,renewal,note', ...rows, 'last@example.com,25/02/2026,25/02/2026'])
  expect(job).toMatchObject({ imported: 3_001, invalidDates: 0, dateFormats: { renewal: 'day_first' } })
  const [last] = (await person.api(contacts.list, { query: { q: 'last@' } })).items
  expect(last?.attributes).toEqual({ renewal: '2026-02-25', note: '25/02/2026' })
})

test('import dates: dots mean that the day comes first, and values that contradict each other say nothing', () => {
  const guess = (...cells: string[]) => {
    const columns = new DateColumns(['constructor'])
    for (const cell of cells) columns.add([cell])
    return Object.values(columns.formats)
  }
  expect(guess('01.02.2026')).toEqual(['day_first'])
  expect(guess('01/02/2026', '1-2-2026')).toEqual([null])
  expect(guess('13/01/2026', '01/13/2026')).toEqual([null])
  expect(guess('2026-01-13', 'soon', '1/2/26', '')).toEqual([])
  expect(toDay('1.2.2026, 14:00', 'day_first')).toBe('2026-02-01')
  expect(toDay('1.2/2026', 'day_first')).toBe('1.2/2026')
})
