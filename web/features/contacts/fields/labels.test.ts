import { expect, test } from 'vitest'
import { toChoices, toMergeField } from './labels.ts'

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
