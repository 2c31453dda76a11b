import { expect, test } from 'vitest'
import type { ContactField, FieldType } from '#contracts/contacts/fields.ts'
import { formatValue, labelField, sortFields, toChoices, toMergeField } from './labels.ts'

test('merge field: it has the default of its field, in quotes that do not end within it', () => {
  expect(toMergeField({ name: 'city', default: '' })).toBe('{{ attributes.city }}')
  expect(toMergeField({ name: 'city', default: 'your town' })).toBe('{{ attributes.city | default: "your town" }}')
  expect(toMergeField({ name: 'city', default: 'the "big" one' })).toBe(
    `{{ attributes.city | default: 'the "big" one' }}`,
  )
  expect(toMergeField({ name: 'city', default: `"it's"` })).toBe('{{ attributes.city }}')
})

test('choices: one a line, blank lines are none', () => {
  expect(toChoices(' Gold \n\nSilver\n')).toEqual(['Gold', 'Silver'])
})

const field = (name: string, label: string, type: FieldType): ContactField => ({
  ...{ id: name, name, label, type, choices: [], default: '', createdAt: '', updatedAt: '' },
})

test('field names: the parts of the name come first, and others in the order of their labels', () => {
  const defined = [field('renewal', 'Renewal date', 'date'), field('x', 'Account', 'text')]
  const names = sortFields(['city', 'renewal', 'last_name', 'x', 'first_name'], defined)
  expect(names.map((name) => labelField(name, defined))).toEqual([
    'First name',
    'Last name',
    'Account',
    'city',
    'Renewal date',
  ])
})

test('field values: days and yes or no are in words, and what does not fit its type is as it is', () => {
  expect([formatValue('2026-01-31', 'date'), formatValue('next spring', 'date'), formatValue(null, 'date')]).toEqual([
    '31 Jan 2026',
    'next spring',
    '',
  ])
  expect([formatValue(true, 'boolean'), formatValue('true', undefined), formatValue(0, 'number')]).toEqual([
    'Yes',
    'true',
    '0',
  ])
})
