import { expect, test } from 'vitest'
import { initialsOf, planLabel } from './user-badge.ts'

test('initials are those of the first and the last name, and U without a name', () => {
  const given = ['Ada Lovelace', 'ada', '  Juan  Carlos de la  Cruz ', '', undefined, '🐦 bird']
  expect(given.map(initialsOf)).toEqual(['AL', 'A', 'JC', 'U', 'U', '🐦B'])
})

test('the plan is capitalised, and anything free is a Free User', () => {
  expect(['pro', 'Business', 'free', 'FREE', undefined].map(planLabel)).toEqual([
    'Pro Plan',
    'Business Plan',
    'Free User',
    'Free User',
    'Free User',
  ])
})
