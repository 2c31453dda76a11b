import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvReader } from './csv.ts'

function read(text: string, delimiter = ',', cuts: number[] = []) {
  const reader = new CsvReader(delimiter)
  const rows = []
  let from = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    if (cut <= from || cut >= text.length) continue
    rows.push(...reader.push(text.slice(from, cut)))
    from = cut
  }
  rows.push(...reader.push(text.slice(from)), ...reader.end())
  return rows
}

const cells = (text: string, delimiter = ',') => read(text, delimiter).map((row) => row.cells)

test('csv: quoted line ends, doubled quotes and every kind of line end are read', () => {
  expect(cells('a,b\r\n"x\r\ny","say ""hi"""\rlone,cr\nlast,row')).toEqual([
    ['a', 'b'],
    ['x\r\ny', 'say "hi"'],
    ['lone', 'cr'],
    ['last', 'row'],
  ])
})

test('csv: any quoted text is read back as written and as csv-parse reads it, in any chunks', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r', ' ', '日'), maxLength: 8 })
  const line = fc.record({
    cells: fc.array(fc.record({ text: cell, quoted: fc.boolean() }), { minLength: 1, maxLength: 5 }),
    end: fc.constantFrom('\n', '\r\n', '\r'),
  })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.array(fc.nat(200), { maxLength: 6 }),
      (lines, ended, cuts) => {
        // The last row counts as blank when nothing is in it; a sentinel keeps every row.
        const written = lines.map(({ cells, end }) => {
          const texts = cells.map(({ text, quoted }) =>
            quoted || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
          )
          return `x,${texts.join(',')}${end}`
        })
        const text = ended ? written.join('') : written.join('').replace(/(\r\n|\r|\n)$/, '')
        const got = read(text, ',', cuts)
        expect(got.map((row) => row.cells)).toEqual(lines.map(({ cells }) => ['x', ...cells.map((c) => c.text)]))
        expect(got.map((row) => row.row)).toEqual(lines.map((_, i) => i + 1))
        expect(got.map((row) => row.cells)).toEqual(
          parse(text, { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }),
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('csv: any text is read the same in any chunks, and every row is counted once', () => {
  const soup = fc.string({ unit: fc.constantFrom('a', 'b', '"', '"', ',', '\n', '\r', ' '), maxLength: 60 })
  fc.assert(
    fc.property(soup, fc.array(fc.nat(60), { maxLength: 8 }), (text, cuts) => {
      const whole = read(text)
      expect(read(text, ',', cuts)).toEqual(whole)
      expect(new Set(whole.map((row) => row.row)).size).toBe(whole.length)
    }),
    { numRuns: 2_000 },
  )
})

test('csv: a row with an unclosed quotation mark is reported, and the next rows are read', () => {
  expect(read('a,b\n1,"half\n2,two\n3,"three"\n')).toEqual(
    [
      { row: 1, cells: ['a', 'b'], problem: null },
      { row: 2, cells: [], problem: 'a quotation mark is opened and never closed' },
      { row: 3, cells: ['2', 'two'], problem: null },
      { row: 4, cells: ['3', 'three'], problem: null },
    ].map((row, i) => (i === 1 ? { ...row, problem: expect.stringContaining('quotation mark') } : row)),
  )
  expect(read('a,b\n1,x\n2,"half').map((row) => [row.row, row.problem])).toEqual([
    [1, null],
    [2, null],
    [3, 'a quotation mark is opened and never closed'],
  ])
})

test('csv: an unclosed quotation mark in a long file costs one row', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `u${i}@example.com,Name ${i}`)
  rows[100] = 'u100@example.com,"Half'
  const got = read(rows.join('\n'), ',', [1000, 5000, 70_000, 300_000])
  expect(got.length).toBe(20_000)
  expect(got.filter((row) => row.problem).map((row) => row.row)).toEqual([101])
  expect(got.at(-1)).toEqual({ row: 20_000, cells: ['u19999@example.com', 'Name 19999'], problem: null })
})

test('csv: blank rows are skipped and counted', () => {
  expect(read('a,b\n\n , \n1,2\n').map((row) => row.row)).toEqual([1, 4])
})

test('csv: rows that are too long or have too many cells are reported, and the others are read', () => {
  const text = `a,b\n${','.repeat(200)}x\n${'c'.repeat(65_537)},y\n${'r,'.repeat(600_000)}\nq,"${'"",'.repeat(35_000)}"\nok,fine`
  for (const cuts of [[], [10, 70_000, 300_000, 900_000, 1_250_000]]) {
    expect(read(text, ',', cuts).map((row) => [row.row, row.problem])).toEqual([
      [1, null],
      [2, 'the row has more than 200 cells'],
      [3, 'a cell is longer than 64 KB'],
      [4, 'the row is longer than 1 MB'],
      [5, 'a cell is longer than 64 KB'],
      [6, null],
    ])
  }
})

test('csv: reading hostile quotation marks again stops after 64 MB', () => {
  const got = read('a","b\n'.repeat(300_000))
  expect(got.length).toBeGreaterThan(0)
  // Each row reads a megabyte to its end and begins again at the next line: without the limit there were 300,000.
  expect(got.length).toBeLessThan(100)
})
