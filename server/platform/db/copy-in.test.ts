import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCopyField } from './copy-in.ts'

const UNESCAPED: Record<string, string> = { '\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r' }

test('copy: every value comes back from its row, and a row is one line', () => {
  const parse = (row: string) =>
    row
      .slice(0, -1)
      .split('\t')
      .map((field) => (field === '\\N' ? null : field.replace(/\\[\\tnr]/g, (sign) => UNESCAPED[sign] ?? sign)))
  const value = fc.option(
    fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\\', '\t', '\n', '\r', 'N', '.', 'a') })),
  )
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      const row = `${values.map(toCopyField).join('\t')}\n`
      expect(row.split('\n')).toHaveLength(2)
      expect(parse(row)).toEqual(values)
    }),
  )
})
