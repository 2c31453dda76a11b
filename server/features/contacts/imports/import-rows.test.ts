import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neutralize } from '#server/platform/csv.ts'
import { RowReader } from './import-rows.ts'

/** The contact made of one row, or why there is none. */
function readOne(cells: string[]) {
  const reader = new RowReader(
    ['email', 'name', 'note'],
    { email: 'email', name: 'name', note: 'note' },
    { keep: 'last' },
  )
  reader.add({ row: 2, cells, problem: null })
  return reader.take()
}

test('import rows: whatever a cell holds, its value is trimmed and without what the database cannot hold', () => {
  const unit = fc.oneof(fc.constantFrom(' ', "'", '=', '\t', '\n', '\0', '\u007f', '\u00a0', '\ud800', 'ü', '😀', 'a'))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 6 }), (text) => {
      const [contact] = readOne(['a@example.com', text, neutralize(text)]).ready
      const clean = text
        .replace(/[^\P{Cc}\t\n\r]/gu, ' ')
        .toWellFormed()
        .trim()
      expect(JSON.parse(contact?.attributes ?? '')).toEqual(clean === '' ? {} : { note: clean })
      expect(contact?.name).toMatch(/^(\S+( \S+)*)?$/u)
    }),
  )
})

test('import rows: an address as it is stored is one text, and rows are counted for one portion alone', () => {
  const reader = new RowReader(['email'], { email: 'email' }, { keep: 'last' })
  for (const [at, email] of ['ann@example.com', 'Ann@Example.com', 'no address'].entries())
    reader.add({ row: at + 2, cells: [email], problem: null })
  expect(reader.take()).toMatchObject({
    rows: 3,
    ready: [{ email: 'ann@example.com', key: 'ann@example.com' }],
    duplicates: 1,
    bad: [{ row: 4 }],
  })
  expect(reader.take()).toEqual({
    rows: 0,
    ready: [],
    bad: [],
    undated: [],
    invalidDates: 0,
    duplicates: 0,
    invalidPhones: 0,
  })
})
