import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FieldType } from '#contracts/contacts/fields.ts'
import { type FieldValue, readFieldValue } from './values.ts'

const read = (type: FieldType, value: FieldValue, choices: string[] = []) => readFieldValue({ type, choices }, value)

test('field value: each type takes what says it, and nothing else', () => {
  expect([read('number', ' 42 '), read('number', '-1.50'), read('number', 7)]).toEqual([42, -1.5, 7])
  expect([read('number', '1e9'), read('number', '12 kg'), read('number', true)]).toEqual(Array(3).fill(undefined))
  expect([read('date', '2024-02-29'), read('date', '2026-01-31T10:00:00Z')]).toEqual(['2024-02-29', '2026-01-31'])
  expect([read('date', '2026-02-29'), read('date', '31.01.2026'), read('date', 5)]).toEqual(Array(3).fill(undefined))
  expect([read('boolean', 'Yes'), read('boolean', 0), read('boolean', false)]).toEqual([true, false, false])
  expect(read('boolean', 'maybe')).toBeUndefined()
  expect([read('choice', ' gold ', ['Gold']), read('choice', 'tin', ['Gold'])]).toEqual(['Gold', undefined])
  expect([read('text', ' as it is '), read('text', 3)]).toEqual([' as it is ', 3])
})

test('field value: blank removes it, and what is stored is read as itself', () => {
  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const choices = ['Gold', 'Silver']
  fc.assert(
    fc.property(fc.constantFrom(...FieldType.options), value, (type, given) => {
      const stored = read(type, given, choices)
      if (stored !== undefined) expect(read(type, stored, choices)).toEqual(stored)
    }),
  )
  for (const type of FieldType.options) if (type !== 'text') expect(read(type, '  ', choices)).toBeNull()
})
