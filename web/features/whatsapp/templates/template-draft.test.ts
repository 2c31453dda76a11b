import { expect, test } from 'vitest'
import { nextVariable } from './template-draft.ts'

test.each([
  [[], '1'],
  [['1', '3'], '4'],
  [['first_name'], 'name_2'],
  [['first_name', 'name_2'], 'name_3'],
  [['name_7', 'city'], 'name_8'],
])('template: the variable added to %o is %s, which the text does not have', (variables, next) => {
  expect(nextVariable(variables)).toBe(next)
  expect(variables).not.toContain(next)
})
